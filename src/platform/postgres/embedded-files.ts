import { NodeFS } from '@electric-sql/pglite/nodefs'

/** The part of Emscripten's file system that is used here; its own types leave it out. */
interface FileSystem {
  filesystems: { NODEFS: { stream_ops: { write: (stream: { path?: string }, ...rest: unknown[]) => number } } }
}

/** Numbers that Emscripten gives to errors: https://github.com/WebAssembly/wasi-libc (wasi/api.h, `__WASI_ERRNO_*`). */
const REASONS: Record<number, string> = {
  19: 'the quota of disk space is used up',
  22: 'a file may not become larger',
  29: 'the disk reports an error',
  51: 'the disk is full',
  69: 'the disk is read-only',
}

/**
 * The files of the embedded database in `dataDir`. `onLogFailure` runs when its log cannot be written: Postgres ends
 * itself then, to recover at the next start, and the embedded one instead turns in a circle for ever without a word.
 */
export function openFiles(dataDir: string, onLogFailure: (reason: string) => void): NodeFS {
  const files = new NodeFS(dataDir)
  const init = files.init.bind(files)
  files.init = async (pg, options) => {
    const { emscriptenOpts } = await init(pg, options)
    const watch = (module: { FS: unknown }): void => watchLog(module.FS as FileSystem, onLogFailure)
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [watch, ...(emscriptenOpts.preRun as [])] } }
  }
  return files
}

function watchLog({ filesystems }: FileSystem, onLogFailure: (reason: string) => void): void {
  const operations = filesystems.NODEFS.stream_ops
  const { write } = operations
  operations.write = (stream, ...rest) => {
    try {
      return write(stream, ...rest)
    } catch (error) {
      const { errno = 0 } = error as { errno?: number }
      if (stream.path?.includes('/pg_wal/')) onLogFailure(REASONS[errno] ?? `error ${errno}`)
      throw error
    }
  }
}
