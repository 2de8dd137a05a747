import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../../test/support/test-database.ts'
import { createBuiltInEmbedder } from '../../../ai/embedder/built-in.ts'
import { createAnalyser } from '../../../language/words/analyser.ts'
import { createKnowledge } from '../service.ts'
import { type Changes, createFeatureIndex, type FeatureIndex } from './feature-index.ts'
import { createFollower } from './follow-changes.ts'
import { DEFAULT_RETRIEVAL_PARAMETERS } from './parameters.ts'

let database: TestDatabase
let docId: string
beforeAll(async () => {
  database = await createTestDatabase()
  const analyser = createAnalyser()
  const parameters = () => DEFAULT_RETRIEVAL_PARAMETERS
  const embedders = [createBuiltInEmbedder({ analyser })] as const
  const knowledge = await createKnowledge({ db: database.db, analyser, embedders, parameters, log: silentLog })
  const metadata = { knowledgeType: 'doc', productCategory: '', applicableVersion: '', publishedAt: null }
  const bytes = Buffer.from('# Kettles\n\nA kettle boils water.')
  docId = (await knowledge.ingest({ bytes, source: 'kettle.md', register: false, metadata })).docId
  await knowledge.close()
})
afterAll(() => database.close())

/** A follower, and what it tells the index of customers' passages. */
function follower() {
  const told: { docId: string; changes: Changes | undefined }[] = []
  const { db } = database
  const listening = (collection: 'main' | 'staff' | 'canary'): FeatureIndex => ({
    ...createFeatureIndex(db, collection),
    refresh: async (changed, changes) => {
      if (collection === 'main') told.push({ docId: changed, changes })
    },
  })
  const indexes = { main: listening('main'), staff: listening('staff'), canary: listening('canary') }
  return { told, ...createFollower(db.executor, indexes) }
}

describe('changes of documents', () => {
  it('that are reported together are read once each, and told with where their passages are', async () => {
    const { refresh, told } = follower()
    await Promise.all([refresh(docId), refresh('doc_unknown'), refresh(docId)])
    expect(told.map((each) => [each.docId, each.changes?.chunks.map(({ chunkIds }) => chunkIds.length)])).toEqual([
      [docId, [1]],
      ['doc_unknown', []],
    ])
  })

  it('are awaited by the one who makes them, and wait for its end', async () => {
    const { changing, isChanging } = follower()
    const { promise, resolve } = Promise.withResolvers<string>()
    let takenOver = 0
    const changed = changing('doc', promise, async () => void takenOver++)
    expect([isChanging('doc'), takenOver]).toEqual([true, 0])
    resolve('done')
    expect(await changed).toBe('done')
    expect([isChanging('doc'), takenOver]).toEqual([false, 1])
  })

  it('of others are taken over also when one that is made here fails', async () => {
    const { changing, isChanging } = follower()
    let takenOver = 0
    const failing = changing('doc', Promise.reject(new Error('no')), async () => void takenOver++)
    await expect(failing).rejects.toThrow('no')
    expect([isChanging('doc'), takenOver]).toEqual([false, 1])
  })
})
