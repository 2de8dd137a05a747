import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBuiltInEmbedder } from '../../src/ai/embedder/built-in.ts'
import { openReplyCache, type SharedCache, turnSettings } from '../../src/features/chat/index.ts'
import { createKnowledge, type Knowledge } from '../../src/features/knowledge/index.ts'
import { createTuner, type Tuner } from '../../src/features/tuning/index.ts'
import { createAnalyser } from '../../src/language/words/analyser.ts'
import { createLog } from '../../src/platform/log.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

interface Reply {
  reply: string
}

const QUESTIONS = ['How long may I return goods?', '怎么退货？']
const TEXTS = [
  'Goods may be returned within 14 days.',
  'Goods may be returned within 30 days, at no cost.',
  'Shipping costs five euros.',
  'Shipping is free. The warranty lasts two years.',
  '收到商品后七天内可以退货。',
]

const source = fc.constantFrom('returns.md', 'shipping.md', 'about.md')
const operation = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('ask' as const), question: fc.constantFrom(...QUESTIONS) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ingest' as const), source, text: fc.constantFrom(...TEXTS) }) },
  fc.record({ do: fc.constant('rollBack' as const), source, version: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('delete' as const), source }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tune' as const), rerankTopK: fc.integer({ min: 1, max: 2 }) }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

describe('the reply cache in front of the real knowledge base', () => {
  let database: TestDatabase
  let knowledge: Knowledge
  let tuner: Tuner
  let cache: SharedCache<Reply>
  let hits = 0

  beforeAll(async () => {
    database = await createTestDatabase()
    const { db } = database
    const log = createLog('silent')
    const analyser = createAnalyser()
    tuner = await createTuner({ db, log })
    const parameters = () => turnSettings(tuner.current().params).retrieval
    knowledge = await createKnowledge({
      db,
      analyser,
      embedders: [createBuiltInEmbedder({ analyser })],
      parameters,
      log,
    })
    cache = await openReplyCache<Reply>({
      db,
      clock: createManualClock(),
      analyser,
      tuner,
      assistant: { current: () => ({ version: 1 }), onChange() {} },
      knowledge,
      textOf: ({ reply }) => reply,
      count() {},
    })
  })
  afterAll(async () => {
    await cache.close()
    await knowledge.close()
    await tuner.close()
    await database.close()
  })

  /** Stands in for the assistant: every passage that is found, word by word. */
  async function compute(question: string): Promise<string> {
    const found = await knowledge.search({ query: question })
    return found.map(({ docId, version, content }) => `${docId} v${version}: ${content}`).join('\n')
  }

  async function ask(question: string): Promise<string> {
    const claim = await cache.claim({ text: question, scope: '' })
    if (claim.kind === 'hit') {
      hits += 1
      return claim.reply.reply
    }
    const reply = await compute(question)
    if (claim.kind === 'compute') claim.keep({ reply })
    return reply
  }

  async function docIdOf(name: string): Promise<string> {
    const { items } = await knowledge.list({ q: name, status: null, knowledgeType: null, limit: 1, offset: 0 })
    return items[0]?.docId ?? 'unknown'
  }

  async function perform(step: Operation): Promise<void> {
    switch (step.do) {
      case 'ask':
        return expect(await ask(step.question)).toBe(await compute(step.question))
      case 'ingest': {
        const metadata = { knowledgeType: 'faq', productCategory: 'x', applicableVersion: 'latest', publishedAt: null }
        const bytes = Buffer.from(`# ${step.source}\n\n${step.text}\n`)
        await knowledge.ingest({ bytes, source: step.source, register: true, metadata })
        return
      }
      case 'rollBack':
        return void (await knowledge.rollBack(await docIdOf(step.source), `v${step.version}`).catch(() => {}))
      case 'delete':
        return void (await knowledge.remove(await docIdOf(step.source)).catch(() => {}))
      case 'tune':
        return void (await tuner.update({ rerank_top_k: step.rerankTopK }))
    }
  }

  it('gives what a search gives now, over random sequences of ask, ingest, roll back, delete and tune', async () => {
    const property = fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const step of steps) await perform(step)
    })
    // Several passages for one question, so that their number shows.
    for (const [i, source] of (['returns.md', 'shipping.md'] as const).entries()) {
      await perform({ do: 'ingest', source, text: TEXTS[i] as string })
    }
    await fc.assert(property, { numRuns: 15 })
    for (let i = 0; i < 2; i++) await ask(QUESTIONS[0] as string)
    expect(hits).toBeGreaterThan(0)
  })
})
