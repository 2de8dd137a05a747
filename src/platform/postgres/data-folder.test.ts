import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { copyOfTemplate, silentLog } from '../../../test/support/test-database.ts'
import { type Database, findDamage, openDatabase } from './index.ts'

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

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-folder-'))
  folders.push(folder)
  return folder
}

async function open(dataDir: string): Promise<Database> {
  const db = await openDatabase({ dataDir, log: silentLog })
  opened.push(db)
  return db
}

/** Paths below a folder, itself included, of what others than the owner may touch. */
function exposed(folder: string): string[] {
  const below = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
  return [folder, ...below].filter((path) => (statSync(path).mode & 0o077) !== 0)
}

/** Every file and what it holds, but the lock's own. */
function contentsOf(folder: string): Record<string, string> {
  const below = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = below.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => !/lock|holder/.test(path))
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(path, 'latin1')]))
}

describe.skipIf(process.platform === 'win32')('modes', () => {
  it('open nothing to others: neither what was loose before, nor what is written from then on', async () => {
    const folder = await newFolder()
    for (const path of [folder, join(folder, 'postgres'), join(folder, 'postgres', 'base')]) chmodSync(path, 0o777)
    chmodSync(join(folder, 'postgres', 'PG_VERSION'), 0o666)
    const before = process.umask(0)
    try {
      const db = await open(folder)
      await sql`create table written (id integer)`.execute(db.executor)
      await sql`insert into written values (1)`.execute(db.executor)
      await sql`checkpoint`.execute(db.executor)
      expect(exposed(folder)).toEqual([])
    } finally {
      process.umask(before)
    }
  })

  it.skipIf(process.getuid?.() !== 0)(
    'that cannot be closed are refused, and the line says whose they are',
    async () => {
      const folder = await newFolder()
      chmodSync(join(folder, 'postgres'), 0o777)
      process.seteuid?.(12_345)
      try {
        await expect(open(folder)).rejects.toMatchObject({ code: 'data_dir_unusable' })
      } finally {
        process.seteuid?.(0)
      }
    },
  )
})

describe('a folder in which there is no whole database', () => {
  it.each<[string, (folder: string) => void, RegExp]>([
    ['PG_VERSION is gone', (at) => rmSync(join(at, 'postgres', 'PG_VERSION')), /no PG_VERSION.*npm run restore/s],
    [
      'only something else is in its place',
      (at) => {
        rmSync(join(at, 'postgres'), { recursive: true })
        mkdirSync(join(at, 'postgres'))
        writeFileSync(join(at, 'postgres', 'thesis.txt'), 'years of work')
      },
      /no PG_VERSION/,
    ],
    ['another major wrote it', (at) => writeFileSync(join(at, 'postgres', 'PG_VERSION'), '17\n'), /Postgres 17.*18/s],
  ])('is refused and left as it is: %s', async (_, damage, message) => {
    const folder = await newFolder()
    damage(folder)
    const before = contentsOf(folder)
    await expect(open(folder)).rejects.toMatchObject({
      code: 'data_dir_unusable',
      message: expect.stringMatching(message),
    })
    expect(contentsOf(folder)).toEqual(before)
  })

  it('is refused when it holds the files of somebody else, and gets none of ours', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'letter.txt'), 'dear')
    mkdirSync(join(folder, 'pictures'))
    chmodSync(folder, 0o755)
    await expect(open(folder)).rejects.toMatchObject({
      code: 'data_dir_unusable',
      message: expect.stringContaining('letter.txt'),
    })
    expect(readdirSync(folder).sort()).toEqual(['letter.txt', 'pictures'])
    expect(statSync(folder).mode & 0o777).toBe(0o755)
  })

  it('is used when it is a new file system’s, or a first start was cut off in it', { timeout: 120_000 }, async () => {
    const folder = emptyFolder()
    mkdirSync(join(folder, 'lost+found'))
    const made = await copyOfTemplate()
    folders.push(made)
    cpSync(join(made, 'postgres'), join(folder, 'postgres.initialising'), { recursive: true })
    rmSync(join(folder, 'postgres.initialising', 'global'), { recursive: true })
    writeFileSync(join(folder, 'lock'), '')
    mkdirSync(join(folder, 'postgres'))
    const db = await open(folder)
    expect((await sql`select 1 as one`.execute(db.executor)).rows).toEqual([{ one: 1 }])
    expect(existsSync(join(folder, 'postgres.initialising'))).toBe(false)
    if (process.platform !== 'win32') expect(exposed(join(folder, 'postgres'))).toEqual([])
  })
})

describe('what a Postgres that was killed left of itself', () => {
  it.each([
    ['a mark that says where it ran', undefined],
    ['a mark that the power took while it was written', ''],
    ['a mark of which only the length came to the disk', '\0\0\0\0'],
  ])('keeps nobody out: %s', async (_, text) => {
    const folder = await newFolder()
    const mark = join(folder, 'postgres', 'postmaster.pid')
    writeFileSync(mark, text ?? `${process.pid}\n${folder}\n`)
    const db = await open(folder)
    expect((await sql`select 1 as one`.execute(db.executor)).rows).toEqual([{ one: 1 }])
  })
})

describe('a damaged database', () => {
  it.each<[string, (at: string) => void, RegExp]>([
    ['the log is gone', (at) => rmSync(join(at, 'pg_wal'), { recursive: true }), /pg_wal/],
    [
      'the control file is',
      (at) => writeFileSync(join(at, 'global/pg_control'), Buffer.alloc(8_192, 1)),
      /incompatible/,
    ],
    ['a catalog is cut off', (at) => truncateSync(join(at, 'base/5/1259'), 8_192), /critical system index/],
    [
      'a catalog is other bytes',
      (at) => writeFileSync(join(at, 'base/5/1259'), Buffer.alloc(65_536, 7)),
      /base\/5\/1259/,
    ],
  ])('ends the start with a line that says what is broken and what to do: %s', async (_, damage, what) => {
    const folder = await newFolder()
    damage(join(folder, 'postgres'))
    const error = (await open(folder).catch((reason: unknown) => reason)) as Error
    expect(error).toMatchObject({ code: 'data_dir_unusable' })
    expect(error.message).toMatch(what)
    expect(error.message).toMatch(/is damaged .*npm run restore -- FILE --force/)
    expect(error.message).not.toContain('Aborted')
  })

  /** The file of a table with some rows, of a database that was closed. */
  async function withTable(folder: string): Promise<string> {
    const db = await open(folder)
    await sql`create table kept as select i, repeat('x', 100) as x from generate_series(1, 2000) i`.execute(db.executor)
    await sql`vacuum (analyze) kept`.execute(db.executor)
    const { rows } = await sql<{ path: string }>`select pg_relation_filepath('kept') as path`.execute(db.executor)
    expect(await findDamage(db)).toBeNull()
    await db.close()
    return join(folder, 'postgres', rows[0]?.path ?? '')
  }

  it('is told by its health when a table was cut off or is gone', async () => {
    const folder = await newFolder()
    const file = await withTable(folder)
    truncateSync(file, Math.floor(statSync(file).size / 2 / 8_192) * 8_192)
    const db = await open(folder)
    expect(await findDamage(db)).toMatch(/^The file of kept was cut off: it holds \d+ of \d+ pages$/)
    await db.close()
    rmSync(file)
    expect(await findDamage(await open(folder))).toBe('The file of kept is missing')
  })

  it('is told by its health when a page that was read has changed by itself', async () => {
    const folder = await newFolder()
    const file = await withTable(folder)
    const bytes = readFileSync(file)
    bytes[5_000] = (bytes[5_000] as number) ^ 1
    writeFileSync(file, bytes)
    const db = await open(folder)
    expect(await findDamage(db)).toBeNull()
    await expect(sql`select count(x) from kept`.execute(db.executor)).rejects.toMatchObject({ code: 'XX001' })
    expect(await findDamage(db)).toMatch(/^invalid page in block 0 of relation/)
  })
})
