import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../test/support/test-database.ts'
import { type Migration, migrate, readMigrations, splitStatements } from './migrate.ts'

const ours = readMigrations(new URL('../../../migrations/', import.meta.url).pathname)
const log = silentLog

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

/** Migrations that follow ours. */
function further(...texts: string[]): Migration[] {
  const added = texts.map((text, index) => {
    const version = ours.length + index + 1
    const checksum = createHash('sha256').update(text).digest('hex')
    return { version, name: `${String(version).padStart(4, '0')}_planted.sql`, text, checksum }
  })
  return [...ours, ...added]
}

async function applied(): Promise<number[]> {
  const { rows } = await sql<{ version: number }>`select version from schema_migrations order by version`.execute(
    test.db.executor,
  )
  return rows.map(({ version }) => version)
}

async function exists(table: string): Promise<boolean> {
  const { rows } = await sql<{ name: string | null }>`select to_regclass(${table}) as name`.execute(test.db.executor)
  return rows[0]?.name !== null
}

describe('migrate', () => {
  afterEach(async () => {
    await sql`drop table if exists planted_one, planted_two`.execute(test.db.executor)
    await sql`delete from schema_migrations where version > ${ours.length}`.execute(test.db.executor)
  })

  it('has applied every migration once, and finds nothing to do afterwards', async () => {
    const messages: string[] = []
    await migrate(test.db.executor, { info: (_details, message) => messages.push(message) }, ours)
    expect(messages).toEqual([])
    expect(await applied()).toEqual(ours.map(({ version }) => version))
  })

  it('applies what is missing, in order, and says so', async () => {
    const messages: string[] = []
    const migrations = further(
      'create table planted_one (id integer);',
      'alter table planted_one add column more text;',
    )
    await migrate(test.db.executor, { info: (_details, message) => messages.push(message) }, migrations)
    expect(messages).toEqual(migrations.slice(ours.length).map(({ name }) => `Applied migration ${name}`))
    expect(await exists('planted_one')).toBe(true)
  })

  it('applies all of what is missing or nothing', async () => {
    const migrations = further(
      'create table planted_one (id integer);',
      'create table planted_two (id integer);\nselect * from nothing_here;',
    )
    await expect(migrate(test.db.executor, log, migrations)).rejects.toMatchObject({ code: '42P01' })
    expect(await exists('planted_one')).toBe(false)
    expect(await exists('planted_two')).toBe(false)
    expect(await applied()).toHaveLength(ours.length)
  })

  it('refuses a migration that was changed after it was applied', async () => {
    const [first, ...rest] = ours
    const changed = [{ ...first!, checksum: 'another' }, ...rest]
    await expect(migrate(test.db.executor, log, changed)).rejects.toMatchObject({
      code: 'migration_changed',
      message: expect.stringContaining(first!.name),
    })
  })

  it('refuses a database that is newer than the program', async () => {
    await migrate(test.db.executor, log, further('create table planted_one (id integer);'))
    await expect(migrate(test.db.executor, log, ours)).rejects.toMatchObject({
      code: 'database_newer',
      message: expect.stringContaining('_planted.sql'),
    })
  })

  it('does the work once when it is started several times at once', async () => {
    const migrations = further('create table planted_one (id integer);')
    const starts = Array.from({ length: 4 }, () => migrate(test.db.executor, log, migrations))
    await Promise.all(starts)
    expect(await applied()).toEqual(migrations.map(({ version }) => version))
  })
})

describe('readMigrations', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-migrations-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function plant(...names: string[]): string {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-migrations-'))
    for (const name of names) writeFileSync(join(folder, name), 'select 1;')
    return folder
  }

  it('reads files in the order of their numbers and passes over others', () => {
    const names = readMigrations(plant('0002_b.sql', '0001_a.sql', 'README.md', '0003_c.sql.bak')).map(
      ({ name }) => name,
    )
    expect(names).toEqual(['0001_a.sql', '0002_b.sql'])
  })

  it('refuses a gap and a number that is there twice', () => {
    expect(() => readMigrations(plant('0001_a.sql', '0003_c.sql'))).toThrow(
      '0003_c.sql breaks the numbering: expected 2',
    )
    expect(() => readMigrations(plant('0001_a.sql', '0001_b.sql'))).toThrow('0001_b.sql breaks the numbering')
  })

  it('has the same checksum whatever the line ends are', () => {
    const unix = readMigrations(plant('0001_a.sql'))[0]!.checksum
    writeFileSync(join(folder, '0001_a.sql'), 'select 1;\r\n')
    const windows = readMigrations(folder)[0]!.checksum
    writeFileSync(join(folder, '0001_a.sql'), 'select 1;\n')
    expect(readMigrations(folder)[0]!.checksum).toBe(windows)
    expect(unix).toMatch(/^[\da-f]{64}$/)
  })
})

describe('splitStatements', () => {
  it('cuts at semicolons that end a line and leaves comments out', () => {
    const text = `-- A comment; with a semicolon
      create table a (id text default ';');  \n-- another
      insert into a values ('x;y');\n\nselect 1`
    expect(splitStatements(text)).toEqual([
      "create table a (id text default ';')",
      "insert into a values ('x;y')",
      'select 1',
    ])
  })

  it('keeps the body of a function whole', () => {
    const body = 'create function f() returns integer language plpgsql as $$\nbegin\n  return 1;\nend $$'
    expect(splitStatements(`${body};\nselect f();\n`)).toEqual([body, 'select f()'])
  })
})
