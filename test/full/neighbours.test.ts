import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, newStorage, type Storage, startChild } from '../contract/support/child.ts'
import type { Behaviour } from '../support/scripted-model/script.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model/server.ts'
import { call, upload } from './support/client.ts'

const MANUAL = '# Returns\n\nGoods may be returned within 14 days of delivery. Opened goods are fine as well.\n'
const QUESTION = 'Within how many days may goods be returned?'

/** Ways of services on which this one leans to fail. */
const FAULTS: [string, Behaviour][] = [
  ['hangs before it answers', { headerDelayMs: 3_600_000 }],
  ['hangs in the middle', { text: 'Goods may be', fault: { kind: 'hang', afterTokens: 2 } }],
  ['cuts the connection', { fault: { kind: 'cut', afterTokens: -1 } }],
  ['cuts its answer', { text: 'Goods may be returned', fault: { kind: 'cut', afterTokens: 2 } }],
  ['answers with no JSON', { status: 200, body: '<html>It works!</html>', contentType: 'text/html' }],
  ['answers with other JSON', { status: 200, body: '{"data":[{"embedding":["x",null]}],"choices":{}}' }],
  ['answers without an end', { status: 200, body: `{"data":"${'x'.repeat(30_000_000)}` }],
  ['says that it is broken', { status: 500, body: 'secret-of-the-neighbour' }],
  ['asks for an hour of patience', { status: 429, retryAfterSeconds: 3_600 }],
]

let storage: Storage
let child: Child
let neighbours: { model: ScriptedModel; embedder: ScriptedModel; reranker: ScriptedModel }
let webhook: Server
const answersMs: number[] = []

beforeAll(async () => {
  storage = await newStorage()
  const [model, embedder, reranker] = await Promise.all([
    startScriptedModel(),
    startScriptedModel(),
    startScriptedModel(),
  ])
  neighbours = { model, embedder, reranker }
  // Takes connections and never says a word.
  webhook = createServer(() => {})
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
  const { port } = webhook.address() as { port: number }
  child = await startChild(storage, {
    LLM_MODEL: 'm',
    LLM_BASE_URL: model.url,
    EMBEDDING_MODEL: 'e',
    EMBEDDING_BASE_URL: embedder.url,
    RERANK_MODEL: 'r',
    RERANK_BASE_URL: reranker.url,
    ALERT_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
  })
  await upload(child.origin, 'returns.md', MANUAL)
  await call(child.origin, 'PUT', '/tuner/params', { cache_ttl_seconds: 0 })
})
afterAll(async () => {
  expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  webhook.close()
  await Promise.all(Object.values(neighbours).map((each) => each.close()))
  await storage.remove()
})

async function ask(): Promise<string> {
  const since = performance.now()
  // The call gives up after a minute: whatever hangs fails here.
  const { status, body } = await call(child.origin, 'POST', '/chat', { message: QUESTION })
  answersMs.push(Math.round(performance.now() - since))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.reply
}

describe.each(['model', 'embedder', 'reranker'] as const)('the %s', (name) => {
  it.each(FAULTS)('%s: customers are answered all the same', async (what, behaviour) => {
    neighbours[name].setDefault(behaviour)
    answersMs.length = 0
    const replies = await Promise.all([ask(), ask(), ask()])
    for (const reply of replies) expect(reply).toContain('14 days')
    const { status, body } = await upload(
      child.origin,
      `${what}.md`,
      `# ${what}\n\nA page of the time when it ${what}.`,
    )
    expect([200, 503], JSON.stringify(body)).toContain(status)
    expect((await call(child.origin, 'GET', '/health')).status).toBe(200)
    console.info(`${name} ${what}: answered within ${Math.max(...answersMs)} ms, upload ${status}`)
    neighbours[name].setDefault({ text: 'Goods may be returned within 14 days of delivery [1].' })
    await call(child.origin, 'POST', `/observability/circuit-breakers/${BREAKERS[name]}/reset`)
  })
})

const BREAKERS = { model: 'llm', embedder: 'embedding', reranker: 'rerank' }

it('none of it was an error of this service', () => {
  const answers = child
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"Request"'))
  expect(answers.filter((line) => line.includes('"status":500'))).toEqual([])
  expect(child.output()).not.toMatch(/"level":"fatal"/)
})
