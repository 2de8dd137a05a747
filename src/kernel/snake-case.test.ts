import { expect, it } from 'vitest'
import { toSnakeCase } from './snake-case.ts'

it('names fields at every depth as the contract does, and leaves values alone', () => {
  const made = toSnakeCase({ docId: 'aB', hits: [{ overlapAtK: 1, topScore: null }], at: new Date(0), left: undefined })
  expect(made).toEqual({ doc_id: 'aB', hits: [{ overlap_at_k: 1, top_score: null }], at: '1970-01-01T00:00:00.000Z' })
})

it('gives the fields their names in the types as well', () => {
  const { chunk_count: count }: { chunk_count: number } = toSnakeCase({ chunkCount: 2 })
  expect(count).toBe(2)
})
