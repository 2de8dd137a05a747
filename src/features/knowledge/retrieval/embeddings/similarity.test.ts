import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../../../test/support/test-database.ts'
import type { Embedder } from '../../../../ai/embedder/port.ts'
import { createAnalyser } from '../../../../language/words/analyser.ts'
import { createKnowledge, type Knowledge } from '../../service.ts'
import { DEFAULT_RETRIEVAL_PARAMETERS } from '../parameters.ts'

const TOPICS = ['otter', 'kettle', 'violin', 'glacier', 'invoice', 'pepper', 'harbour', 'quilt', 'comet', 'saddle']
const MORE = ['tulip', 'anvil', 'lantern', 'walnut', 'ferry', 'cactus', 'marble', 'beacon', 'thimble', 'orchid']
const WORDS = [...TOPICS, ...MORE]
/** The likeness of any two texts; what a text means adds to it. */
const COINCIDENCE = 0.8

/** A model that finds everything alike and what has the same topic a little more so. `SEA DOG` means an otter. */
const embedder: Embedder = {
  id: 'stub',
  dimensions: WORDS.length + 2,
  embed: async (texts) =>
    texts.map((text) => {
      const topic = /sea dog/i.test(text) ? 0 : WORDS.findIndex((word) => text.includes(word))
      const vector = new Float32Array(WORDS.length + 2)
      vector[0] = Math.sqrt(COINCIDENCE)
      vector[topic + 2] = Math.sqrt(1 - COINCIDENCE)
      return vector
    }),
}

describe('a model’s vectors in a search', () => {
  let database: TestDatabase
  let knowledge: Knowledge
  beforeAll(async () => {
    database = await createTestDatabase()
    knowledge = await createKnowledge({
      db: database.db,
      analyser: createAnalyser(),
      embedders: [embedder],
      parameters: () => ({ ...DEFAULT_RETRIEVAL_PARAMETERS, minScore: 0 }),
      log: silentLog,
    })
    const metadata = {
      knowledgeType: 'doc',
      productCategory: 'unknown',
      applicableVersion: 'latest',
      publishedAt: null,
    }
    for (const word of WORDS) {
      const bytes = Buffer.from(`# About it\n\nThe ${word} rests quietly on top of everything else.`)
      await knowledge.ingest({ bytes, source: `${word}.md`, register: false, metadata })
    }
  })
  afterAll(async () => {
    await knowledge.close()
    await database.close()
  })

  it('find what no word of the question stands in', async () => {
    const [best, second] = await knowledge.search({ query: 'Where do SEA DOGS sleep?' })
    expect(best?.source).toBe('otter.md')
    expect(best!.score).toBeGreaterThan(3 * second!.score)
  })

  it('count for nothing where they are as alike as unrelated passages are', async () => {
    // Under the guess that stands in before there is something to measure, 0.8 would be three deviations up.
    const [best] = await knowledge.search({ query: 'Who won yesterday?' })
    expect(best!.score).toBeLessThan(0.1)
  })
})
