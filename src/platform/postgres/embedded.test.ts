// Own process: a database's thread is made to fail here.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { copyOfTemplate, silentLog } from '../../../test/support/test-database.ts'
import { type Database, openDatabase, ping } from './index.ts'

const folders: string[] = []
const opened: Database[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close().catch(() => {})))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await copyOfTemplate()
  folders.push(folder)
  return folder
}

async function open(dataDir: string, onCrash: (error: Error) => void = () => {}): Promise<Database> {
  const db = await openDatabase({ dataDir, log: silentLog, onCrash })
  opened.push(db)
  return db
}

describe('the data folder', () => {
  it('keeps what was committed for the next opening', async () => {
    const folder = await newFolder()
    const first = await open(folder)
    await sql`create table kept (id integer)`.execute(first.executor)
    await sql`insert into kept values (42)`.execute(first.executor)
    await first.close()
    const { rows } = await sql`select id from kept`.execute((await open(folder)).executor)
    expect(rows).toEqual([{ id: 42 }])
  })

  it('is for one at a time, and the refusal says who has it and what to do', async () => {
    const folder = await newFolder()
    await open(folder)
    await expect(open(folder)).rejects.toMatchObject({
      code: 'data_dir_in_use',
      message: expect.stringMatching(
        new RegExp(`^The data folder ${folder} is in use by another Frontdesk \\(process ${process.pid}\\)`),
      ),
    })
    expect(readFileSync(join(folder, 'holder'), 'utf8')).toBe(String(process.pid))
  })

  it('is free again after a close, and after an opening that failed', async () => {
    const folder = await newFolder()
    await (await open(folder)).close()
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), 'not a version')
    await expect(open(folder)).rejects.toThrow()
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n')
    await ping(await open(folder))
  })

  it.each<[string, (folder: string) => string]>([
    ['a file in its place', (folder) => join(folder, 'file')],
    ['a folder that cannot be made', (folder) => join(folder, 'file', 'data')],
  ])('is named when it cannot be used: %s', async (_, inside) => {
    const folder = mkdtempSync(join(tmpdir(), 'frontdesk-unusable-'))
    folders.push(folder)
    writeFileSync(join(folder, 'file'), '')
    const error = await open(inside(folder)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'data_dir_unusable', message: expect.stringContaining(inside(folder)) })
  })

  it('is not called busy when its lock is broken', async () => {
    const folder = await newFolder()
    writeFileSync(join(folder, 'lock'), 'this is no lock file'.repeat(100))
    await expect(open(folder)).rejects.toMatchObject({ code: 'data_dir_unusable' })
  })
})

describe('closing', () => {
  it('lets statements finish that are under way, and refuses later ones with 503', async () => {
    const db = await open(await newFolder())
    const running = sql`select pg_sleep(0.05), 1 as one`.execute(db.executor)
    // The statement must have reached the thread before the close does.
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([db.close(), db.close()])
    expect((await running).rows).toMatchObject([{ one: 1 }])
    await expect(ping(db)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('a thread that dies', () => {
  /** Opens a database and gives its thread too. */
  async function openWithThread(onCrash: (error: Error) => void) {
    const created = new Promise<Worker>((resolve) => process.once('worker', resolve))
    const db = await open(await newFolder(), onCrash)
    return { db, thread: await created }
  }

  const DEATHS: [name: string, die: (thread: Worker) => void][] = [
    ['is ended', (thread) => void thread.terminate()],
    ['throws', (thread) => thread.postMessage(null)],
  ]

  it.each(DEATHS)('rejects everything under way with 503 and tells of the crash once: %s', async (_, die) => {
    const crashes: Error[] = []
    const crashed = Promise.withResolvers<void>()
    const { db, thread } = await openWithThread((error) => {
      crashes.push(error)
      crashed.resolve()
    })
    const running = Promise.allSettled([
      sql`select pg_sleep(0.2)`.execute(db.executor),
      ping(db),
      db.transaction((trx) => sql`select 1`.execute(trx)),
    ])
    await new Promise((resolve) => setImmediate(resolve))
    die(thread)
    await crashed.promise
    const outcomes = await running
    // A thread that throws has answered what came before.
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of rejected) expect(reason).toMatchObject({ kind: 'unavailable' })
    await expect(ping(db)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(crashes).toHaveLength(1)
  })
})

describe('the lock', () => {
  it('holds when its file is removed: a second is refused, and the file comes back', async () => {
    const folder = await newFolder()
    await open(folder)
    rmSync(join(folder, 'lock'))
    await expect(open(folder)).rejects.toMatchObject({ code: 'data_dir_in_use' })
    rmSync(join(folder, 'lock'), { force: true })
    rmSync(join(folder, 'holder'), { force: true })
    await expect.poll(() => existsSync(join(folder, 'lock')), { timeout: 30_000 }).toBe(true)
    rmSync(join(folder, '.lock'))
    await expect(open(folder)).rejects.toMatchObject({ code: 'data_dir_in_use' })
  })
})
