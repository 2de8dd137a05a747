import { closeSync, existsSync, fstatSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Durability } from './embedded-durability.ts'

/** The part of Emscripten's file system that is used here; its own types leave it out. */
interface FileSystem {
  filesystems: { NODEFS: NodeFiles }
  lookupPath(path: string): { node: FsNode & { mount: { opts: { root: string } } } }
  isDir(mode: number): boolean
  ErrnoError: new (errno: number) => Error
}
interface FsNode {
  parent: FsNode
  mode: number
}
interface Stream {
  path?: string
  nfd: number
  node: FsNode
}
interface Attributes {
  mode?: number
  size?: number
}
type Rest = unknown[]
type AttributeOperations = { setattr: (on: never, attributes: Attributes) => void }
interface NodeFiles {
  realPath(node: FsNode): string
  stream_ops: {
    open(stream: Stream): void
    close(stream: Stream): void
    write(stream: Stream, bytes: Uint8Array, offset: number, length: number, position: number, ...rest: Rest): number
    setattr(stream: Stream, attributes: Attributes): void
    fsync?(stream: Stream): number
  }
  node_ops: {
    mknod(parent: FsNode, name: string, mode: number, ...rest: Rest): FsNode
    setattr(node: FsNode, attributes: Attributes): void
    rename(node: FsNode, folder: FsNode, name: string): void
    unlink(parent: FsNode, name: string): void
    rmdir(parent: FsNode, name: string): void
  }
}

export interface FileWatch {
  /** A log that cannot be written, or a file that cannot be brought to the disk. */
  onFailure: (error: unknown) => void
  /** Null: nothing is brought to the disk. */
  durability: Durability | null
  /** Runs when the files of a new database are complete; resolves to the folder under which they lie from then on. */
  onMade?: () => Promise<string>
}

/**
 * The files of the embedded database in `folder`: readable for their owner alone, and brought to the disk when Postgres
 * wants it and in the order that recovery needs. Postgres ends itself when that fails, to recover at its next start, and
 * the embedded one instead turns in a circle for ever without a word: hence `onFailure`.
 */
export function openFiles(folder: string, watch: FileWatch): NodeFS {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = new NodeFS(folder)
  const init = files.init.bind(files)
  let fs: FileSystem | undefined
  files.init = async (pg, options) => {
    const { emscriptenOpts } = await init(pg, options)
    const prepare = (module: { FS: unknown }): void => {
      fs = module.FS as FileSystem
      closeModes(fs.filesystems.NODEFS)
      if (process.platform === 'win32') refuseFolders(fs)
      watchLog(fs.filesystems.NODEFS, watch.onFailure)
      if (watch.durability) keepOrder(fs.filesystems.NODEFS, watch.durability, watch.onFailure)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [prepare, ...(emscriptenOpts.preRun as [])] } }
  }
  let { onMade } = watch
  files.syncToFs = async () => {
    const made = onMade
    onMade = undefined
    // The first call comes when the files were made and none is open.
    if (made && fs) fs.lookupPath(PGlite.paths.PGDATA).node.mount.opts.root = await made()
  }
  return files
}

/** Numbers that Emscripten gives to errors: https://github.com/WebAssembly/wasi-libc (wasi/api.h, `__WASI_ERRNO_*`). */
const EACCES = 2

/** The library sets modes explicitly, so that the process's umask does not count. */
function closeModes({ stream_ops, node_ops }: NodeFiles): void {
  const { mknod } = node_ops
  node_ops.mknod = (parent, name, mode, ...rest) => mknod(parent, name, mode & ~0o077, ...rest)
  for (const operations of [stream_ops, node_ops] as AttributeOperations[]) {
    const { setattr } = operations
    operations.setattr = (on, { mode, ...rest }) =>
      setattr(on, mode === undefined || mode === null ? rest : { ...rest, mode: mode & ~0o077 })
  }
}

/** Windows opens no folders; of two errors that systems have for that, Postgres goes on after this one. */
function refuseFolders({ filesystems, isDir, ErrnoError }: FileSystem): void {
  const operations = filesystems.NODEFS.stream_ops
  const { open } = operations
  operations.open = (stream) => {
    if (isDir(stream.node.mode)) throw new ErrnoError(EACCES)
    open(stream)
  }
}

function watchLog({ stream_ops }: NodeFiles, onFailure: (error: unknown) => void): void {
  const { write } = stream_ops
  stream_ops.write = (stream, ...rest) => {
    try {
      return write(stream, ...rest)
    } catch (error) {
      if (stream.path?.includes('/pg_wal/')) onFailure(error)
      throw error
    }
  }
}

const LOG_FILE = /\/pg_wal\/[0-9A-F]{24}$/
/** Files that a crash may leave in any state: they are removed or made anew at the next start. */
const FLEETING = /\/(?:pgsql_tmp|pg_stat_tmp|pg_wal)\/|\/postmaster\.pid$/

/**
 * Postgres orders its writes by waiting for the disk: the log before the pages that it describes, pages before the point
 * from which recovery begins. Here the log follows a moment later, so whatever must not be on the disk before it makes up
 * for that first: each write to, and shortening, removal or renaming of another file. Names in folders, which Postgres
 * trusts the file system to keep, are brought there before the point of recovery moves on.
 */
function keepOrder(files: NodeFiles, durability: Durability, onFailure: (error: unknown) => void): void {
  const { stream_ops, node_ops } = files
  const { write, close } = stream_ops
  const changedFolders = new Set<string>()
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      onFailure(error)
      throw error
    }
  }
  const settle = (): void => guarded(durability.settle)
  const changed = (folder: FsNode): void => void changedFolders.add(files.realPath(folder))

  stream_ops.fsync = (stream) => {
    guarded(() => (LOG_FILE.test(stream.path ?? '') ? durability.flush(stream.nfd) : fsyncSync(stream.nfd)))
    changedFolders.delete(files.realPath(stream.node))
    return 0
  }
  stream_ops.write = (stream, bytes, offset, length, position, ...rest) => {
    const path = stream.path ?? ''
    if (path.endsWith('/global/pg_control')) guarded(() => syncNames(changedFolders))
    const isOrdered = !FLEETING.test(path) && !(isZero(bytes, offset, length) && isBehindEnd(stream, position))
    if (isOrdered) settle()
    return write(stream, bytes, offset, length, position, ...rest)
  }
  stream_ops.close = (stream) => {
    if (LOG_FILE.test(stream.path ?? '')) settle()
    close(stream)
  }
  for (const operations of [stream_ops, node_ops] as AttributeOperations[]) {
    const { setattr } = operations
    operations.setattr = (on, attributes) => {
      if (attributes.size !== undefined) settle()
      setattr(on, attributes)
    }
  }
  const { mknod, rename } = node_ops
  node_ops.mknod = (parent, ...rest) => {
    changed(parent)
    return mknod(parent, ...rest)
  }
  node_ops.rename = (node, folder, name) => {
    settle()
    changed(node.parent)
    changed(folder)
    rename(node, folder, name)
  }
  for (const name of ['unlink', 'rmdir'] as const) {
    const remove = node_ops[name]
    node_ops[name] = (parent, entry) => {
      settle()
      changed(parent)
      remove(parent, entry)
    }
  }
}

const ZEROS = new Uint8Array(8_192)

/** A file that grows by zeros, as Postgres makes room in tables, says nothing that the log might not know of. */
function isZero(bytes: Uint8Array, offset: number, length: number): boolean {
  for (let done = 0; done < length; done += ZEROS.length) {
    const size = Math.min(ZEROS.length, length - done)
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset + offset + done, size)
    if (piece.compare(ZEROS, 0, size) !== 0) return false
  }
  return true
}

function isBehindEnd({ nfd }: Stream, position: number): boolean {
  return position >= fstatSync(nfd).size
}

function syncNames(folders: Set<string>): void {
  for (const folder of folders) {
    folders.delete(folder)
    // Windows keeps names with the files and opens no folders. One that was removed since has no names any more.
    if (process.platform === 'win32' || !existsSync(folder)) continue
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}
