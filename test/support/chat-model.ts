import { expect } from 'vitest'
import type { ChatRequest, ModelCall, ModelError, ModelEvent, RouterTier } from '../../src/ai/model/port.ts'
import type { ModelProvider } from '../../src/ai/model/providers.ts'
import { type ChatModelOptions, createChatModel } from '../../src/ai/model/stream.ts'
import { type Breaker, createBreaker } from '../../src/platform/breaker.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { ScriptedModel } from './scripted-model/server.ts'

export const reply = 'Returns take fourteen days [1].'
/** Tokens that the scripted model makes of `reply`. */
export const replyTokens = 5
export const question: ChatRequest = {
  messages: [{ role: 'user', content: 'How long do returns take?' }],
  agent: 'knowledge',
}

export interface ChatModelSetting extends Partial<ChatModelOptions> {
  provider?: ModelProvider
  baseUrl: string
}

/** A chat model on a scripted endpoint, with everything that it reports. */
export function setUpChatModel(setting: ChatModelSetting) {
  const { provider = 'openai', baseUrl, ...rest } = setting
  const calls: ModelCall[] = []
  const breaker = setting.breaker ?? newBreaker(1_000)
  const counts: Record<RouterTier, number> = { extractive: 0, light: 0, standard: 0, strong: 0 }
  const tiers = {
    count(tier: RouterTier): void {
      counts[tier] += 1
    },
    snapshot: () => ({ ...counts }),
  }
  const model = createChatModel({
    config: { provider, baseUrl, apiKey: 'sk-secret-1234', model: 'm', modelLight: 'm-light', modelStrong: 'm-strong' },
    breaker,
    tiers,
    onCall: (call) => calls.push(call),
    timeouts: { firstTokenMs: 10_000, betweenTokensMs: 10_000, totalMs: 40_000 },
    ...rest,
  })
  return { model, calls, breaker, tiers }
}

export function newBreaker(failureThreshold: number): Breaker {
  return createBreaker({ name: 'llm', failureThreshold, recoveryTimeoutMs: 60_000, clock: systemClock })
}

export async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
}

export function errorOf(events: readonly ModelEvent[]): ModelError {
  const last = events.at(-1)
  if (last?.type !== 'error') throw new Error(`expected an error, got ${JSON.stringify(last)}`)
  return last.error
}

/** The order that the port promises, as a word: `(text-delta | tool-call)* usage? (finish | error)`. */
export function orderOf(events: readonly ModelEvent[]): string {
  const letters = { 'text-delta': 't', 'tool-call': 't', usage: 'u', finish: 'f', error: 'e' }
  return events.map(({ type }) => letters[type]).join('')
}

export const promisedOrder = /^t*u?[fe]$/

/** Waits for something that happens in another connection; the test's own time limit ends a wait in vain. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** So many callers, two hundred at a time, each of whom leaves after a token; nothing of them stays, and the breaker is unmoved. */
export async function leaveInTheMiddle(server: ScriptedModel, times: number): Promise<void> {
  server.setDefault({ text: 'word '.repeat(200), tokenDelayMs: 600_000 })
  const { model, calls, breaker } = setUpChatModel({ baseUrl: server.url })
  const oneWhoLeaves = async () => {
    const controller = new AbortController()
    for await (const event of model.stream(question, controller.signal)) {
      if (event.type === 'text-delta') controller.abort()
    }
  }
  for (let left = times; left > 0; left -= 200) {
    await Promise.all(Array.from({ length: Math.min(left, 200) }, oneWhoLeaves))
  }
  await until(() => server.activeRequests() === 0)
  await until(() => server.openConnections() === 0)
  expect(server.requests.filter(({ outcome }) => outcome === 'aborted')).toHaveLength(times)
  expect(calls.filter(({ outcome }) => outcome === 'aborted')).toHaveLength(times)
  expect(breaker.stats()).toMatchObject({ failure_count: 0, success_count: 0, state: 'CLOSED' })
}
