// Runs under `recorder.ts` until it is done: work of every kind on the embedded database of DATA_DIR, with what it begins
// and what is acknowledged noted in the journal. WORK_SEED and WORK_COUNT say which and how much.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createApp } from '../../../src/app.ts'
import { createLog } from '../../../src/platform/log.ts'
import { openDatabase } from '../../../src/platform/postgres/index.ts'
import { between, pick, randomFrom } from '../../contract/support/random.ts'
import { encodeForm, testConfig } from '../test-app.ts'
import { note } from './recorder.ts'

const WORKERS = 3
const config = testConfig(process.env as Record<string, string>)
const random = randomFrom(Number(process.env.WORK_SEED))
const log = createLog('silent')
const db = await openDatabase({ dataDir: config.DATA_DIR, sync: config.EMBEDDED_SYNC, log })
const app = await createApp(config, db, log)
await app.ready()
const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(db.executor)
await run('create table ledger_rows (id integer primary key, payload text not null)')

let number = 0
const busy = new Set<string>()
const turns = new Map<string, number>()
const documents = new Set<string>()
const rows = new Set<number>()
const tables = new Set<string>()

async function post(url: string, payload: object | Buffer, headers: Record<string, string> = {}): Promise<void> {
  const response = await app.inject({ method: 'POST', url: `/api/v1${url}`, payload, headers })
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${response.body}`)
}

interface Work {
  /** A name in the ledger, and what it stands for afterwards; null: nothing that anybody waits for. */
  name: string
  value: string | null
  perform(): Promise<unknown>
}

function turn(): Work {
  const session = `session-${between(random, 1, 6)}`
  const count = (turns.get(session) ?? 0) + 1
  const message = pick(random, ['Where is my order?', 'How do I return shoes?', 'Hello', 'Do you ship to Norway?'])
  return {
    name: `turns ${session}`,
    value: String(count),
    async perform() {
      turns.set(session, count)
      await post('/chat', { session_id: session, message })
    },
  }
}

function upload(): Work {
  const source = `page-${between(random, 1, 8)}.md`
  const mark = `mark${++number}x`
  const parts = Array.from(
    { length: between(random, 1, 40) },
    (_, part) => `## Part ${part}\n\n${mark} of part${part}.`,
  )
  const { body, contentType } = encodeForm(parts.join('\n\n'), source, { register: 'true' })
  return {
    name: `document ${source}`,
    value: mark,
    async perform() {
      await post('/knowledge/ingest', body, { 'content-type': contentType })
      documents.add(source)
    },
  }
}

function deletion(): Work {
  const source = pick(random, [...documents])
  return {
    name: `document ${source}`,
    value: '',
    async perform() {
      const { rows: found } = await sql<{ id: string }>`
        select doc_id as id from knowledge_documents where source = ${source}`.execute(db.executor)
      const url = `/api/v1/knowledge/documents/${found[0]?.id}`
      const response = await app.inject({ method: 'DELETE', url })
      if (response.statusCode !== 200) throw new Error(response.body)
    },
  }
}

function row(): Work {
  const id = between(random, 1, 400)
  const payload = `${++number}:${'abcdefgh'.repeat(between(random, 1, 900))}`
  rows.add(id)
  return {
    name: `row ${id}`,
    value: payload.slice(0, payload.indexOf(':')),
    perform: () =>
      sql`insert into ledger_rows values (${id}, ${payload})
      on conflict (id) do update set payload = excluded.payload`.execute(db.executor),
  }
}

function removal(): Work {
  const id = pick(random, [...rows])
  return { name: `row ${id}`, value: '', perform: () => run(`delete from ledger_rows where id = ${id}`) }
}

/** A table made whole in one transaction, with an index, large enough to be written past the database's buffers. */
function table(): Work {
  const name = `made_${++number}`
  const count = between(random, 1, 20_000)
  return {
    name: `table ${name}`,
    value: String(count),
    async perform() {
      await db.transaction(async (trx) => {
        const work = sql.raw(
          `create table ${name} as select i, repeat(md5(i::text), 4) as x from generate_series(1, ${count}) i`,
        )
        await work.execute(trx)
        await sql.raw(`create index ${name}_index on ${name} (x)`).execute(trx)
      })
      tables.add(name)
    },
  }
}

function drop(): Work {
  const name = pick(random, [...tables])
  tables.delete(name)
  return { name: `table ${name}`, value: '', perform: () => run(`drop table ${name}`) }
}

function shrink(): Work {
  const name = pick(random, [...tables])
  return {
    name: `table ${name}`,
    value: '0',
    async perform() {
      // A vacuum cuts the file off behind the last row.
      if (random() < 0.5) return run(`truncate ${name}`)
      await run(`delete from ${name}`)
      await run(`vacuum ${name}`)
    },
  }
}

const care = (statement: string) => (): Work => ({ name: statement, value: null, perform: () => run(statement) })

/** How often each comes up. */
const KINDS: [share: number, make: () => Work, isPossible: () => boolean][] = [
  [30, turn, () => true],
  [22, row, () => true],
  [8, removal, () => rows.size > 0],
  [14, upload, () => true],
  [4, deletion, () => documents.size > 0],
  [5, table, () => true],
  [3, drop, () => tables.size > 0],
  [4, shrink, () => tables.size > 0],
  [4, care('checkpoint'), () => true],
  [4, care('vacuum (analyze)'), () => true],
]

const CHOICES = KINDS.flatMap((kind) => Array.from({ length: kind[0] }, () => kind))

function next(): Work {
  const [, make, isPossible] = pick(random, CHOICES)
  const work = isPossible() ? make() : row()
  return busy.has(work.name) ? row() : work
}

async function perform(work: Work): Promise<void> {
  const id = String(++number)
  busy.add(work.name)
  if (work.value !== null) note({ kind: 'began', path: work.name, value: work.value, id })
  await work.perform()
  if (work.value !== null) note({ kind: 'acknowledged', path: work.name, id })
  busy.delete(work.name)
}

let left = Number(process.env.WORK_COUNT)
await Promise.all(
  Array.from({ length: WORKERS }, async () => {
    while (left-- > 0) {
      const work = next()
      if (busy.has(work.name)) await sleep(5)
      else await perform(work)
      if (random() < 0.1) await sleep(between(random, 0, 120))
    }
  }),
)
// The last second is not proven by what is cut off during it.
await sleep(1_500)
process.exit(0)
