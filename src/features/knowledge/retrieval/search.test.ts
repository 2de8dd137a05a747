import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../../test/support/test-database.ts'
import { createBuiltInEmbedder } from '../../../ai/embedder/built-in.ts'
import type { Reranker } from '../../../ai/reranker/port.ts'
import { createAnalyser } from '../../../language/words/analyser.ts'
import { createKnowledge, type Knowledge } from '../service.ts'
import type { SearchStage } from '../types.ts'
import { DEFAULT_RETRIEVAL_PARAMETERS } from './parameters.ts'

const reranker: Reranker = { id: 'stub', rerank: async (_query, texts) => texts.map((_, i) => 1 / (i + 2)) }

let database: TestDatabase
let knowledge: Knowledge
beforeAll(async () => {
  const analyser = createAnalyser()
  database = await createTestDatabase()
  knowledge = await createKnowledge({
    db: database.db,
    analyser,
    embedders: [createBuiltInEmbedder({ analyser })],
    reranker,
    parameters: () => DEFAULT_RETRIEVAL_PARAMETERS,
    log: silentLog,
  })
  const metadata = { knowledgeType: 'doc', productCategory: '', applicableVersion: '', publishedAt: null }
  const bytes = Buffer.from('## Return a kettle\n\nKettles go back within 14 days.\n\n## Clean a kettle\n\nBy vinegar.')
  await knowledge.ingest({ bytes, source: 'kettle.md', register: false, metadata })
})
afterAll(async () => {
  await knowledge.close()
  await database.close()
})

async function stagesOf(isRough: boolean) {
  const stages: SearchStage[] = []
  const startedAt = performance.now()
  const hits = await knowledge.search({ query: 'kettle', isRough, onStage: (stage) => stages.push(stage) })
  return { hits, stages, tookMs: performance.now() - startedAt }
}

describe('the stages of a search', () => {
  it('are told with counts, scores and times that add up', async () => {
    const { hits, stages, tookMs } = await stagesOf(false)
    const [candidates, ranking, rerank] = stages
    expect(candidates).toMatchObject({ name: 'candidates', lexical: 2 })
    expect(ranking).toMatchObject({ name: 'ranking', judged: 2, topScores: [expect.any(Number), expect.any(Number)] })
    expect(rerank).toMatchObject({ name: 'rerank', judged: 2, topScores: hits.map(({ score }) => score) })
    expect(stages).toHaveLength(3)
    const summed = stages.reduce((sum, { durationMs }) => sum + durationMs, 0)
    expect(summed).toBeGreaterThan(0)
    expect(summed).toBeLessThanOrEqual(tookMs)
  })

  it('end with the ranking where nothing is reranked', async () => {
    const { hits, stages } = await stagesOf(true)
    expect(stages.map(({ name }) => name)).toEqual(['candidates', 'ranking'])
    expect(stages[1]).toMatchObject({ topScores: hits.map(({ score }) => score) })
  })
})
