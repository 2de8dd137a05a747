import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../../../test/support/test-database.ts'
import { createBuiltInEmbedder } from '../../../../ai/embedder/built-in.ts'
import type { Embedder } from '../../../../ai/embedder/port.ts'
import { createAnalyser } from '../../../../language/words/analyser.ts'
import { createKnowledge, type Knowledge } from '../../service.ts'
import { DEFAULT_RETRIEVAL_PARAMETERS } from '../parameters.ts'

const analyser = createAnalyser()
const builtIn = createBuiltInEmbedder({ analyser })
/** Stands for a model, which knows of nothing but kettles. */
const model: Embedder = {
  id: 'kettles',
  dimensions: 2,
  embed: async (texts) => texts.map((text) => Float32Array.of(...(text.includes('kettle') ? [1, 0] : [0, 1]))),
}
const metadata = { knowledgeType: 'doc', productCategory: '', applicableVersion: '', publishedAt: null }

let database: TestDatabase
let opened: Knowledge | undefined
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await opened?.close()
  await database.close()
})

/** Ends what was open, as a restart with another setting does. */
async function restartWith(embedder: Embedder): Promise<Knowledge> {
  await opened?.close()
  const { db } = database
  const parameters = () => DEFAULT_RETRIEVAL_PARAMETERS
  opened = await createKnowledge({ db, analyser, embedders: [embedder], parameters, log: silentLog })
  await opened.settled()
  return opened
}

function add(knowledge: Knowledge, name: string, text: string) {
  return knowledge.ingest({ bytes: Buffer.from(text), source: `${name}.md`, register: false, metadata })
}

async function stored(): Promise<{ embedder: string; vectors: number }[]> {
  const { rows } = await sql<{ embedder: string; vectors: number }>`
    select embedder_id as embedder, count(e.chunk_id) as vectors
    from knowledge_embedding_generations g left join knowledge_embeddings e using (generation)
    where status = 'serving' group by generation order by generation`.execute(database.db.executor)
  return rows
}

const firstOf = async (knowledge: Knowledge, query: string) => (await knowledge.search({ query, topK: 1 }))[0]?.source

describe('the vectors of passages', () => {
  it('are stored of a model alone: the built-in ones are among the features', async () => {
    const knowledge = await restartWith(builtIn)
    await add(knowledge, 'kettle', '# Kettles\n\nA kettle boils water.')
    expect(await stored()).toEqual([{ embedder: builtIn.id, vectors: 0 }])
    expect(await firstOf(knowledge, 'how do I boil water')).toBe('kettle.md')
  })

  it('of a model are copied with the passages of a version that is tried', async () => {
    const knowledge = await restartWith(model)
    const bytes = Buffer.from('# Kettles\n\nA kettle boils water.')
    const { docId } = await knowledge.ingest({ bytes, source: 'kettle.md', register: true, metadata })
    await knowledge.canary.place(docId, 'v1')
    const { rows } = await sql<{ collection: string }>`select e.collection from knowledge_embeddings e
      join knowledge_chunks c using (chunk_id, collection) order by 1`.execute(database.db.executor)
    expect(rows.map(({ collection }) => collection)).toEqual(['canary', 'main'])
  })

  it('follow a switch from a model to the built-in ones and back, and passages that came meanwhile', async () => {
    const first = await restartWith(model)
    await add(first, 'kettle', '# Kettles\n\nA kettle boils water.')
    await add(first, 'lamp', '# Lamps\n\nA lamp gives light.')
    expect(await stored()).toEqual([{ embedder: 'kettles', vectors: 2 }])

    const second = await restartWith(builtIn)
    expect(await stored()).toEqual([{ embedder: builtIn.id, vectors: 0 }])
    await add(second, 'toaster', '# Toasters\n\nA toaster browns bread.')
    expect(await firstOf(second, 'brown bread')).toBe('toaster.md')
    expect(await firstOf(second, 'boil water')).toBe('kettle.md')

    const third = await restartWith(model)
    expect(await stored()).toEqual([{ embedder: 'kettles', vectors: 3 }])
    expect(await firstOf(third, 'brown bread')).toBe('toaster.md')
    const rest = await sql`select 1 from knowledge_embeddings e join knowledge_embedding_generations g
      using (generation) where g.status <> 'serving'`.execute(database.db.executor)
    expect(rest.rows).toEqual([])
  })
})
