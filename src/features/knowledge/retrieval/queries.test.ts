import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../../test/support/test-database.ts'
import { createBuiltInEmbedder } from '../../../ai/embedder/built-in.ts'
import type { Embedder } from '../../../ai/embedder/port.ts'
import { createAnalyser } from '../../../language/words/analyser.ts'
import { createKnowledge, type Knowledge } from '../service.ts'
import { createLexicalIndex, type LexicalIndex } from './lexical/lexical-index.ts'
import { ensureLexicalIndexes } from './lexical/queries.ts'
import { DEFAULT_RETRIEVAL_PARAMETERS } from './parameters.ts'
import { findNearest, readPassages } from './queries.ts'

const CHUNKS = 180
const DIMENSIONS = 8
const analyser = createAnalyser()

/** Stands for a model: a text's vector turns with the number in it, so that the nearest numbers are the nearest texts. */
const turning: Embedder = {
  id: 'turning',
  dimensions: DIMENSIONS,
  embed: async (texts) => texts.map((text) => vectorOf(Number(/\d+/.exec(text)?.[0] ?? 0))),
}

function vectorOf(number: number): Float32Array {
  const angle = (number / CHUNKS) * (Math.PI / 2)
  return Float32Array.from({ length: DIMENSIONS }, (_, i) =>
    i === 0 ? Math.cos(angle) : i === 1 ? Math.sin(angle) : 0,
  )
}

let database: TestDatabase
let knowledge: Knowledge
let main: LexicalIndex
beforeAll(async () => {
  database = await createTestDatabase()
  knowledge = await open(turning)
  const bytes = Buffer.from(rows(Array.from({ length: CHUNKS }, (_, i) => i)))
  await knowledge.ingest({ bytes, source: 'numbers.jsonl', register: false, metadata })
  main = createLexicalIndex(database.db, 'main', () => CHUNKS)
  await main.follow()
})
afterAll(async () => {
  await knowledge.close()
  await database.close()
})

const metadata = { knowledgeType: 'doc', productCategory: 'unknown', applicableVersion: 'latest', publishedAt: null }

function open(embedder: Embedder): Promise<Knowledge> {
  const parameters = () => DEFAULT_RETRIEVAL_PARAMETERS
  return createKnowledge({ db: database.db, analyser, embedders: [embedder], parameters, log: silentLog })
}

function rows(numbers: readonly number[]): string {
  const text = (number: number): string => `number ${number} is ${number % 3 === 0 ? 'threefold' : 'plain'}`
  return numbers.map((number) => JSON.stringify({ title: `Entry ${number}`, text: text(number) })).join('\n')
}

const findByWords = (terms: readonly string[], count = 50) => main.find(terms, count)

const nearest = (vector: Float32Array, count: number) =>
  findNearest(database.db.executor, { collection: 'main', vector, generation: 1, count })

async function contents(found: readonly { chunkId: number }[]): Promise<string[]> {
  const ids = found.map(({ chunkId }) => chunkId)
  const passages = await readPassages(database.db.executor, 'main', ids)
  return ids.map((id) => passages.get(id)?.content ?? '')
}

const descending = (scores: readonly number[]): boolean =>
  scores.every((score, i) => i === 0 || score <= scores[i - 1]!)

describe('lexical candidates', () => {
  it('hold the words, the rare one first, with scores that fall', async () => {
    const lexical = await findByWords(analyser.queryTerms('threefold 42'), 20)
    expect(lexical).toHaveLength(20)
    expect(descending(lexical.map(({ score }) => score))).toBe(true)
    expect(lexical.every(({ score }) => score > 0)).toBe(true)
    const [first, ...others] = await contents(lexical)
    expect(first).toContain('number 42 is threefold')
    expect(others.every((content) => content.includes('threefold'))).toBe(true)
  })

  it.each([["o'brien"], ['back\\slash'], ["'"], ['a:b'], ['!'], ['📦'], ['%'], ['']])(
    'take any term as a word and not as syntax: %s',
    async (term) => {
      expect((await findByWords([term, 'threefold'])).length).toBeGreaterThan(0)
    },
  )

  it('are none without a term, and none for words that nothing holds', async () => {
    expect(await findByWords([])).toEqual([])
    expect(await findByWords(['unheard'])).toEqual([])
  })

  it('are looked for in their own collection', async () => {
    const canary = createLexicalIndex(database.db, 'canary', () => 0)
    expect(await canary.find(['threefold'], 50)).toEqual([])
  })
})

describe('vector candidates', () => {
  it('are the nearest, with their cosine', async () => {
    const vector = await nearest(vectorOf(42), 5)
    expect((await contents(vector))[0]).toContain('number 42')
    expect(vector[0]?.score).toBeCloseTo(1, 5)
    expect(descending(vector.map(({ score }) => score))).toBe(true)
    const numbers = (await contents(vector)).map((content) => Number(/\d+/.exec(content)?.[0]))
    expect(numbers.toSorted((a, b) => a - b)).toEqual([40, 41, 42, 43, 44])
  })

  it('are as many as asked for, also where an index would stop at 40', async () => {
    expect(await nearest(vectorOf(0), 150)).toHaveLength(150)
  })
})

describe('passages', () => {
  it('are read whole; those that are gone or elsewhere are left out', async () => {
    const lexical = await findByWords(analyser.queryTerms('42'), 1)
    const chunkId = lexical[0]?.chunkId as number
    const passages = await readPassages(database.db.executor, 'main', [chunkId, 987_654_321])
    expect([...passages]).toEqual([
      [
        chunkId,
        expect.objectContaining({
          chunkId,
          version: 1,
          source: 'numbers.jsonl',
          headingPath: expect.any(Array),
          question: null,
          page: null,
          metadata: expect.any(Object),
        }),
      ],
    ])
    expect((await readPassages(database.db.executor, 'canary', [chunkId])).size).toBe(0)
    expect((await readPassages(database.db.executor, 'main', [])).size).toBe(0)
  })
})

describe('the indexes', () => {
  it('can be made by several replicas at once', async () => {
    await Promise.all([1, 2, 3].map(() => ensureLexicalIndexes(database.db)))
    expect(await findByWords(['threefold'])).toHaveLength(50)
  })

  it('of vectors are made for models alone: the built-in ones are compared in memory', async () => {
    const other = await createTestDatabase()
    const local = await createKnowledge({
      db: other.db,
      analyser,
      embedders: [createBuiltInEmbedder({ analyser })],
      parameters: () => DEFAULT_RETRIEVAL_PARAMETERS,
      log: silentLog,
    })
    await local.ingest({ bytes: Buffer.from(rows([1, 2, 3])), source: 'few.jsonl', register: false, metadata })
    const [hit] = await local.search({ query: 'number 2', topK: 1 })
    expect(hit?.content).toContain('number 2')
    expect(await hnswIndexes(other)).toBe(0)
    expect(await hnswIndexes(database)).toBe(3)
    await local.close()
    await other.close()
  })
})

/** Not from `pg_indexes`, which describes those of other tests too, while they drop them. */
async function hnswIndexes({ db }: TestDatabase): Promise<number> {
  const { rows: found } = await sql<{ count: number }>`select count(*) as count from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'i'
      and relam = (select oid from pg_am where amname = 'hnsw')`.execute(db.executor)
  return found[0]?.count ?? 0
}
