import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelShop, openModelShop, QUESTION } from '../support/model-shop.ts'
import type { ScriptedModel } from '../support/scripted-model/server.ts'
import type { TestApp } from '../support/test-app.ts'

const LEAVERS = 3_000
/** Who talks at a time: each has a stream to us and we have one to the model. */
const WAVE = 100
const STREAMS = 200

describe('many customers at once', () => {
  let test: TestApp
  let model: ScriptedModel
  let shop: ModelShop

  beforeAll(async () => {
    shop = await openModelShop()
    ;({ test, model } = shop)
  })
  afterAll(() => shop.close())

  const ask: ModelShop['stream'] = (body, signal) => shop.stream(body, signal)

  /** Opens a stream and resolves with the way out once the customer has read the first words of the reply. */
  async function askAndRead(): Promise<() => void> {
    const leaving = new AbortController()
    const response = await ask({ message: QUESTION }, leaving.signal)
    const reader = response.body?.getReader()
    const decoder = new TextDecoder()
    for (let seen = ''; !seen.includes('event: token'); ) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) throw new Error(`The stream ended without a word: ${seen}`)
      seen += decoder.decode(value, { stream: true })
    }
    return () => leaving.abort()
  }

  it(`ends the model calls of ${LEAVERS} clients that leave in the middle`, async () => {
    // Nobody would see the end of this reply within the time of the test.
    model.setDefault({ text: 'Goods may be returned within 14 days [1]. '.repeat(200), tokenDelayMs: 1_000 })
    const took: number[] = []
    for (let wave = 0; wave < LEAVERS / WAVE; wave++) {
      const leave = await Promise.all(Array.from({ length: WAVE }, askAndRead))
      expect(model.activeRequests()).toBe(WAVE)
      const left = performance.now()
      for (const go of leave) go()
      await expect.poll(() => model.activeRequests(), { timeout: 30_000, interval: 5 }).toBe(0)
      took.push(performance.now() - left)
    }
    expect(model.requests.filter(({ outcome }) => outcome === 'aborted')).toHaveLength(LEAVERS)
    const longest = Math.round(Math.max(...took))
    console.log(`${WAVE} of ${LEAVERS} clients leave at a time: the last model call ended ${longest} ms later at most`)
    await expect.poll(openRequests, { timeout: 30_000, interval: 50 }).toBe(0)
    const { body } = await test.call('GET', '/api/v1/observability/circuit-breakers')
    expect(body.llm).toMatchObject({ state: 'CLOSED', failure_count: 0 })
    await expect.poll(interruptedReplies, { timeout: 30_000, interval: 50 }).toBe(LEAVERS)
  })

  /** Requests under way; those for metrics do not count. */
  async function openRequests(): Promise<number> {
    return (await test.call('GET', '/api/v1/performance/metrics')).body.metrics.concurrent_requests
  }

  async function interruptedReplies(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from chat_messages
      where role = 'assistant' and details->>'interrupted' = 'true'`.execute(test.db.executor)
    return rows[0]?.count ?? 0
  }

  it(`keeps ${STREAMS} concurrent streams apart, and two messages of one session in order`, async () => {
    model.clear()
    model.addRule((request) => {
      const mark = /parcel number (\d+)/.exec(JSON.stringify(request.body))?.[1]
      return mark === undefined
        ? undefined
        : { text: `Parcel number ${mark} may be returned within 14 days [1].`, tokenDelayMs: 2 }
    })
    const sessions = Array.from({ length: STREAMS }, (_, i) => i)
    const question = (i: number): object => ({
      message: `Until when may I return goods of parcel number ${i}?`,
      session_id: `load-${i}`,
    })
    await Promise.all(sessions.flatMap((i) => [ask(question(i)), ask(question(i))]).map(async (r) => (await r).text()))
    for (const i of sessions) {
      const { body } = await test.call('GET', `/api/v1/chat/sessions/load-${i}/messages`)
      expect(body.messages.map((m: { role: string }) => m.role)).toEqual(['user', 'assistant', 'user', 'assistant'])
      for (const m of [body.messages[1], body.messages[3]]) expect(m.content).toContain(`number ${i} `)
    }
  })
})
