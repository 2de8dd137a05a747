import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  collect,
  errorOf,
  newBreaker,
  orderOf,
  promisedOrder,
  question,
  reply,
  replyTokens,
  setUpChatModel,
  textOf,
  until,
} from '../../../test/support/chat-model.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/support/scripted-model/server.ts'
import type { ModelProvider } from './providers.ts'

let server: ScriptedModel

beforeAll(async () => {
  server = await startScriptedModel({ behaviour: { text: reply } })
})
afterEach(() => server.clear())
afterAll(() => server.close())

describe.each<ModelProvider>(['openai', 'anthropic'])('a chat model by %s', (provider) => {
  it('streams a reply, reports usage and counts the tier', async () => {
    server.enqueue({ text: reply, usage: { inputTokens: 12, outputTokens: 6 } })
    const { model, calls, breaker, tiers } = setUpChatModel({ baseUrl: server.url, provider })
    const events = await collect(model.stream({ ...question, tier: 'light' }))
    expect(orderOf(events)).toMatch(promisedOrder)
    expect(textOf(events)).toBe(reply)
    expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(replyTokens)
    expect(events.slice(-2)).toEqual([
      { type: 'usage', usage: { inputTokens: 12, outputTokens: 6, estimated: false }, model: 'm-light' },
      { type: 'finish', reason: 'stop' },
    ])
    expect(calls).toMatchObject([{ agent: 'knowledge', tier: 'light', model: 'm-light', attempts: 1, outcome: 'ok' }])
    expect(breaker.stats()).toMatchObject({ success_count: 1, failure_count: 0 })
    expect(tiers.snapshot()).toEqual({ extractive: 0, light: 1, standard: 0, strong: 0 })
    expect(server.requests[0]?.body).toMatchObject({ model: 'm-light', stream: true })
  })

  it('passes tool calls on, with the arguments as the model wrote them', async () => {
    server.enqueue({
      toolCalls: [
        { name: 'search', arguments: { q: 'returns' } },
        { name: 'order', arguments: { id: 7 } },
      ],
    })
    const { model } = setUpChatModel({ baseUrl: server.url, provider })
    const parameters = Type.Object({ q: Type.String() })
    const tools = ['search', 'order'].map((name) => ({ name, description: name, parameters }))
    const events = await collect(model.stream({ ...question, tools }))
    expect(orderOf(events)).toMatch(promisedOrder)
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
    expect(calls.map(({ name, arguments: text }) => [name, JSON.parse(text)])).toEqual([
      ['search', { q: 'returns' }],
      ['order', { id: 7 }],
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
  })

  it('sends a whole conversation with tool calls and their results', async () => {
    const { model } = setUpChatModel({ baseUrl: server.url, provider })
    const toolCalls = [{ id: 'call_9', name: 'search', arguments: '{"q": "returns"}' }]
    await collect(
      model.stream({
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Returns?' },
          { role: 'assistant', content: '', toolCalls },
          { role: 'tool', toolCallId: 'call_9', toolName: 'search', content: 'fourteen days' },
        ],
        maxOutputTokens: 77,
        temperature: 0,
      }),
    )
    const text = JSON.stringify(server.requests[0]?.body)
    for (const part of ['Be kind.', 'Returns?', 'call_9', 'fourteen days', '77', '"temperature":0']) {
      expect(text).toContain(part)
    }
  })

  it('keeps the key out of errors, whatever the endpoint says', async () => {
    const strict = await startScriptedModel({ apiKey: 'another' })
    const { model, calls, breaker } = setUpChatModel({ provider, baseUrl: strict.url })
    const events = await collect(model.stream(question))
    expect(errorOf(events)).toMatchObject({ code: 'unauthorized', status: 401 })
    expect(JSON.stringify([events, calls, breaker.stats()])).not.toContain('secret')
    expect(strict.requests).toHaveLength(1)
    await strict.close()
  })
})

describe('a chat model', () => {
  it('forwards the first token while the model still writes', async () => {
    server.enqueue({ text: reply, tokenDelayMs: 40 })
    const { model } = setUpChatModel({ baseUrl: server.url })
    const sentAtFirst: number[] = []
    for await (const event of model.stream(question)) {
      if (event.type === 'text-delta' && sentAtFirst.length === 0) sentAtFirst.push(server.requests[0]!.tokensSent)
    }
    expect(sentAtFirst).toEqual([1])
  })

  it('estimates the usage when the endpoint reports none', async () => {
    server.enqueue({ text: reply, omitUsage: true })
    const { model, calls } = setUpChatModel({ baseUrl: server.url })
    const events = await collect(model.stream(question))
    expect(events.at(-2)).toMatchObject({ type: 'usage', usage: { estimated: true, inputTokens: 7, outputTokens: 8 } })
    expect(calls[0]?.usage).toEqual({ estimated: true, inputTokens: 7, outputTokens: 8 })
  })

  it.each([429, 503])('waits as long as status %i asks and tries again', async (status) => {
    server.enqueue({ status, retryAfterSeconds: 0.05 })
    const { model, calls } = setUpChatModel({ baseUrl: server.url })
    expect(textOf(await collect(model.stream(question)))).toBe(reply)
    expect(calls).toMatchObject([{ attempts: 2, outcome: 'ok' }])
  })

  it('does not make the customer wait for a long Retry-After', async () => {
    server.enqueue({ status: 429, retryAfterSeconds: 600 })
    const { model } = setUpChatModel({ baseUrl: server.url })
    const events = await collect(model.stream(question))
    expect(errorOf(events)).toMatchObject({ code: 'rate_limited', retryAfterMs: 600_000, status: 429 })
    expect(server.requests).toHaveLength(1)
  })

  it('gives up after the allowed retries', async () => {
    server.setDefault({ status: 500 })
    const { model, calls, breaker } = setUpChatModel({ baseUrl: server.url, maxRetries: 1 })
    expect(errorOf(await collect(model.stream(question)))).toMatchObject({ code: 'unavailable', status: 500 })
    expect(calls).toMatchObject([{ attempts: 2, outcome: 'unavailable', usage: { inputTokens: 0, outputTokens: 0 } }])
    expect(breaker.stats().failure_count).toBe(2)
  })

  it.each([400, 404, 413, 422])('neither repeats nor counts a refused request (%i)', async (status) => {
    server.setDefault({ status })
    const { model, breaker } = setUpChatModel({ baseUrl: server.url })
    expect(errorOf(await collect(model.stream(question))).code).toBe('rejected')
    expect(server.requests).toHaveLength(1)
    expect(breaker.stats()).toMatchObject({ failure_count: 0, success_count: 0 })
  })

  it.each([
    ['a web page', { body: '<html>hello</html>', contentType: 'text/html' }],
    ['an unstreamed answer', { body: '{"choices": []}', contentType: 'application/json' }],
    ['nothing', { body: '', contentType: 'text/event-stream' }],
  ])('takes %s for what it is', async (_name, behaviour) => {
    server.setDefault(behaviour)
    const { model } = setUpChatModel({ baseUrl: server.url, maxRetries: 0 })
    expect(errorOf(await collect(model.stream(question))).code).toBe('bad_response')
  })

  it('says so when nobody listens', async () => {
    const gone = await startScriptedModel()
    await gone.close()
    const { model } = setUpChatModel({ baseUrl: gone.url, maxRetries: 0 })
    expect(errorOf(await collect(model.stream(question))).code).toBe('connection')
  })

  it('does not follow a redirect with the key and the conversation', async () => {
    const elsewhere = await startScriptedModel()
    server.setDefault({ status: 307, headers: { location: `${elsewhere.url}/chat/completions` } })
    const { model } = setUpChatModel({ baseUrl: server.url, maxRetries: 0 })
    expect(errorOf(await collect(model.stream(question))).detail).toContain('redirect')
    expect(elsewhere.requests).toHaveLength(0)
    await elsewhere.close()
  })

  it('limits the whole call, however steadily tokens come', async () => {
    server.enqueue({ text: 'word '.repeat(500), tokenDelayMs: 20 })
    const { model, calls } = setUpChatModel({ baseUrl: server.url, timeouts: { totalMs: 1_000 } })
    const events = await collect(model.stream(question))
    expect(orderOf(events)).toMatch(promisedOrder)
    expect(errorOf(events).code).toBe('timeout')
    expect(calls[0]?.usage.outputTokens).toBeGreaterThan(0)
    await until(() => server.activeRequests() === 0)
  })

  it('does not hold a slow consumer against the endpoint', async () => {
    server.enqueue({ text: reply })
    const { model, breaker } = setUpChatModel({ baseUrl: server.url, timeouts: { betweenTokensMs: 300 } })
    const kinds: string[] = []
    for await (const event of model.stream(question)) {
      kinds.push(event.type)
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
    expect(kinds.at(-1)).toBe('finish')
    expect(breaker.stats().failure_count).toBe(0)
  })

  it('opens the breaker on an outage and then answers without a request', async () => {
    server.setDefault({ status: 500 })
    const { model, calls, tiers } = setUpChatModel({ baseUrl: server.url, breaker: newBreaker(3), maxRetries: 0 })
    for (let i = 0; i < 3; i += 1) await collect(model.stream(question))
    const events = await collect(model.stream(question))
    expect(events).toMatchObject([{ type: 'error', error: { code: 'circuit_open' } }])
    expect(server.requests).toHaveLength(3)
    expect(calls.at(-1)).toMatchObject({ attempts: 0, outcome: 'circuit_open' })
    expect(tiers.snapshot().standard).toBe(3)
  })

  it('makes no request for a caller who has left already', async () => {
    const { model, calls, breaker } = setUpChatModel({ baseUrl: server.url })
    const events = await collect(model.stream(question, AbortSignal.abort()))
    expect(events).toMatchObject([{ type: 'error', error: { code: 'aborted' } }])
    expect(server.requests).toHaveLength(0)
    expect(calls).toMatchObject([{ attempts: 0, outcome: 'aborted' }])
    expect(breaker.stats()).toMatchObject({ failure_count: 0, success_count: 0 })
  })

  it('ends the pause before a retry when the caller leaves', async () => {
    server.setDefault({ status: 429, retryAfterSeconds: 8 })
    const { model } = setUpChatModel({ baseUrl: server.url })
    const controller = new AbortController()
    const events = collect(model.stream(question, controller.signal))
    await until(() => server.requests.length === 1 && server.activeRequests() === 0)
    controller.abort(new Error('gone'))
    expect(errorOf(await events).code).toBe('aborted')
    expect(server.requests).toHaveLength(1)
  })
})

it('keeps 200 concurrent streams apart', async () => {
  server.addRule(({ body }) => {
    const [{ content }] = (body as { messages: [{ content: string }] }).messages
    return { text: `${content} `.repeat(20), tokenDelayMs: 1 }
  })
  const { model } = setUpChatModel({ baseUrl: server.url })
  const texts = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const messages = [{ role: 'user' as const, content: `n${index}` }]
      return textOf(await collect(model.stream({ messages })))
    }),
  )
  expect(texts.map((text) => new Set(text.trim().split(' ')).size)).toEqual(Array(200).fill(1))
  expect(texts.every((text, index) => text === `n${index} `.repeat(20))).toBe(true)
})

it('uses a connection again after a complete answer', async () => {
  const fresh = await startScriptedModel({ behaviour: { text: reply } })
  for (const provider of ['openai', 'anthropic'] as const) {
    const { model } = setUpChatModel({ provider, baseUrl: fresh.url })
    for (let i = 0; i < 10; i += 1) await collect(model.stream(question))
  }
  await until(() => fresh.activeRequests() === 0)
  // Not always one: a call may start before the connection of the one before is back in the pool.
  expect(fresh.openConnections()).toBeLessThan(5)
  expect(fresh.requests.every(({ outcome }) => outcome === 'complete')).toBe(true)
  await fresh.close()
})
