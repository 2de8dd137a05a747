import { afterEach, describe, expect, it } from 'vitest'
import { type Child, newStorage, type Storage, startChild } from '../contract/support/child.ts'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model/server.ts'
import { call } from './support/client.ts'
import { findLosses, startLoad } from './support/load.ts'

const children: Child[] = []
let storage: Storage | undefined
let model: ScriptedModel | undefined
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop('SIGKILL')))
  await storage?.remove()
  await model?.close()
})

describe('SIGTERM under load', () => {
  it('finishes what is acknowledged, ends every stream with an event, and exits in time', async () => {
    storage = await newStorage()
    model = await startScriptedModel()
    model.setDefault({ text: 'Word after word, and no end of them at all.', tokenDelayMs: 2_000 })
    const child = await startChild(storage, { LLM_MODEL: 'm', LLM_BASE_URL: model.url })
    children.push(child)
    await call(child.origin, 'POST', '/chat', { message: 'hello', session_id: 'open' })
    const paths = ['/api/v1/agent/events', '/api/v1/chat/sessions/open/events']
    const streams = await Promise.all(paths.map((path) => openEventStream(child.origin, path)))
    const reply = slowReply(child.origin)
    const load = startLoad(child.origin, 'end', 6)
    await expect.poll(load.answered, { timeout: 120_000 }).toBeGreaterThan(20)

    const since = performance.now()
    const exit = await child.stop('SIGTERM')
    console.info(`Exited after ${Math.round(performance.now() - since)} ms: ${JSON.stringify(load.statuses)}`)
    await load.stop()
    expect(exit).toEqual({ code: 0, signal: null })
    expect(performance.now() - since).toBeLessThan(10_000)
    for (const { inbox } of streams) expect(lastEvent(inbox)).toBe('closing')
    expect(await reply).toMatch(/event: (?:error|done)\ndata: .*\n\n$/)
    expect(load.faults).toEqual([])

    const next = await startChild(storage)
    children.push(next)
    expect(await findLosses(next.origin, load)).toEqual([])
  })
})

const lastEvent = (inbox: EventStream['inbox']): string | undefined => inbox.all.at(-1)?.event

/** A reply that takes longer than a shutdown does. */
async function slowReply(origin: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/chat/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'What do you know of returns and refunds?' }),
  })
  return response.text()
}
