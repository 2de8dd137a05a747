import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { becomeSmall, beginCompiled, hasCompiled } from './small-process.ts'

const STRIPPER = 'NativeModule internal/deps/amaro/dist/index'

function processWith(change: Partial<NodeJS.Process> = {}) {
  const execve = vi.fn()
  const given = {
    platform: 'linux',
    env: { PATH: '/bin' },
    execPath: '/bin/node',
    execArgv: ['--enable-source-maps'],
    argv: ['/bin/node', '/app/src/main.ts', '--demo'],
    connected: false,
    execve,
    ...change,
  } as unknown as NodeJS.Process
  return { given, execve }
}

function begin(change: Partial<NodeJS.Process> = {}) {
  const { given, execve } = processWith(change)
  becomeSmall(given)
  return execve
}

describe('becoming a small process', () => {
  it('begins the same program again, once', () => {
    const execve = begin()
    expect(execve).toHaveBeenCalledOnce()
    const [file, args, env] = execve.mock.calls[0] as [string, string[], Record<string, string>]
    expect(file).toBe('/bin/node')
    expect(args).toEqual(['/bin/node', '--max-semi-space-size=4', '--enable-source-maps', '/app/src/main.ts', '--demo'])
    expect(env).toMatchObject({ PATH: '/bin', MALLOC_ARENA_MAX: '1' })
    expect(env.NODE_COMPILE_CACHE).toMatch(/\.cache.compiled$/)
    expect(begin({ env })).not.toHaveBeenCalled()
  })

  it('leaves what a person has set', () => {
    const execve = begin({ execArgv: ['--max-semi-space-size=64'], env: { MALLOC_ARENA_MAX: '8' } })
    const [, args, env] = execve.mock.calls[0] as [string, string[], Record<string, string>]
    expect(args.slice(1, 3)).toEqual(['--max-semi-space-size=64', '/app/src/main.ts'])
    expect(env.MALLOC_ARENA_MAX).toBe('8')
  })

  it.each<[string, Partial<NodeJS.Process>]>([
    ['on Windows', { platform: 'win32' }],
    ['under a debugger', { execArgv: ['--inspect-brk'] }],
    ['under a watcher', { execArgv: ['--watch'] }],
    ['with a parent that talks to it', { connected: true }],
  ])('stays as it is %s', (_, change) => {
    expect(begin(change)).not.toHaveBeenCalled()
  })
})

describe('beginning again with what was compiled', () => {
  const begun = { PATH: '/bin', FRONTDESK_SMALL: '1' }
  const isWanted = (env: NodeJS.ProcessEnv, moduleLoadList: string[]) =>
    hasCompiled({ ...processWith({ env }).given, moduleLoadList } as NodeJS.Process & { moduleLoadList: string[] })

  beforeAll(() => void enableCompileCache(join(tmpdir(), `small-process-${process.pid}`)))

  it('is wanted where types were removed, in a process that has begun again and has not for this', () => {
    expect(isWanted(begun, ['NativeModule fs', STRIPPER])).toBe(true)
    expect(isWanted(begun, ['NativeModule fs'])).toBe(false)
    expect(isWanted({ PATH: '/bin' }, [STRIPPER])).toBe(false)
  })

  it('comes once, with all the flags and settings', () => {
    const { given, execve } = processWith({ env: begun, execArgv: ['--max-semi-space-size=4'] })
    beginCompiled(given)
    const [, args, env] = execve.mock.calls[0] as [string, string[], Record<string, string>]
    expect(args).toEqual(['/bin/node', '--max-semi-space-size=4', '/app/src/main.ts', '--demo'])
    expect(env.PATH).toBe('/bin')
    expect(isWanted(env, [STRIPPER])).toBe(false)
    expect(begin({ env })).not.toHaveBeenCalled()
  })
})
