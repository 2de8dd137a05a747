import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, leaveInTheMiddle, question, reply, setUpChatModel, until } from '../../../test/support/chat-model.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/support/scripted-model/server.ts'
import { createBreaker } from '../../platform/breaker.ts'
import { systemClock } from '../../platform/clock.ts'
import type { ModelEvent } from './port.ts'

let server: ScriptedModel

beforeAll(async () => {
  server = await startScriptedModel({ behaviour: { text: reply } })
})
afterEach(() => server.clear())
afterAll(() => server.close())

describe('a caller who leaves in the middle', () => {
  const ways = {
    'aborts while waiting for the first token': { behaviour: { firstTokenDelayMs: 60_000 }, takes: 0 },
    'aborts after a token': { behaviour: { tokenDelayMs: 60_000 }, takes: 1 },
  }
  it.each(Object.entries(ways))(
    '%s: the request ends and the breaker is unmoved',
    async (_name, { behaviour, takes }) => {
      server.setDefault({ text: reply, ...behaviour })
      const { model, calls, breaker } = setUpChatModel({ baseUrl: server.url })
      const controller = new AbortController()
      const events: ModelEvent[] = []
      const reading = (async () => {
        for await (const event of model.stream(question, controller.signal)) events.push(event)
      })()
      await until(() => server.activeRequests() === 1 && events.length === takes)
      controller.abort()
      await reading
      expect(errorOf(events).code).toBe('aborted')
      await until(() => server.activeRequests() === 0)
      expect(server.requests[0]?.outcome).toBe('aborted')
      expect(calls).toMatchObject([{ outcome: 'aborted' }])
      expect(calls[0]!.usage.outputTokens > 0).toBe(takes > 0)
      expect(breaker.stats()).toMatchObject({ failure_count: 0, success_count: 0, state: 'CLOSED' })
    },
  )

  it('who just stops iterating ends the request too', async () => {
    server.setDefault({ text: reply, tokenDelayMs: 20 })
    const { model, calls } = setUpChatModel({ baseUrl: server.url })
    for await (const event of model.stream(question)) if (event.type === 'text-delta') break
    await until(() => server.activeRequests() === 0)
    expect(server.requests[0]?.outcome).toBe('aborted')
    expect(calls).toMatchObject([{ outcome: 'aborted', usage: { estimated: true } }])
  })

  it('who vanishes between two tokens gives the probe of a half-open breaker back', async () => {
    server.setDefault({ text: reply, tokenDelayMs: 20 })
    const breaker = createBreaker({ name: 'llm', failureThreshold: 1, recoveryTimeoutMs: 0, clock: systemClock })
    breaker.acquire().fail(new Error('down'))
    const { model, calls } = setUpChatModel({ baseUrl: server.url, breaker })
    const controller = new AbortController()
    const iterator = model.stream(question, controller.signal)[Symbol.asyncIterator]()
    await iterator.next()
    expect(() => breaker.acquire()).toThrow()
    controller.abort()
    expect(breaker.state()).toBe('HALF_OPEN')
    expect(() => breaker.acquire()).not.toThrow()
    expect(calls).toMatchObject([{ outcome: 'aborted' }])
    await until(() => server.activeRequests() === 0)
  })

  // A thousand in `test/full/each-change/stream-leaving.test.ts`.
  it('times a hundred: no request is left, no connection, no verdict', () => leaveInTheMiddle(server, 100))
})
