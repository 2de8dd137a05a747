// Loads synthetic documents by the program of a checkout and prints what it took. A process of its own for each checkout:
// npm run bench:ingestion starts it with the checkout, a database's place, a language, and numbers of documents and loads at once.
import { join } from 'node:path'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { secondsOf, serverOf } from '../process-time.ts'
import { createText, type TextLanguage } from '../scale/text.ts'

const [checkout = '', place = '', language = 'en', documents = '0', atOnce = '1'] = process.argv.slice(2)
const SECTIONS = 40
const METADATA = { knowledgeType: 'doc', productCategory: 'unknown', applicableVersion: 'latest', publishedAt: null }

// How a checkout composes its knowledge base is its own affair: its bench knows.
const { openDatabase } = await import(join(checkout, 'src/platform/postgres/index.ts'))
const { knowledgeOver } = await import(join(checkout, 'bench/scale/knowledge.ts'))
const log = { info: () => {}, warn: console.error, fatal: console.error }
const db = await openDatabase({ ...(place.includes('://') ? { databaseUrl: place } : { dataDir: place }), log })
const knowledge = await knowledgeOver(db)

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
await knowledge.close()
await db.close()
process.exit(0)
