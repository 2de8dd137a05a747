import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDataDir } from '../../src/platform/postgres/lock.ts'
import { backUp } from './back-up.ts'
import { checkArchive, putBack } from './put-back.ts'
import { readTar, type TarEntry, tarEnd, tarHeader, tarPadding } from './tar.ts'

const quiet = () => {}
let folder: string
let dataDir: string
let archive: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-archive-'))
  dataDir = join(folder, 'data')
  archive = join(folder, 'backup.tar.gz')
  await plant(dataDir, 'the first')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** What stands for a database: archives do not look into its files. */
async function plant(at: string, content: string): Promise<void> {
  await mkdir(join(at, 'postgres', 'base', '5'), { recursive: true })
  await mkdir(join(at, 'postgres', 'pg_twophase'), { recursive: true })
  await writeFile(join(at, 'postgres', 'PG_VERSION'), '18\n')
  await writeFile(join(at, 'postgres', 'base', '5', '16384_fsm'), content.repeat(100_000))
  await writeFile(join(at, 'postgres', 'base', '5', 'empty'), '')
}

const back = () => backUp({ dataDir, target: archive, progress: quiet, say: quiet })
const restore = (at: string, force = false) => putBack({ archive, dataDir: at, force, progress: quiet })
async function contentsOf(at: string): Promise<Record<string, string>> {
  const found = await readdir(join(at, 'postgres'), { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const contents = files.sort().map(async (path) => [path.slice(at.length), await readFile(path, 'utf8')] as const)
  return Object.fromEntries(await Promise.all(contents))
}
const contentOf = async (at: string) =>
  (await readFile(join(at, 'postgres', 'base', '5', '16384_fsm'), 'utf8')).slice(0, 9)

describe('a backup', () => {
  it('comes back as it was, empty folders and empty files too', async () => {
    await back()
    const { aside } = await restore(join(folder, 'other'))
    expect(aside).toBeNull()
    const names = async (at: string) => (await readdir(join(at, 'postgres'), { recursive: true })).sort()
    expect(await names(join(folder, 'other'))).toEqual(await names(dataDir))
    expect(await contentOf(join(folder, 'other'))).toBe('the first')
  })

  it('is an archive that the tools of every system read, with sums for `sha256sum -c`', async () => {
    await back()
    const opened = join(folder, 'opened')
    await mkdir(opened)
    execFileSync('tar', ['-xzf', archive, '-C', opened])
    expect(await contentOf(opened)).toBe('the first')
    const lines = (await readFile(join(opened, 'SHA256SUMS'), 'utf8')).split('\n').filter((line) => line !== '')
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      // As `sha256sum` writes it.
      const [, sum, path = ''] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
      const content = await readFile(join(opened, path))
      expect(createHash('sha256').update(content).digest('hex')).toBe(sum)
    }
  })

  it('overwrites nothing, and needs something to pack', async () => {
    await back()
    await expect(back()).rejects.toThrow('overwrites nothing')
    await rm(archive)
    await expect(
      backUp({ dataDir: join(folder, 'none'), target: archive, progress: quiet, say: quiet }),
    ).rejects.toThrow('There is no database')
    expect(await readdir(folder)).toEqual(['data'])
  })

  it('that is stopped halfway leaves nothing behind, like a restore', async () => {
    const stop = (): never => {
      throw new Error('Stopped')
    }
    await expect(backUp({ dataDir, target: archive, progress: stop, say: quiet })).rejects.toThrow('Stopped')
    expect(await readdir(folder)).toEqual(['data'])
    await back()
    const other = join(folder, 'other')
    await expect(putBack({ archive, dataDir: other, force: false, progress: stop })).rejects.toThrow('Stopped')
    expect((await readdir(other)).sort()).toEqual(['.lock', 'holder', 'lock'])
  })

  it('that cannot be written leaves nothing behind', async () => {
    archive = join(folder, 'missing', 'backup.tar.gz')
    await expect(back()).rejects.toThrow('ENOENT')
    expect(await readdir(folder)).toEqual(['data'])
  })
})

describe('a restore', () => {
  beforeEach(() => back())

  it('takes the place of a database only when told to, and keeps that one', async () => {
    await rm(join(dataDir, 'postgres'), { recursive: true })
    await plant(dataDir, 'a later')
    await expect(restore(dataDir)).rejects.toThrow('--force')
    expect(await contentOf(dataDir)).toBe('a latera ')
    const { aside } = await restore(dataDir, true)
    expect(await contentOf(dataDir)).toBe('the first')
    expect(await readFile(join(aside ?? '', 'base', '5', '16384_fsm'), 'utf8')).toContain('a later')
  })

  it('does not touch a folder that is in use', async () => {
    const unlock = lockDataDir(dataDir)
    await expect(restore(dataDir, true)).rejects.toThrow('is in use')
    unlock()
    expect((await readdir(dataDir)).sort()).toEqual(['.lock', 'holder', 'lock', 'postgres'])
  })

  it('is of exactly what was packed, or of nothing, when the archive was cut off or changed anywhere', async () => {
    const whole = await readFile(archive)
    const damage = fc.tuple(fc.boolean(), fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }))
    let refused = 0
    const property = fc.asyncProperty(damage, async ([isCut, at, mask]) => {
      const damaged = isCut ? whole.subarray(0, at) : Buffer.from(whole)
      if (!isCut) damaged[at] = (damaged[at] as number) ^ mask
      await writeFile(archive, damaged)
      const other = await mkdtemp(join(folder, 'other-'))
      const outcome = await restore(other).catch((error: unknown) => error)
      if (outcome instanceof Error) {
        refused += 1
        expect((await readdir(other)).sort()).toEqual(['.lock', 'holder', 'lock'])
      } else expect(await contentsOf(other)).toEqual(await contentsOf(dataDir))
    })
    await fc.assert(property, { numRuns: 40 })
    // Some bytes mean nothing: those of the time in the header, say.
    expect(refused).toBeGreaterThan(15)
  })

  it('is refused for an archive that a check refuses', async () => {
    await expect(checkArchive(archive, quiet)).resolves.toMatchObject({ postgres: '18', files: 3 })
    await writeFile(archive, (await readFile(archive)).subarray(0, -400))
    await expect(checkArchive(archive, quiet)).rejects.toThrow('cut off')
  })

  it.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['of a newer program', replacing('"migrations": ', '"migrations": 9'), 'newer Frontdesk'],
    ['of another Postgres', replacing('"postgres": "18"', '"postgres": "17"'), 'Postgres 17'],
    ['of an unknown format', replacing('frontdesk-backup-1', 'frontdesk-backup-9'), 'does not know'],
    ['of something else', replacing('frontdesk.json', 'frontdesk.toml'), 'no Frontdesk backup'],
  ])('refuses an archive %s', async (_, change, why) => {
    const changed = change(gunzipSync(await readFile(archive)))
    await writeFile(archive, gzipSync(changed))
    await expect(restore(join(folder, 'other'))).rejects.toThrow(why)
  })

  it.each<[string, TarEntry, string]>([
    ['a path that climbs', { path: 'postgres/../../outside', type: 'file', size: 0 }, 'a path that no backup has'],
    ['an absolute path', { path: '/tmp/outside', type: 'file', size: 0 }, 'a path that no backup has'],
    ['a file beside the database', { path: 'lock', type: 'file', size: 0 }, 'holds lock'],
    ['a file that is in no list', { path: 'postgres/unlisted', type: 'file', size: 0 }, 'not packed'],
    ['a second list', { path: 'SHA256SUMS', type: 'file', size: 0 }, 'not what was packed|out of place|not packed'],
  ])('refuses %s', async (_, entry, why) => {
    await writeFile(archive, gzipSync(await withEntry(tarHeader(entry))))
    await expect(restore(join(folder, 'other'))).rejects.toThrow(new RegExp(why))
    expect((await readdir(folder)).sort()).toEqual(['backup.tar.gz', 'data', 'other'])
    expect(await readdir(join(folder, 'other'))).not.toContain('postgres')
  })

  it('refuses links, which could lead the next file elsewhere', async () => {
    await mkdir(join(folder, 'linked'))
    execFileSync('ln', ['-s', '/etc/passwd', join(folder, 'linked', 'postgres')])
    const link = execFileSync('tar', ['--format=ustar', '-cf', '-', '-C', join(folder, 'linked'), 'postgres'])
    await writeFile(archive, gzipSync(await withEntry(link.subarray(0, 512))))
    await expect(restore(join(folder, 'other'))).rejects.toThrow('neither a file nor a folder')
  })

  /** The archive with one more entry after its first. */
  async function withEntry(header: Buffer): Promise<Buffer> {
    const bytes = gunzipSync(await readFile(archive))
    return Buffer.concat([bytes.subarray(0, 1_024), header, bytes.subarray(1_024)])
  }
})

/** Changes the first entry: its name, or its content and with it its length. */
function replacing(text: string, by: string): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const name = bytes.toString('utf8', 0, bytes.indexOf(0)).replace(text, by)
    const length = Number.parseInt(bytes.toString('latin1', 124, 135), 8)
    const content = Buffer.from(bytes.toString('utf8', 512, 512 + length).replace(text, by))
    const { length: size } = content
    return Buffer.concat([
      tarHeader({ path: name, type: 'file', size }),
      content,
      tarPadding(size),
      bytes.subarray(1_024),
    ])
  }
}

describe('tar', () => {
  const segment = fc.stringMatching(/^[\w-][\w.-]{0,30}$/)
  const paths = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'))

  it('reads what it wrote, in pieces of any size', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.tuple(paths, fc.uint8Array({ maxLength: 2_000 })), { maxLength: 5 }),
      fc.integer({ min: 1, max: 1_500 }),
      async (files, pieceSize) => {
        const parts = files.flatMap(([path, content]) => [
          tarHeader({ path, type: 'file', size: content.length }),
          Buffer.from(content),
          tarPadding(content.length),
        ])
        const read: [string, number[]][] = []
        await readTar(pieces(Buffer.concat([...parts, tarEnd]), pieceSize), async ({ path }, content) => {
          const chunks: Buffer[] = []
          for await (const chunk of content) chunks.push(chunk)
          read.push([path, [...Buffer.concat(chunks)]])
        })
        expect(read).toEqual(files.map(([path, content]) => [path, [...content]]))
      },
    )
    await fc.assert(property, { numRuns: 100 })
  })

  async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
})
