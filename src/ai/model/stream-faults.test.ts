import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  collect,
  errorOf,
  orderOf,
  promisedOrder,
  question,
  reply,
  replyTokens,
  setUpChatModel,
  textOf,
  until,
} from '../../../test/support/chat-model.ts'
import type { Fault } from '../../../test/support/scripted-model/script.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/support/scripted-model/server.ts'
import type { ModelProvider } from './providers.ts'

/** Short only where a time limit is what ends the stream: elsewhere a busy machine must not look like a fault. */
function timeoutsFor({ kind }: Fault) {
  const limitMs = kind === 'hang' ? 150 : 10_000
  return { firstTokenMs: limitMs, betweenTokensMs: limitMs, totalMs: 40_000 }
}

let server: ScriptedModel

beforeAll(async () => {
  server = await startScriptedModel({ behaviour: { text: reply } })
})
afterEach(() => server.clear())
afterAll(() => server.close())

describe.each<ModelProvider>(['openai', 'anthropic'])('an endpoint by %s that fails', (provider) => {
  const kinds: Fault['kind'][] = ['cut', 'end', 'hang', 'garbage', 'error']
  const places = Array.from({ length: replyTokens + 2 }, (_, index) => index - 1)
  const faults = kinds.flatMap((kind) => places.map((afterTokens): Fault => ({ kind, afterTokens })))

  it.each(faults)('ends in order when the endpoint does $kind after $afterTokens tokens', async (fault) => {
    server.setDefault({ text: reply, fault })
    const { model, calls, breaker } = setUpChatModel({
      baseUrl: server.url,
      provider,
      maxRetries: 0,
      timeouts: timeoutsFor(fault),
    })
    const events = await collect(model.stream(question))
    expect(orderOf(events)).toMatch(promisedOrder)
    const { code, message } = errorOf(events)
    expect(reply.startsWith(textOf(events))).toBe(true)
    expect(['timeout', 'connection', 'bad_response', 'unavailable']).toContain(code)
    if (fault.kind === 'hang') expect(code).toBe('timeout')
    if (fault.kind === 'cut') expect(code).toBe('connection')
    expect(message).not.toBe('')
    expect(calls).toMatchObject([{ attempts: 1, outcome: code }])
    expect(breaker.stats().failure_count).toBe(1)
    await until(() => server.activeRequests() === 0)
  })

  it.each(faults)('tries again after $kind after $afterTokens tokens only if nothing was said', async (fault) => {
    server.enqueue({ text: reply, fault })
    const { model, calls } = setUpChatModel({ baseUrl: server.url, provider, timeouts: timeoutsFor(fault) })
    const events = await collect(model.stream(question))
    expect(orderOf(events)).toMatch(promisedOrder)
    const saved = fault.afterTokens <= 0 && fault.kind !== 'hang'
    expect(events.at(-1)?.type).toBe(saved ? 'finish' : 'error')
    expect(calls).toMatchObject([{ attempts: saved ? 2 : 1 }])
    expect(server.requests).toHaveLength(saved ? 2 : 1)
    if (saved) expect(textOf(events)).toBe(reply)
    await until(() => server.activeRequests() === 0)
  })
})
