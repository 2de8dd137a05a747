import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { setUpChatModel, until } from '../../../test/support/chat-model.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/support/scripted-model/server.ts'
import { generateStructured, parseObject } from './structured.ts'

const schema = Type.Object({
  intent: Type.Union([Type.Literal('refund'), Type.Literal('faq')]),
  emotion_score: Type.Number({ minimum: -1, maximum: 1 }),
})
const byRules = { intent: 'faq' as const, emotion_score: 0 }
const request = {
  messages: [{ role: 'user' as const, content: 'I want my refund' }],
  schema,
  name: 'understanding',
  fallback: () => byRules,
}

let server: ScriptedModel

beforeAll(async () => {
  server = await startScriptedModel()
})
afterEach(() => server.clear())
afterAll(() => server.close())

describe.each(['openai', 'anthropic'] as const)('a structured answer by %s', (provider) => {
  it('is what the model says, when it fits', async () => {
    const { model } = setUpChatModel({ provider, baseUrl: server.url })
    const result = await generateStructured(model.stream, request)
    expect(result).toMatchObject({ value: { intent: 'refund', emotion_score: -1 }, source: 'model', error: null })
    expect(result.usage.inputTokens).toBeGreaterThan(0)
    expect(JSON.stringify(server.requests[0]?.body)).toContain('emotion_score')
  })
})

describe('a structured answer', () => {
  it('may be corrected once', async () => {
    server.enqueue(
      { text: '{"intent": "dance", "emotion_score": 7}' },
      { text: '```json\n{"intent":"refund","emotion_score":0.5}\n```' },
    )
    const { model } = setUpChatModel({ baseUrl: server.url })
    const result = await generateStructured(model.stream, request)
    expect(result).toMatchObject({ value: { intent: 'refund', emotion_score: 0.5 }, source: 'model' })
    expect(JSON.stringify(server.requests[1]?.body)).toContain('/emotion_score')
  })

  const nonsense = [
    '',
    'I cannot do that.',
    '{"intent": "refund"}',
    '{"intent": "refund", "emotion_score"',
    '[]',
    'null',
  ]
  it.each(nonsense)('falls back to the rules on %j', async (text) => {
    server.setDefault({ text })
    const { model } = setUpChatModel({ baseUrl: server.url })
    const result = await generateStructured(model.stream, request)
    expect(result).toMatchObject({ value: byRules, source: 'fallback', error: { code: 'bad_response' } })
    expect(server.requests).toHaveLength(2)
  })

  it('falls back when the endpoint is down', async () => {
    server.setDefault({ status: 500 })
    const { model } = setUpChatModel({ baseUrl: server.url, maxRetries: 0 })
    expect(await generateStructured(model.stream, request)).toMatchObject({
      value: byRules,
      error: { code: 'unavailable' },
    })
  })

  it('falls back when it takes too long, and ends the request', async () => {
    server.setDefault({ text: 'x', firstTokenDelayMs: 600_000 })
    const { model, breaker } = setUpChatModel({ baseUrl: server.url })
    const result = await generateStructured(model.stream, { ...request, timeoutMs: 50 })
    expect(result).toMatchObject({ value: byRules, error: { code: 'timeout' } })
    expect(breaker.stats().failure_count).toBe(1)
    await until(() => server.activeRequests() === 0)
  })

  it('falls back when the caller leaves', async () => {
    server.setDefault({ text: 'x', firstTokenDelayMs: 600_000 })
    const { model } = setUpChatModel({ baseUrl: server.url })
    const controller = new AbortController()
    const pending = generateStructured(model.stream, request, controller.signal)
    await until(() => server.activeRequests() === 1)
    controller.abort()
    expect(await pending).toMatchObject({ value: byRules, error: { code: 'aborted' } })
  })

  it('does not read an endless reply to its end', async () => {
    const endless = async function* () {
      for (;;) yield { type: 'text-delta' as const, text: 'x'.repeat(10_000) }
    }
    expect(await generateStructured(endless, request)).toMatchObject({
      source: 'fallback',
      error: { code: 'bad_response' },
    })
  })
})

describe('parseObject', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['Sure! ```json\n{"a":{"b":2}}\n``` Anything else?', { a: { b: 2 } }],
    ['}{', undefined],
    ['none', undefined],
  ])('finds the object in %j', (text, wanted) => {
    expect(parseObject(text)).toEqual(wanted)
  })
})
