import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Trace } from '../../src/kernel/tracing.ts'
import { writeNamedKeys } from '../support/named-keys.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { span, trace } from '../support/traces.ts'
import { createWatchPair, type WatchPair } from '../support/watch-app.ts'

const TRACES = '/api/v1/monitor/traces'

interface Shown {
  trace_id: string
}
const idsOf = (traces: Shown[]) => traces.map(({ trace_id }) => trace_id)

describe('the list of traces', () => {
  let pair: WatchPair
  let startedAt: number
  beforeAll(async () => {
    pair = await createWatchPair()
    startedAt = pair.clock.now()
    record('faq-1', 0, { durationMs: 20, spans: asked('Where is 100% of my parcel?') })
    record('refund-1', 1_000, { intent: 'refund', durationMs: 3_000, spans: asked('Refund_please', 'business') })
    record('faq-2', 2_000, { durationMs: 2_500, status: 'error', spans: asked('我的包裹在哪里') })
    record('twin-1', 3_000, {}, 'two')
    record('twin-2', 3_000, {}, 'two')
  })
  afterAll(() => pair.close())

  function record(traceId: string, afterMs: number, changes: Partial<Trace>, replica: 'one' | 'two' = 'one'): void {
    pair[replica].watching.traces.record(trace({ traceId, startedAt: startedAt + afterMs, ...changes }))
  }
  function asked(input: string, agent = 'knowledge') {
    return [span({ agent: 'router', type: 'understanding', name: 'understand', input }), span({ agent })]
  }
  async function get(query: string, replica = pair.two) {
    // What a replica recorded is stored before it answers; the other's may wait.
    await pair.one.call('GET', `${TRACES}?limit=1`)
    await pair.two.call('GET', `${TRACES}?limit=1`)
    return replica.call('GET', `${TRACES}?${query}`)
  }
  const found = async (query: string) => idsOf((await get(query)).body).toSorted()
  const at = (afterMs: number) => new Date(startedAt + afterMs).toISOString()

  it('shows what was asked', async () => {
    expect((await get('intent=refund')).body).toMatchObject([{ question: 'Refund_please', message_id: null }])
  })

  it.each([
    ['agent=business', ['refund-1']],
    ['agent=router', ['faq-1', 'faq-2', 'refund-1']],
    ['agent=nobody', []],
    ['intent=refund', ['refund-1']],
    ['min_duration_ms=2500', ['faq-2', 'refund-1']],
    ['min_duration_ms=2500&status=ok', ['refund-1']],
    ['q=parcel', ['faq-1']],
    ['q=PARCEL', ['faq-1']],
    [`q=${encodeURIComponent('包裹')}`, ['faq-2']],
    ['q=100%25', ['faq-1']],
    ['q=d_p', ['refund-1']],
    ['q=0_o', []],
    ['q=%5C', []],
  ])('is filtered by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  it('is filtered by time: the end is left out', async () => {
    expect(await found(`from=${at(1_000)}&to=${at(2_000)}`)).toEqual(['refund-1'])
    expect(await found(`to=${at(1_000)}`)).toEqual(['faq-1'])
    expect(await found(`from=${at(3_000)}`)).toEqual(['twin-1', 'twin-2'])
  })

  it('goes on after a trace, also among those that began together and while new ones come', async () => {
    const pages: string[] = []
    let before = ''
    for (let page = 0; page < 5; page++) {
      const { body } = await get(`limit=1${before}`)
      pages.push(...idsOf(body))
      before = `&before=${pages.at(-1)}`
      record(`later-${page}`, 10_000 + page, {})
    }
    expect(pages).toEqual(['twin-2', 'twin-1', 'faq-2', 'refund-1', 'faq-1'])
    expect((await get(`limit=1${before}`)).body).toEqual([])
    expect(idsOf((await get('before=twin-1&intent=faq')).body)).toEqual(['faq-2', 'faq-1'])
  })

  it.each([
    ['before=nothing', 404, 'No trace has the trace_id nothing'],
    ['from=yesterday', 400, 'from: must be a date or time in ISO 8601'],
    ['to=', 400, 'to: must be a date or time in ISO 8601'],
    ['from=2026-02-02&to=2026-02-02', 400, 'to: must be later than from'],
    ['intent=odd', 400, /^intent: must be one of /],
    ['status=odd', 400, /^status: must be one of /],
    ['min_duration_ms=-1', 422, /^min_duration_ms: /],
    ['min_duration_ms=long', 422, /^min_duration_ms: /],
    ['agent=', 422, /^agent: /],
    ['q=', 422, /^q: /],
    ['message_id=', 422, /^message_id: /],
    [`q=${'x'.repeat(201)}`, 422, /^q: /],
  ])('refuses %s', async (query, status, detail) => {
    const answer = await get(query)
    expect(answer.status).toBe(status)
    expect(answer.body.detail).toMatch(detail)
  })
})

describe('a turn and its messages', () => {
  let test: TestApp
  let keys: ReturnType<typeof writeNamedKeys>
  beforeAll(async () => {
    keys = writeNamedKeys(['read'], ['agent'])
    test = await createTestApp({ API_KEY: 'key', API_KEYS_FILE: keys.path })
    await test.upload('# Returns\n\nYou may return goods within 14 days.', 'returns.md')
  })
  afterAll(async () => {
    await test.close()
    keys.remove()
  })

  const ask = async (message: string, session_id = '') => {
    const { body } = await test.call('POST', '/api/v1/chat', { message, session_id })
    return { ...body.data, session_id: body.session_id }
  }
  const tracesOf = async (messageId: string) =>
    (await test.call('GET', `${TRACES}?message_id=${encodeURIComponent(messageId)}`)).body

  it('lead to each other', async () => {
    const first = await ask('How long may I return goods?')
    const second = await ask('Thank you!', first.session_id)
    const { body: history } = await test.call('GET', `/api/v1/chat/sessions/${first.session_id}/messages`)
    const messages: { message_id: string; role: string; trace_id?: string }[] = history.messages
    expect(messages.map(({ role, trace_id }) => [role, trace_id])).toEqual([
      ['user', undefined],
      ['assistant', first.trace_id],
      ['user', undefined],
      ['assistant', second.trace_id],
    ])
    for (const [index, { message_id }] of messages.entries()) {
      const { trace_id } = index < 2 ? first : second
      expect(idsOf(await tracesOf(message_id)), `message ${index}`).toEqual([trace_id])
    }
    const { body } = await test.call('GET', `${TRACES}/${second.trace_id}`)
    expect(body).toMatchObject({
      session_id: first.session_id,
      message_id: second.message_id,
      question: 'Thank you!',
    })
    const listed = (await test.call('GET', `${TRACES}?session_id=${first.session_id}`)).body
    expect(idsOf(listed)).toEqual([second.trace_id, first.trace_id])
  })

  it('name the kinds of their steps as the description does', async () => {
    const { trace_id } = await ask('Within how many days can something go back?')
    const [{ body: shown }, { body: described }] = [
      await test.call('GET', `${TRACES}/${trace_id}`),
      await test.call('GET', '/openapi.json'),
    ]
    const schema = described.paths['/api/v1/monitor/traces/{trace_id}'].get.responses['200'].content['application/json']
    const kinds: string[] = schema.schema.properties.steps.items.properties.type.enum
    const types: string[] = shown.steps.map(({ type }: { type: string }) => type)
    expect(kinds).toEqual(expect.arrayContaining(['understanding', 'cache', 'retrieval', 'model', 'guard', 'store']))
    expect(types).toEqual(expect.arrayContaining(['understanding', 'cache', 'retrieval', 'store']))
    expect(types.filter((type) => !kinds.includes(type))).toEqual([])
  })

  it('of an unknown message there is none', async () => {
    expect(await tracesOf('msg_nothing')).toEqual([])
  })

  it.each(['session_id', 'message_id', 'q'])(
    'is not looked up by %s without the key, or without its scope',
    async (name) => {
      const status = async (headers: Record<string, string>) =>
        (await test.app.inject({ method: 'GET', url: `${TRACES}?${name}=x`, headers })).statusCode
      expect(await status({})).toBe(401)
      expect(await status(keys.headersOf('read'))).toBe(403)
      expect(await status(keys.headersOf('agent'))).toBe(200)
    },
  )

  it('shows strangers that there is a message, and neither its id nor the question', async () => {
    await ask('How long may I return goods at all?')
    const response = await test.app.inject({ method: 'GET', url: `${TRACES}?limit=1` })
    expect(response.json()).toMatchObject([{ message_id: '', question: '' }])
    const filtered = await test.app.inject({ method: 'GET', url: `${TRACES}?intent=refund&agent=knowledge` })
    expect(filtered.statusCode).toBe(200)
  })
})
