/**
 * Settings of the C library's allocator. By default each thread takes memory from an arena of its own and blocks below
 * a growing size are kept: what a start has freed stays with the process. https://man7.org/linux/man-pages/man3/mallopt.3.html
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '32768' }
/** New objects' space in MB, a quarter of the default: it takes less, and so does what is waiting to be collected. */
const COLLECTOR = '--max-semi-space-size=4'
const MARK = 'FRONTDESK_SMALL'

/**
 * Begins this process again, under its own id, with settings that are read when a process begins and take less memory.
 * Returns where that has happened, where the system cannot do it, and where a tool watches or debugs the process.
 */
export function becomeSmall({ platform, env, execPath, execArgv, argv, execve, connected }: NodeJS.Process): void {
  const isWatched = connected || execArgv.some((flag) => /^--(?:inspect|watch|test)/.test(flag))
  if (platform === 'win32' || !execve || env[MARK] || isWatched) return
  const flags = execArgv.some((flag) => flag.startsWith('--max-semi-space-size')) ? execArgv : [COLLECTOR, ...execArgv]
  execve(execPath, [execPath, ...flags, ...argv.slice(1)], { ...ALLOCATOR, ...env, [MARK]: '1' })
}
