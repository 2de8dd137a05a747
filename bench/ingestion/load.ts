// Loads synthetic documents by the program of a checkout and prints what it took. A process of its own for each checkout:
// npm run bench:ingestion starts it with the checkout, a database's place, a language, numbers of documents and loads at once,
// and whether vectors are made.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { secondsOf, serverOf } from '../process-time.ts'
import { createText, type TextLanguage } from '../scale/text.ts'

const [checkout = '', place = '', language = 'en', documents = '0', atOnce = '1', vectors = 'on'] =
  process.argv.slice(2)
const SECTIONS = 40
const TOLD_MS = 500
const METADATA = { knowledgeType: 'doc', productCategory: 'unknown', applicableVersion: 'latest', publishedAt: null }

// How a checkout composes its knowledge base is its own affair: its bench knows.
const { openDatabase } = await import(join(checkout, 'src/platform/postgres/index.ts'))
const { knowledgeOver } = await import(join(checkout, 'bench/scale/knowledge.ts'))
const log = { info: () => {}, warn: console.error, fatal: console.error }
const db = await openDatabase({ ...(place.includes('://') ? { databaseUrl: place } : { dataDir: place }), log })
const knowledge = await knowledgeOver(db)
if (vectors === 'off') await leaveVectorsOut()

// What is opened and compiled once is no part of what a passage costs, and neither is making up its text.
const WARM_UP = 50
const text = createText(language as TextLanguage)
const files = Array.from({ length: WARM_UP + Number(documents) }, (_, number) => {
  return { source: `${number}.md`, bytes: Buffer.from(text.document(number, SECTIONS).markdown) }
})
const ingest = (file: (typeof files)[number]) => knowledge.ingest({ ...file, register: false, metadata: METADATA })
for (const file of files.slice(0, WARM_UP)) await ingest(file)

const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db.executor)
const server = db.kind === 'server' ? serverOf(rows[0]!.pid) : null
const serverSeconds = (): number => (server === null ? 0 : secondsOf(server))

const startedAt = performance.now()
const before = { own: secondsOf(process.pid), server: serverSeconds() }
await pLimit(Number(atOnce)).map(files.slice(WARM_UP), ingest)
// What a checkout puts off until somebody searches counts as well.
await knowledge.search({ query: text.document(WARM_UP, 1).sections[0]!.heading, topK: 5 })
const passages = Number(documents) * SECTIONS
const seconds = (performance.now() - startedAt) / 1_000
const perPassage = (from: number, to: number): number => ((to - from) * 1_000) / passages
console.log(
  JSON.stringify({
    perSecond: passages / seconds,
    ownMs: perPassage(before.own, secondsOf(process.pid)),
    serverMs: perPassage(before.server, serverSeconds()),
  }),
)
if (vectors === 'off') await expectNoVectors()
await knowledge.close()
await db.close()
process.exit(0)

/** Neither checkout has a setting for it: whatever makes vectors for new passages is left with nothing to do. */
async function leaveVectorsOut(): Promise<void> {
  // Built-in vectors: a file in which no word has one.
  const store = await import(join(checkout, 'src/ai/embedder/vectors/store.ts')).catch(() => null)
  if (store) Object.assign(store.openVectors(), { keys: new Uint32Array() })
  // Those that are stored as rows: no generation of them, of which the knowledge base is told as by another replica.
  await sql`delete from knowledge_embedding_generations`.execute(db.executor)
  await sql`select pg_notify(${db.channelName('knowledge')}, '')`.execute(db.executor)
  await sleep(TOLD_MS)
}

async function expectNoVectors(): Promise<void> {
  const { rows } = await sql<{ made: number }>`select count(*) as made from knowledge_embeddings`.execute(db.executor)
  if (rows[0]!.made > 0) throw new Error('Vectors were made although they were to be left out')
}
