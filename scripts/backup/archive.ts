import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { DATABASE_FOLDER } from '../../src/platform/postgres/data-folder.ts'
import { readTar, type TarEntry, tarEnd, tarHeader, tarPadding } from './tar.ts'

/** First in every archive, so that a reader knows what is to come. */
export interface Manifest {
  format: 'frontdesk-backup-1'
  created_at: string
  /** Version of the program that made it. */
  frontdesk: string
  /** Major version of Postgres that wrote the files. */
  postgres: string
  /** How many migrations the program knew. */
  migrations: number
  files: number
  bytes: number
}

export type Progress = (doneBytes: number, totalBytes: number) => void

const MANIFEST = 'frontdesk.json'
const SUMS = 'SHA256SUMS'
/** Bytes of a manifest or list of sums: a hundred thousand files. */
const MAX_LIST_BYTES = 16 * 1_048_576
/** Higher levels shrink a database by little and take twice as long. */
const GZIP_LEVEL = 3

/**
 * Packs the database in `folder` into `target`, a gzipped tar with the manifest, the files and a `SHA256SUMS` that
 * `sha256sum -c` understands. The file appears under its name when it is whole and on the disk.
 */
export async function packDatabase(
  folder: string,
  target: string,
  about: Omit<Manifest, 'format' | 'files' | 'bytes' | 'postgres'>,
  progress: Progress,
): Promise<Manifest> {
  const entries = await listEntries(folder)
  const manifest = { format: 'frontdesk-backup-1' as const, ...about, ...(await measure(folder, entries)) }
  const partial = `${target}.${process.pid}.partial`
  // Customers' words and addresses are in it.
  const file = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true })
  try {
    await pipeline(archiveOf(folder, entries, manifest, progress), createGzip({ level: GZIP_LEVEL }), file)
    await rename(partial, target)
    return manifest
  } catch (error) {
    await closed(file)
    await rm(partial, { force: true })
    throw error
  }
}

async function* archiveOf(
  folder: string,
  entries: readonly TarEntry[],
  manifest: Manifest,
  progress: Progress,
): AsyncGenerator<Buffer> {
  const sums: string[] = []
  let doneBytes = 0
  yield* inline(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`)
  for (const entry of entries) {
    const path = `${DATABASE_FOLDER}/${entry.path}`
    yield tarHeader({ ...entry, path })
    if (entry.type === 'folder') continue
    const hash = createHash('sha256')
    for await (const chunk of exactly(join(folder, entry.path), entry.size)) {
      hash.update(chunk)
      doneBytes += chunk.length
      progress(doneBytes, manifest.bytes)
      yield chunk
    }
    yield tarPadding(entry.size)
    sums.push(`${hash.digest('hex')}  ${path}\n`)
  }
  yield* inline(SUMS, sums.join(''))
  yield tarEnd
}

function* inline(path: string, text: string): Generator<Buffer> {
  const content = Buffer.from(text)
  yield tarHeader({ path, type: 'file', size: content.length })
  yield content
  yield tarPadding(content.length)
}

async function* exactly(path: string, size: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
    length += chunk.length
    yield chunk
  }
  if (length !== size) throw new Error(`${path} changed while it was packed`)
}

async function listEntries(folder: string): Promise<TarEntry[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const entries = found.map(async (each): Promise<TarEntry> => {
    const absolute = join(each.parentPath, each.name)
    const path = absolute.slice(folder.length + 1).replaceAll('\\', '/')
    if (each.isDirectory()) return { path, type: 'folder', size: 0 }
    if (each.isFile()) return { path, type: 'file', size: (await stat(absolute)).size }
    throw new Error(`${absolute} is neither a file nor a folder`)
  })
  return (await Promise.all(entries)).sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function measure(folder: string, entries: readonly TarEntry[]) {
  const files = entries.filter(({ type }) => type === 'file')
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  let version = ''
  for await (const chunk of createReadStream(join(folder, 'PG_VERSION'), 'utf8')) version += chunk
  return { postgres: version.trim(), files: files.length, bytes }
}

export interface Unpacking {
  /** Throws when this program should not restore such an archive; nothing was written yet. */
  accept: (manifest: Manifest) => void | Promise<void>
  /** Where entries go; null: they are only checked. */
  write: ((entry: TarEntry, content: AsyncIterable<Buffer>) => Promise<void>) | null
  progress: Progress
}

/** Reads an archive to its end. Throws when anything of it is missing, damaged, not listed or not allowed. */
export async function unpackDatabase(archive: string, { accept, write, progress }: Unpacking): Promise<Manifest> {
  const found = new Map<string, string>()
  let manifest: Manifest | null = null
  let sums: string | null = null
  let doneBytes = 0
  const takeFile = async (entry: TarEntry, content: AsyncIterable<Buffer>, totalBytes: number): Promise<void> => {
    const hash = createHash('sha256')
    const counted = watched(content, (chunk) => {
      hash.update(chunk)
      doneBytes += chunk.length
      progress(doneBytes, totalBytes)
    })
    if (write) await write(entry, counted)
    else for await (const _ of counted);
    found.set(entry.path, hash.digest('hex'))
  }
  await readTar(gunzipped(archive), async (entry, content) => {
    if (sums !== null || found.has(entry.path)) throw new Error(`The archive holds ${entry.path} out of place`)
    if (manifest === null) {
      manifest = await readManifest(entry, content)
      return accept(manifest)
    }
    if (entry.path === SUMS) sums = await textOf(entry, content)
    else if (!`${entry.path}/`.startsWith(`${DATABASE_FOLDER}/`)) throw new Error(`The archive holds ${entry.path}`)
    else if (entry.type === 'file') await takeFile(entry, content, manifest.bytes)
    else await write?.(entry, content)
  })
  if (manifest === null || sums === null) throw new Error('The archive is cut off')
  compare(sums, found)
  return manifest
}

async function* gunzipped(archive: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  const reading = pipeline(createReadStream(archive), gunzip).catch(
    (error: unknown) => void gunzip.destroy(error as Error),
  )
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw code.startsWith('Z_') ? new Error(`The archive is cut off or damaged (${message})`, { cause }) : cause
  }
  await reading
}

async function* watched(content: AsyncIterable<Buffer>, look: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    look(chunk)
    yield chunk
  }
}

async function readManifest(entry: TarEntry, content: AsyncIterable<Buffer>): Promise<Manifest> {
  const problem = new Error('This is no Frontdesk backup')
  if (entry.path !== MANIFEST) throw problem
  const manifest: unknown = JSON.parse(await textOf(entry, content))
  if (typeof manifest !== 'object' || manifest === null || !('format' in manifest)) throw problem
  if (manifest.format === 'frontdesk-backup-1') return manifest as Manifest
  throw new Error(`The backup has a format that this Frontdesk does not know: ${String(manifest.format)}`)
}

async function textOf(entry: TarEntry, content: AsyncIterable<Buffer>): Promise<string> {
  if (entry.size > MAX_LIST_BYTES) throw new Error(`The archive's ${entry.path} is too large`)
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function compare(sums: string, found: ReadonlyMap<string, string>): void {
  const listed = sums.split('\n').filter((line) => line !== '')
  for (const line of listed) {
    const [sum, path = ''] = line.split('  ', 2)
    if (found.get(path) !== sum) throw new Error(`The archive is damaged: ${path} is not what was packed`)
  }
  if (listed.length !== found.size) throw new Error('The archive holds files that were not packed')
}

async function closed(file: WriteStream): Promise<void> {
  if (file.closed) return
  file.destroy()
  await once(file, 'close').catch(() => {})
}

/** Writes one entry below `folder` (on the way to which nothing is a link: it is new and ours). */
export async function writeEntry(folder: string, path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(join(folder, path), 'wx', 0o600)
  try {
    for await (const chunk of content) await file.writeFile(chunk)
  } finally {
    await file.close()
  }
}
