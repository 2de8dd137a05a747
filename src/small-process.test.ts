import { describe, expect, it, vi } from 'vitest'
import { becomeSmall } from './small-process.ts'

function begin(change: Partial<NodeJS.Process> = {}) {
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
