import { accessSync, constants } from 'node:fs'
import { flushCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'

/**
 * Settings of the C library's allocator. By default each thread takes memory from an arena of its own and blocks below
 * a growing size are kept: what a start has freed stays with the process. https://man7.org/linux/man-pages/man3/mallopt.3.html
 * The Chinese dictionary brings an allocator of its own, which takes a gigabyte of addresses at once: its memory is to
 * count as it is used. https://microsoft.github.io/mimalloc/environment.html
 */
const ALLOCATORS = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '32768', MIMALLOC_ARENA_EAGER_COMMIT: '0' }
/** New objects' space in MB, a quarter of the default: it takes less, and so does what is waiting to be collected. */
const COLLECTOR = '--max-semi-space-size=4'
/** How often this process has begun again. */
const MARK = 'FRONTDESK_SMALL'
/** Half of a start was compiling modules that had been compiled before. Where nothing may be written it only takes longer. */
export const COMPILED = join(import.meta.dirname, '../.cache/compiled')
/** The module that removes types. One that is found compiled needs it no more. */
const STRIPPER = 'NativeModule internal/deps/amaro/dist/index'

/**
 * Begins this process again, under its own id, with settings that are read when a process begins: they take less memory,
 * and keep what is compiled. Returns where that has happened, where the system cannot do it, and where a tool watches or
 * debugs the process.
 */
export function becomeSmall(process: NodeJS.Process): void {
  if (process.env[MARK]) return
  const { execArgv } = process
  const flags = execArgv.some((flag) => flag.startsWith('--max-semi-space-size')) ? execArgv : [COLLECTOR, ...execArgv]
  beginAgain(process, flags, { NODE_COMPILE_CACHE: COMPILED, ...ALLOCATORS, ...process.env, [MARK]: '1' })
}

/**
 * Whether this process has loaded what removes the types, which stays in memory (17 MB), and would do without if it began
 * again: after a change of the program its first start compiles, and that is kept for the next.
 */
export function hasCompiled({ env, moduleLoadList }: NodeJS.Process & { moduleLoadList?: string[] }): boolean {
  return env[MARK] === '1' && Boolean(moduleLoadList?.includes(STRIPPER)) && canKeep(getCompileCacheDir())
}

/** Where nothing is kept, as on a disk that may only be read, each start would begin again in vain. */
function canKeep(folder: string | undefined): boolean {
  try {
    accessSync(folder ?? '', constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Keeps what was compiled and begins this process again, once. Nothing may be open that has to be closed. */
export function beginCompiled(process: NodeJS.Process): void {
  flushCompileCache()
  beginAgain(process, process.execArgv, { ...process.env, [MARK]: '2' })
}

function beginAgain(process: NodeJS.Process, flags: readonly string[], env: NodeJS.ProcessEnv): void {
  const { platform, execPath, execArgv, argv, execve, connected } = process
  const isWatched = connected || execArgv.some((flag) => /^--(?:inspect|watch|test)/.test(flag))
  if (platform === 'win32' || !execve || isWatched) return
  execve(execPath, [execPath, ...flags, ...argv.slice(1)], env)
}
