import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULTS } from '../../src/features/tuning/parameters.ts'
import { type ModelShop, openModelShop, QUESTION } from '../support/model-shop.ts'
import type { Fault } from '../support/scripted-model/script.ts'
import type { ScriptedModel } from '../support/scripted-model/server.ts'
import type { TestApp } from '../support/test-app.ts'

const TEXT = 'Goods may be returned within 14 days of delivery [1]. Opened goods are fine as well.'

interface StreamEvent {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  data: any
}

describe('chat with a model', () => {
  let test: TestApp
  let model: ScriptedModel
  let shop: ModelShop

  beforeAll(async () => {
    shop = await openModelShop()
    ;({ test, model } = shop)
  })
  afterAll(() => shop.close())
  beforeEach(async () => {
    model.clear()
    await test.call('POST', '/api/v1/observability/circuit-breakers/llm/reset')
  })

  const post: ModelShop['stream'] = (body, signal) => shop.stream(body, signal)
  const stream = async (body: object) => parseEvents(await (await post(body)).text())

  it('writes the reply over the passages and cites them', async () => {
    model.setDefault({ text: TEXT })
    const { body } = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(body).toMatchObject({ reply: TEXT, data: { mode: 'model', sources: [{ source: 'returns.md' }] } })
    const request = model.requests[0]?.body as { messages: { role: string; content: string }[]; stream: boolean }
    expect(request.stream).toBe(true)
    expect(request.messages.at(-1)?.content).toContain('<passage id="1" source="Returns"')
  })

  it('forwards the first word before the model has ended', async () => {
    model.setDefault({ text: TEXT, tokenDelayMs: 60 })
    const response = await post({ message: QUESTION })
    let seen = ''
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      seen += Buffer.from(chunk).toString()
      if (seen.includes('event: token')) break
    }
    expect(model.requests.at(-1)?.outcome).toBe('pending')
  })

  it('leaves out what stands in no passage', async () => {
    model.setDefault({ text: 'Goods may be returned within 90 days [1]. I will call you tomorrow.' })
    const { body } = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(body.reply).not.toMatch(/90|call you/)
    expect(body.reply).toContain('could not be verified')
  })

  it('says that nothing was found when the model says so, and counts it as a failure', async () => {
    model.setDefault({ text: 'NOT_FOUND' })
    const { body } = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(body.reply).toContain('could not find')
    expect(body.data).toMatchObject({ failed_attempts: 1, sources: [] })
  })

  it('asks the model also where the search is unsure, with another wording', async () => {
    const message = 'Anything about the post office there?'
    // A threshold that no score reaches, whatever the learned weights are.
    const setThreshold = (direct_answer_threshold: number) =>
      test.call('PUT', '/api/v1/tuner/params', { direct_answer_threshold })
    await setThreshold(0.99)
    const reading = { intent: 'faq', emotion_score: 0, questions: [message] }
    model.addRule(({ body }) => {
      const asked = JSON.stringify(body)
      if (asked.includes('You help a search')) return { text: JSON.stringify({ query: 'refund duration' }) }
      return { text: asked.includes('You read messages') ? JSON.stringify(reading) : TEXT }
    })
    const { body } = await test.call('POST', '/api/v1/chat', { message })
    await setThreshold(DEFAULTS.direct_answer_threshold)
    expect(body.reply).toBe(TEXT)
    expect(body.data).toMatchObject({ mode: 'model', failed_attempts: 0, suggestions: [] })
    const { body: trace } = await test.call('GET', `/api/v1/monitor/traces/${body.data.trace_id}`)
    const searches = trace.steps.filter((step: { name: string }) => step.name === 'search')
    expect(searches.map((step: { input: string }) => step.input)).toEqual(
      expect.arrayContaining([message, 'refund duration']),
    )
  })

  it('calls a person when the model too has found nothing often enough', async () => {
    model.setDefault({ text: 'NOT_FOUND' })
    const ask = (message: string) => test.call('POST', '/api/v1/chat', { message, session_id: 'in_vain' })
    const first = await ask('Until when may I return goods?')
    expect(first.body.data).toMatchObject({ failed_attempts: 1, escalate_to_human: false })
    const [one] = first.body.data.suggestions
    expect(first.body.reply).toContain(`1. ${one.title}`)
    await ask('Is the refund paid in gold?')
    const third = await ask('Will the parcel be sent to the moon?')
    expect(third.body.data).toMatchObject({ failed_attempts: 3, escalate_to_human: true })
    expect(third.body.data.escalation_card).toMatchObject({ failed_attempts: 3 })
  })

  it('lets the model search once more', async () => {
    model.enqueue(
      { toolCalls: [{ name: 'search_knowledge', arguments: { query: 'refund duration' } }] },
      { text: TEXT },
    )
    const { body } = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(body.reply).toBe(TEXT)
    expect(model.requests).toHaveLength(2)
  })

  it('answers from the passages when the model does nothing but search', async () => {
    model.setDefault({ toolCalls: [{ name: 'search_knowledge', arguments: { query: 'refund duration' } }] })
    const { body } = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(body.data).toMatchObject({ mode: 'fallback', sources: [{ source: 'returns.md' }] })
    expect(body.reply).toContain('14 days')
    expect(model.requests.length).toBeLessThanOrEqual(4)
  })

  it('asks no model to reword or to answer where the search is empty', async () => {
    model.setDefault({ text: TEXT })
    await test.call('PUT', '/api/v1/tuner/params', { min_score: 1 })
    const { body } = await test.call('POST', '/api/v1/chat', { message: 'Until when may I bring back goods?' })
    await test.call('PUT', '/api/v1/tuner/params', { min_score: DEFAULTS.min_score })
    expect(body.data).toMatchObject({ mode: 'notice', sources: [] })
    expect(model.requests).toEqual([])
  })

  it('does without another wording where that call fails', async () => {
    await test.call('PUT', '/api/v1/tuner/params', { direct_answer_threshold: 0.99 })
    model.addRule(({ body }) => (JSON.stringify(body).includes('You help a search') ? { status: 400 } : { text: TEXT }))
    const { body } = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    await test.call('PUT', '/api/v1/tuner/params', { direct_answer_threshold: DEFAULTS.direct_answer_threshold })
    expect(body).toMatchObject({ reply: TEXT, data: { mode: 'model' } })
    const { body: trace } = await test.call('GET', `/api/v1/monitor/traces/${body.data.trace_id}`)
    const light = trace.steps.filter(({ name }: { name: string }) => name === 'light')
    expect(light).toMatchObject([{ status: 'error' }])
  })

  it('shows customers no NOT_FOUND, also behind what was said before a search', async () => {
    const search = { toolCalls: [{ name: 'search_knowledge', arguments: { query: 'refund duration' } }] }
    model.enqueue({ text: 'Let me look again.', ...search }, { text: 'NOT_FOUND' })
    const events = await stream({ message: QUESTION })
    const { answer, data } = events.at(-1)?.data ?? {}
    expect(answer).toBe(textOf(events))
    expect(answer).toMatch(/^Let me look again\.\n\nSorry, I could not find/)
    expect(answer).not.toContain('NOT_FOUND')
    expect(data).toMatchObject({ failed_attempts: 1, sources: [], suggestions: [{ title: 'Returns' }] })
  })

  it('keeps citations and sources together when a model breaks off that was read along', async () => {
    const text = 'You have 14 days [1, 7]. Also, opened goods'
    model.setDefault({ text: `${text} are never seen`, fault: { kind: 'cut', afterTokens: 9 } })
    const { answer, data } = (await stream({ message: QUESTION })).at(-1)?.data ?? {}
    expect(data).toMatchObject({ mode: 'fallback', sources: [{ source: 'returns.md' }] })
    expect(answer).toMatch(/^You have 14 days \[1\]\..*…\n\nGoods may be returned/)
    const { body } = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(body.reply).toMatch(/^Goods may be returned/)
    expect(body.data.sub_tasks[0].answer).toBe(body.reply)
  })

  const faults = ['cut', 'end', 'hang', 'garbage', 'error'] as const
  const points = [-1, 0, 1, 4]
  it.each(faults.flatMap((kind) => points.map((afterTokens) => ({ kind, afterTokens }))))(
    'falls back to the passages when the model fails: $kind after $afterTokens tokens',
    async (fault) => {
      // A model that hangs is given up after its time limit, which is longer than a test: the client's patience ends it.
      if (fault.kind === 'hang') return expectAbortOnLeaving(fault)
      model.setDefault({ text: TEXT, fault })
      const events = await stream({ message: QUESTION })
      expectOrder(events)
      const done = events.at(-1)?.data
      expect(done.answer).toContain('14 days')
      expect(done.answer).toBe(textOf(events))
      expect(['fallback', 'model']).toContain(done.data.mode)
    },
  )

  async function expectAbortOnLeaving(fault: Fault): Promise<void> {
    model.setDefault({ text: TEXT, fault })
    const leaving = new AbortController()
    const response = post({ message: QUESTION }, leaving.signal).catch(() => {})
    await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBeGreaterThan(0)
    leaving.abort()
    await response
    await expect
      .poll(() => model.requests.every(({ outcome }) => outcome !== 'pending'), { timeout: 10_000 })
      .toBe(true)
  }

  it.each([429, 500, 503, 401])('falls back when the model answers %i', async (status) => {
    model.setDefault({ status })
    const events = await stream({ message: QUESTION })
    expectOrder(events)
    expect(events.at(-1)?.data).toMatchObject({ data: { mode: 'fallback' } })
  })

  it('opens the breaker when the model stays down, and answers all the same', async () => {
    model.setDefault({ status: 500 })
    for (let i = 0; i < 4; i++) {
      expect((await test.call('POST', '/api/v1/chat', { message: QUESTION })).body.data.mode).toBe('fallback')
    }
    const asked = model.requests.length
    await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(model.requests.length).toBe(asked)
    const { body } = await test.call('GET', '/api/v1/observability/circuit-breakers')
    expect(body.llm.state).toBe('OPEN')
  })

  it('ends the model call of every client that leaves, without blaming the model', async () => {
    model.setDefault({ text: TEXT, tokenDelayMs: 2_000 })
    const clients = Array.from({ length: 60 }, () => new AbortController())
    const responses = clients.map(({ signal }) => post({ message: QUESTION }, signal).catch(() => {}))
    await expect.poll(() => model.activeRequests(), { timeout: 30_000 }).toBe(60)
    for (const client of clients) client.abort()
    await Promise.all(responses)
    await expect.poll(() => model.activeRequests(), { timeout: 20_000 }).toBe(0)
    const { body } = await test.call('GET', '/api/v1/observability/circuit-breakers')
    expect(body.llm).toMatchObject({ state: 'CLOSED', failure_count: 0 })
  })

  it('keeps what was said to a client that left, marked as interrupted', async () => {
    model.setDefault({ text: TEXT, tokenDelayMs: 100 })
    const leaving = new AbortController()
    const response = await post({ message: QUESTION, session_id: 'left' }, leaving.signal)
    let seen = ''
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      seen += Buffer.from(chunk).toString()
      if (seen.split('event: token').length > 3) break
    }
    leaving.abort()
    const last = async () => (await test.call('GET', '/api/v1/chat/sessions/left/messages')).body.messages.at(-1)
    await expect.poll(async () => (await last()).role, { timeout: 10_000 }).toBe('assistant')
    expect(await last()).toMatchObject({ interrupted: true })
    expect(TEXT.startsWith((await last()).content)).toBe(true)
    // That a customer loses interest is no failure of the service: alerts count those.
    const { body } = await test.call('GET', '/api/v1/monitor/traces?limit=1')
    expect(body[0]).toMatchObject({ session_id: 'left', status: 'interrupted', error: null })
  })

  it('keeps concurrent streams apart, each transcript whole and in order', async () => {
    model.addRule((request) => {
      const mark = /parcel number (\d+)/.exec(JSON.stringify(request.body))?.[1]
      return mark === undefined
        ? undefined
        : { text: `Parcel number ${mark} may be returned within 14 days [1].`, tokenDelayMs: 5 }
    })
    const sessions = Array.from({ length: 50 }, (_, i) => i)
    const all = await Promise.all(
      sessions.map((i) =>
        stream({ message: `Until when may I return goods of parcel number ${i}?`, session_id: `many-${i}` }),
      ),
    )
    all.forEach((events, i) => {
      expectOrder(events)
      expect(events.at(-1)?.data.answer).toContain(`number ${i} `)
      expect(textOf(events)).toBe(events.at(-1)?.data.answer)
    })
    for (const i of sessions) {
      const { body } = await test.call('GET', `/api/v1/chat/sessions/many-${i}/messages`)
      expect(body.messages.map((m: { role: string }) => m.role)).toEqual(['user', 'assistant'])
      expect(body.messages[1].content).toContain(`number ${i} `)
    }
  })
})

function expectOrder(events: readonly StreamEvent[]): void {
  expect(events.map(({ event }) => event).join(' ')).toMatch(/^meta( token)* (?:done|error)$/)
}

function textOf(events: readonly StreamEvent[]): string {
  return events.map(({ event, data }) => (event === 'token' ? data.content : '')).join('')
}

function parseEvents(text: string): StreamEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => {
      const [event = '', data = ''] = block.split('\n')
      return { event: event.slice(7), data: JSON.parse(data.slice(6)) }
    })
}
