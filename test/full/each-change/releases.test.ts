import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { backUp } from '../../../scripts/backup/back-up.ts'
import { putBack } from '../../../scripts/backup/put-back.ts'
import { openDatabase } from '../../../src/platform/postgres/index.ts'
import { type Child, newServerDatabase, type Storage, startChild } from '../../contract/support/child.ts'
import { expectFacts } from '../../support/release-fixture/check.ts'
import type { Facts } from '../../support/release-fixture/fill.ts'
import { silentLog } from '../../support/test-database.ts'

const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname
const releases = readdirSync(FIXTURES).filter((name) => name.startsWith('release-'))
const serverUrl = process.env.TEST_DATABASE_URL ?? ''
const quiet = () => {}

const clear: (() => unknown)[] = []
afterEach(async () => {
  for (const each of clear.splice(0).reverse()) await each()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-release-'))
  clear.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function start(storage: Storage): Promise<Child> {
  const child = await startChild(storage)
  clear.push(() => child.stop('SIGKILL'))
  return child
}

const readFacts = (release: string, kind: string): Facts =>
  JSON.parse(readFileSync(join(FIXTURES, release, `${kind}.json`), 'utf8'))
const unpack = (release: string, name: string): Buffer =>
  zstdDecompressSync(readFileSync(join(FIXTURES, release, name)))

/** The backup that the release made, restored by this one. */
async function restored(release: string): Promise<string> {
  const folder = newFolder()
  const archive = join(folder, 'backup.tar.gz')
  writeFileSync(archive, gzipSync(unpack(release, 'embedded.tar.zst'), { level: 1 }))
  const dataDir = join(folder, 'data')
  await putBack({ archive, dataDir, force: false, progress: quiet })
  return dataDir
}

const embedded = (dataDir: string): Storage => ({
  environment: { DATA_DIR: dataDir, DATABASE_URL: '' },
  dataDir,
  remove: async () => {},
})

/** How many rows each table holds, of a database that nobody uses. */
async function rowCounts(dataDir: string): Promise<Record<string, number>> {
  const db = await openDatabase({ dataDir, log: silentLog })
  try {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      order by relname`.execute(db.executor)
    const counts = rows.map(async ({ name }) => {
      const found = await sql<{ count: number }>`select count(*) as count from ${sql.ref(name)}`.execute(db.executor)
      return [name, found.rows[0]?.count ?? -1] as const
    })
    return Object.fromEntries(await Promise.all(counts))
  } finally {
    await db.close()
  }
}

describe.each(releases)('a database of %s', (release) => {
  it('goes on embedded: everything is there and works', { timeout: 300_000 }, async () => {
    const child = await start(embedded(await restored(release)))
    await expectFacts(child.origin, readFacts(release, 'embedded'))
    expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it('is backed up and restored with every table and row', { timeout: 300_000 }, async () => {
    const dataDir = await restored(release)
    const before = await rowCounts(dataDir)
    expect(before.chat_messages).toBeGreaterThan(0)
    const folder = newFolder()
    const target = join(folder, 'again.tar.gz')
    await backUp({ dataDir, target, progress: quiet, say: quiet })
    await putBack({ archive: target, dataDir: join(folder, 'data'), force: false, progress: quiet })
    expect(await rowCounts(join(folder, 'data'))).toEqual(before)
  })

  it.skipIf(serverUrl === '')('goes on on a server: everything is there and works', { timeout: 300_000 }, async () => {
    const storage = await newServerDatabase(serverUrl)
    clear.push(() => storage.remove())
    const client = new pg.Client(storage.environment.DATABASE_URL)
    await client.connect()
    await client.query(unpack(release, 'server.sql.zst').toString('utf8')).finally(() => client.end())
    const child = await start(storage)
    await expectFacts(child.origin, readFacts(release, 'server'))
    expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})
