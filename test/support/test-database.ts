import { createHash, randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/platform/postgres/index.ts'
import { scratchFolder } from './scratch.ts'

export const silentLog = {
  info: () => {},
  warn: () => {},
  fatal: (details: object, message: string) => console.error(message, details),
}

export interface TestDatabase {
  db: Database
  /** Opens the same data once more, as a restart or a second replica would. Embedded: close the first one before. */
  reopen(): Promise<Database>
  close(): Promise<void>
}

/** A migrated, empty database of its own: a folder, or a schema of the server named by TEST_DATABASE_URL. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL
  return url ? onServer(url) : embedded()
}

async function embedded(): Promise<TestDatabase> {
  const dataDir = await copyOfTemplate()
  const open = (): Promise<Database> => openDatabase({ dataDir, log: silentLog })
  let db = await open()
  return {
    db,
    async reopen() {
      await db.close()
      db = await open()
      return db
    },
    async close() {
      await db.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function onServer(url: string): Promise<TestDatabase> {
  const schema = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  await runOnServer(url, `create schema ${schema}`)
  const open = (): Promise<Database> => openDatabase({ databaseUrl: url, schema, poolSize: 8, log: silentLog })
  const opened = [await open()]
  return {
    db: opened[0] as Database,
    async reopen() {
      const again = await open()
      opened.push(again)
      return again
    },
    async close() {
      await Promise.all(opened.map((db) => db.close()))
      await runOnServer(url, `drop schema ${schema} cascade`)
    },
  }
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

const MIGRATIONS = new URL('../../migrations/', import.meta.url).pathname

/** Creating the embedded database takes seconds and copying it a fraction of one, so it is made once per schema. */
export async function copyOfTemplate(): Promise<string> {
  const template = join(tmpdir(), `frontdesk-template-${await templateKey()}`)
  if (!(await exists(join(template, 'postgres', 'PG_VERSION')))) await makeTemplate(template)
  const dataDir = await mkdtemp(join(scratchFolder(), 'frontdesk-test-'))
  // For a thousand small files this takes a quarter of the time that the promised one takes.
  cpSync(template, dataDir, { recursive: true })
  return dataDir
}

async function makeTemplate(template: string): Promise<void> {
  const building = await mkdtemp(join(tmpdir(), 'frontdesk-building-'))
  const db = await openDatabase({ dataDir: building, log: silentLog })
  await db.close()
  await rename(building, template).catch(async () => {
    // Another worker was faster.
    await rm(building, { recursive: true, force: true })
    await sleep(10)
  })
}

async function templateKey(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(MIGRATIONS)).sort())
    hash.update(name).update(await readFile(join(MIGRATIONS, name)))
  hash.update(await readFile(new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)))
  return hash.digest('hex').slice(0, 16)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
