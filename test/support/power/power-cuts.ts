import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { amcheck } from '@electric-sql/pglite/contrib/amcheck'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch'
import { vector } from '@electric-sql/pglite-pgvector'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Database, type OpenOptions, openDatabase } from '../../../src/platform/postgres/index.ts'
import { between, pick, randomFrom } from '../../contract/support/random.ts'
import { copyOfTemplate, silentLog } from '../test-database.ts'
import { type Cut, createDisk } from './disk.ts'
import { type Recorded, readJournal } from './journal.ts'

export type Sync = NonNullable<OpenOptions['sync']>

export interface PowerReport {
  cuts: number
  /** Pieces of work that were acknowledged before a cut, over all cuts, and how many of them the cut took. */
  acknowledged: number
  taken: number
  /** Databases that do not open or that do not agree with themselves; where something is brought to the disk, a failure. */
  broken: number
  /** The longest time for which something had been acknowledged that a cut took. */
  oldestTakenMs: number
}

/**
 * Records work of every kind once and cuts the power at `cuts` moments of it. After each cut the database is opened on
 * what a disk may hold then: it opens, every table and index agree, and of what was acknowledged nothing is missing
 * (`commit`), or nothing that was acknowledged more than a second before (`second`).
 */
export async function cutPower(sync: Sync, cuts: number, count: number, seed: number): Promise<PowerReport> {
  const folder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), 'power-'))
  try {
    const before = await copyOfTemplate()
    const dataDir = join(folder, 'data')
    cpSync(before, dataDir, { recursive: true })
    const journal = join(folder, 'journal')
    await recordWork(
      { DATA_DIR: dataDir, EMBEDDED_SYNC: sync, WORK_SEED: String(seed), WORK_COUNT: String(count) },
      journal,
    )
    const report = await checkCuts(readJournal(journal), join(before, 'postgres'), { folder, sync, cuts, seed })
    rmSync(before, { recursive: true, force: true })
    return report
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function recordWork(settings: Record<string, string>, journal: string): Promise<void> {
  const recorder = new URL('./recorder.ts', import.meta.url).href
  const child = startWork(settings, {
    NODE_OPTIONS: `--import=${recorder}`,
    RECORDED_FOLDER: join(settings.DATA_DIR as string, 'postgres'),
    JOURNAL: journal,
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`The work ended with ${code}`)
}

/** Starts `workload.ts`; `recording` says where its journal goes, and what beside its own notes goes there. */
export function startWork(settings: Record<string, string>, recording: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [new URL('./workload.ts', import.meta.url).pathname], {
    env: { PATH: process.env.PATH, ...recording, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

interface Cutting {
  folder: string
  sync: Sync
  cuts: number
  seed: number
}

async function checkCuts(entries: Recorded[], initial: string, cutting: Cutting): Promise<PowerReport> {
  const random = randomFrom(cutting.seed)
  const report: PowerReport = { cuts: 0, acknowledged: 0, taken: 0, broken: 0, oldestTakenMs: 0 }
  const moments = Array.from({ length: cutting.cuts }, () => between(random, 1, entries.length)).sort((a, b) => a - b)
  const disk = createDisk(initial)
  let done = 0
  for (const moment of moments) {
    for (; done < moment; done++) disk.take(entries[done] as Recorded, done)
    const dataDir = join(cutting.folder, `cut-${report.cuts++}`)
    mkdirSync(join(dataDir, 'postgres'), { recursive: true })
    const cut = pick<Cut>(random, ['nothing', 'everything', 'some', 'some', 'pieces', 'pieces'])
    disk.writeTo(join(dataDir, 'postgres'), random, cut)
    const context = `TEST_SEED=${cutting.seed}, ${cutting.sync}, cut ${report.cuts} at entry ${moment} of ${entries.length}, ${cut}`
    try {
      await checkAfterCut(dataDir, entries.slice(0, moment), cutting.sync, report)
    } catch (error) {
      if (cutting.sync === 'off') report.broken++
      else throw new Error(`${context}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
  return report
}

/** Opens what a disk holds after a cut; throws where it is broken, or lacks what it must hold by the entries before the cut. */
export async function checkAfterCut(
  dataDir: string,
  entries: Recorded[],
  sync: Sync,
  report: PowerReport,
  cutMs: number = entries.at(-1)?.atMs ?? 0,
): Promise<void> {
  const db = await openDatabase({ dataDir, sync: 'off', log: silentLog })
  await checkLedger(db, { entries, cutMs, sync }, report).finally(() => db.close())
  await checkIntegrity(join(dataDir, 'postgres'))
}

/** How long something may have been acknowledged and be lost. */
const ALLOWED_MS: Record<Sync, number> = { commit: 0, second: 1_000, off: Number.POSITIVE_INFINITY }

interface Step {
  value: string
  acknowledgedMs: number | null
}

interface Expected {
  entries: Recorded[]
  cutMs: number
  sync: Sync
}

async function checkLedger(db: Database, { entries, cutMs, sync }: Expected, report: PowerReport): Promise<void> {
  const ledger = new Map<string, Map<string, Step>>()
  for (const { kind, path, id = '', value = '', atMs } of entries) {
    if (kind === 'began') ledger.set(path, (ledger.get(path) ?? new Map()).set(id, { value, acknowledgedMs: null }))
    const step = kind === 'acknowledged' ? ledger.get(path)?.get(id) : undefined
    if (step) step.acknowledgedMs = atMs
  }
  const actual = await readLedger(db)
  for (const [name, byId] of ledger) {
    const steps: Step[] = [
      { value: EMPTY[name.split(' ')[0] as string] as string, acknowledgedMs: 0 },
      ...byId.values(),
    ]
    const found = steps.findLastIndex(({ value }) => value === (actual.get(name) ?? steps[0]?.value))
    expect(
      found,
      `${name} is ${actual.get(name)}, which it never was: ${JSON.stringify(steps)}`,
    ).toBeGreaterThanOrEqual(0)
    report.acknowledged += steps.filter(({ acknowledgedMs }) => acknowledgedMs).length
    const taken = steps.slice(found + 1).filter(({ acknowledgedMs }) => acknowledgedMs !== null)
    report.taken += taken.length
    for (const { acknowledgedMs, value } of taken) {
      const ageMs = cutMs - (acknowledgedMs as number)
      report.oldestTakenMs = Math.max(report.oldestTakenMs, ageMs)
      const message = `${name}: ${value} was acknowledged ${Math.round(ageMs)} ms before and is ${actual.get(name)} now`
      expect(sync === 'commit' || ageMs > ALLOWED_MS[sync], message).toBe(false)
    }
  }
}

/** What a name in the ledger stands for before any work. */
const EMPTY: Record<string, string> = { turns: '0', document: '', row: '', table: '' }

async function readLedger(db: Database): Promise<Map<string, string>> {
  const { rows: hasRows } = await sql<{ table: string | null }>`select to_regclass('ledger_rows') as table`.execute(
    db.executor,
  )
  const own = hasRows[0]?.table
    ? sql`union all select 'row ' || id, split_part(payload, ':', 1) from ledger_rows`
    : sql``
  const { rows } = await sql<{ name: string; value: string }>`
    select 'turns ' || session_id as name, count(*)::text as value from chat_messages where role = 'user' group by session_id
    union all select 'document ' || d.source, string_agg(distinct substring(c.content from 'mark[0-9]+x'), '+')
      from knowledge_chunks c join knowledge_documents d using (doc_id) where c.collection = 'main' group by d.source
    ${own}`.execute(db.executor)
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  const tables = await sql<{
    name: string
  }>`select relname as name from pg_class where relname ~ '^made_[0-9]+$'`.execute(db.executor)
  for (const { name } of tables.rows) {
    const counted = await sql<{ count: number }>`select count(*) as count from ${sql.ref(name)}`.execute(db.executor)
    found.set(`table ${name}`, String(counted.rows[0]?.count))
  }
  return found
}

/** Every index knows every row of its table, every page can be read, and text search finds what is there. */
async function checkIntegrity(folder: string): Promise<void> {
  const pg = await PGlite.create({ fs: new NodeFS(folder), extensions: { vector, pg_textsearch, amcheck } })
  try {
    await pg.exec('create extension if not exists amcheck')
    await pg.exec(`select bt_index_check(c.oid, true) from pg_class c join pg_am a on a.oid = c.relam
      where a.amname = 'btree' and c.relkind = 'i' and c.relpersistence = 'p'`)
    const { rows } = await pg.query(`select c.oid::regclass::text as table, h.msg from pg_class c,
      lateral verify_heapam(c.oid) h where c.relkind in ('r', 't', 'm') and c.relpersistence = 'p'`)
    expect(rows).toEqual([])
    const missing = await pg.query(`select c.oid::regclass::text as relation from pg_class c
      where c.relkind in ('r', 'i', 't', 'S') and pg_stat_file(pg_relation_filepath(c.oid), true) is null`)
    expect(missing.rows).toEqual([])
    await checkSearch(pg)
  } finally {
    await pg.close()
  }
}

async function checkSearch(pg: PGlite): Promise<void> {
  const { rows } = await pg.query<{ index: string | null }>(
    `select to_regclass('knowledge_chunks_bm25_main')::text as index`,
  )
  if (!rows[0]?.index) return
  const marks = await pg.query<{ mark: string; count: number }>(`
    select substring(content from 'mark[0-9]+x') as mark, count(*)::int as count from knowledge_chunks
    where collection = 'main' group by 1`)
  for (const { mark, count } of marks.rows.slice(0, 8)) {
    const found = await pg.query<{ count: number }>(
      `select count(*)::int as count from (select 1 from knowledge_chunks where collection = 'main'
       order by search_text <@> to_bm25query($1, 'knowledge_chunks_bm25_main') limit 1000) s`,
      [mark],
    )
    expect(found.rows[0]?.count, `chunks that a search for ${mark} finds`).toBeGreaterThanOrEqual(count)
  }
}
