import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../../test/support/test-database.ts'
import { createBuiltInEmbedder } from '../../../ai/embedder/built-in.ts'
import { createAnalyser } from '../../../language/words/analyser.ts'
import { hashTerm } from '../../../language/words/hash-term.ts'
import { documentIdOf } from '../ingest/identity.ts'
import { createKnowledge, type Knowledge } from '../service.ts'
import { createFeatureIndex, type FeatureIndex } from './feature-index.ts'
import { DEFAULT_RETRIEVAL_PARAMETERS } from './parameters.ts'
import { readFeaturePage } from './queries.ts'

const WORDS = ['apple', 'banana', 'cherry', 'dates', 'elder', 'figs', 'grape']
const analyser = createAnalyser()

let database: TestDatabase
let knowledge: Knowledge
beforeAll(async () => {
  database = await createTestDatabase()
  knowledge = await createKnowledge({
    db: database.db,
    analyser,
    embedders: [createBuiltInEmbedder({ analyser })],
    parameters: () => DEFAULT_RETRIEVAL_PARAMETERS,
    log: silentLog,
  })
})
afterAll(async () => {
  await knowledge.close()
  await database.close()
})

const metadata = {
  knowledgeType: 'doc',
  productCategory: 'unknown',
  applicableVersion: 'latest',
  publishedAt: null as Date | null,
}

async function upload(source: string, paragraphs: readonly string[], publishedAt: Date | null = null): Promise<void> {
  const text = paragraphs.map((paragraph, i) => `## Part ${i}\n\n${paragraph.repeat(30)}`).join('\n\n')
  const bytes = Buffer.from(text)
  await knowledge.ingest({ bytes, source, register: false, metadata: { ...metadata, publishedAt } })
}

async function storedIds(): Promise<number[]> {
  const rows = await readFeaturePage(database.db.executor, 'main', { after: 0, limit: 1_000 })
  return rows.map(({ chunkId }) => chunkId)
}

/** All that ranking can see of an index. */
async function contentOf(index: FeatureIndex, chunkIds: readonly number[]) {
  const { chunkCount, averageLength, documentFrequency } = index.statistics
  const frequencies = WORDS.map((word) => documentFrequency(hashTerm(analyser.words(word)[0] ?? '')))
  return { chunkCount, averageLength, frequencies, chunks: await index.lookUp(chunkIds) }
}

describe('a feature index', () => {
  it('is after every change what it would be if it were loaded anew', async () => {
    const followed = createFeatureIndex(database.db, 'main')
    await followed.load()
    for (let step = 0; step < 24; step++) {
      const source = `${step % 3}.md`
      if (step % 8 === 7) await knowledge.remove(documentIdOf(source))
      else
        await upload(
          source,
          WORDS.slice(step % 5, (step % 5) + 1 + (step % 3)).map((word) => `${word} `),
        )
      // A change is reported by the one who made it and by the database.
      await Promise.all([followed.refresh(documentIdOf(source)), followed.refresh(documentIdOf(source))])
      const fresh = createFeatureIndex(database.db, 'main')
      await fresh.load()
      const chunkIds = await storedIds()
      expect(chunkIds.length).toBe(fresh.statistics.chunkCount)
      expect(await contentOf(followed, chunkIds)).toEqual(await contentOf(fresh, chunkIds))
    }
  })

  it('follows a new date of publication of the same content', async () => {
    await upload('dated.md', ['apple '], new Date('2024-01-01T00:00:00Z'))
    const index = createFeatureIndex(database.db, 'main')
    await index.load()
    await upload('dated.md', ['apple '], new Date('2025-01-01T00:00:00Z'))
    await index.refresh(documentIdOf('dated.md'))
    const chunkId = (await storedIds()).at(-1) as number
    expect((await index.lookUp([chunkId])).get(chunkId)?.publishedAt).toEqual(new Date('2025-01-01T00:00:00Z'))
  })

  it('reads what was published a moment ago from the database, and knows nothing of what is gone', async () => {
    const index = createFeatureIndex(database.db, 'main')
    await upload('late.md', ['banana '])
    const chunkId = (await storedIds()).at(-1) as number
    const found = await index.lookUp([chunkId, 987_654_321])
    expect([...found.keys()]).toEqual([chunkId])
  })

  it('serves what it has while everything is read anew', async () => {
    const index = createFeatureIndex(database.db, 'main')
    await index.load()
    const before = index.statistics.chunkCount
    const loading = index.load()
    expect(index.statistics.chunkCount).toBe(before)
    await loading
    expect(index.statistics.chunkCount).toBe(before)
    expect(before).toBeGreaterThan(0)
  })
})

describe('a feature index of more chunks than it may hold', () => {
  const RESIDENT = 200
  let large: TestDatabase
  let uploads: Knowledge
  let index: FeatureIndex
  beforeAll(async () => {
    large = await createTestDatabase()
    uploads = await createKnowledge({
      db: large.db,
      analyser,
      embedders: [createBuiltInEmbedder({ analyser })],
      parameters: () => DEFAULT_RETRIEVAL_PARAMETERS,
      residentPassages: RESIDENT,
      log: silentLog,
    })
    for (let i = 0; i < 40; i++) await ingestRows(i)
    index = createFeatureIndex(large.db, 'main', RESIDENT)
    await index.load()
  })
  afterAll(async () => {
    await uploads.close()
    await large.close()
  })

  async function ingestRows(number: number): Promise<void> {
    const row = (i: number) =>
      JSON.stringify({ title: `Entry ${number}-${i}`, text: `device unit${number * 20 + i} lamp` })
    const bytes = Buffer.from(Array.from({ length: 20 }, (_, i) => row(i)).join('\n'))
    await uploads.ingest({ bytes, source: `${number}.jsonl`, register: false, metadata })
  }

  it('holds a part, and knows about how many there are', () => {
    expect(index.isWhole()).toBe(false)
    expect(index.statistics.chunkCount).toBeLessThanOrEqual(RESIDENT)
    expect(index.size()).toBeGreaterThan(200)
    expect(index.size()).toBeLessThan(3_200)
  })

  it('holds the same part in every replica, whether it followed or was loaded', async () => {
    const other = createFeatureIndex(large.db, 'main', RESIDENT)
    await other.load()
    await ingestRows(40)
    await other.refresh(documentIdOf('40.jsonl'))
    await index.load()
    expect(other.statistics.chunkCount).toBe(index.statistics.chunkCount)
    expect([...other.commonMeaning()]).toEqual([...index.commonMeaning()].map((value) => expect.closeTo(value, 5)))
  })

  it('reads the features that it does not hold, with the number of passages of their document', async () => {
    const ids = await index.chunksOf(documentIdOf('7.jsonl'))
    expect(ids).toHaveLength(20)
    const found = await index.lookUp(ids)
    expect([...found.values()].map(({ passages }) => passages)).toEqual(Array.from({ length: 20 }, () => 20))
  })

  it('asks the database for words that it has not counted', async () => {
    const words = Array.from({ length: 100 }, (_, i) => `unit${i * 8}`)
    const rare = await index.rareWords([...words, 'unheard', "it's", 'device'])
    expect(rare.length).toBeGreaterThan(20)
    expect(words).toEqual(expect.arrayContaining(rare))
  })

  it('is searched as well as one that holds all', async () => {
    for (const number of [250, 444, 799]) {
      const [first] = await uploads.search({ query: `lamp of device unit${number}`, topK: 3 })
      expect(first?.content).toContain(`unit${number} `)
    }
  })

  it('becomes whole again when the base shrinks', async () => {
    for (let i = 8; i <= 40; i++) await uploads.remove(documentIdOf(`${i}.jsonl`))
    const fresh = createFeatureIndex(large.db, 'main', RESIDENT)
    await fresh.load()
    expect(fresh.isWhole()).toBe(true)
    expect(fresh.size()).toBe(160)
  })
})
