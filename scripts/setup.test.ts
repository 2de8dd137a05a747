import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const LOCKED = {
  '': { name: 'project' },
  'node_modules/needed': { version: '1.0.0' },
  'node_modules/tool': { version: '2.0.0', dev: true },
  'node_modules/runtime': { version: '4.0.0', peer: true },
  'node_modules/elsewhere': { version: '3.0.0', optional: true, os: ['none'] },
}

/** Stands in for npm: installs what the lockfile and the arguments say, and keeps a line for each run. */
const NPM = `
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
appendFileSync('npm-runs', process.argv.slice(2).join(' ') + '\\n')
if (process.env.NPM_FAILS) process.exit(7)
if (process.argv[2] === 'ci') rmSync('node_modules', { recursive: true, force: true })
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
delete packages['']
delete packages['node_modules/elsewhere']
for (const [path, { dev, peer }] of Object.entries(packages)) {
  const isOmitted = (dev && process.argv.includes('--omit=dev')) || (peer && process.argv.includes('--omit=peer'))
  if (isOmitted) delete packages[path]
}
for (const path of Object.keys(packages)) mkdirSync(path, { recursive: true })
writeFileSync('npm-pid', String(process.pid))
if (process.env.NPM_HANGS) await new Promise((resolve) => setTimeout(resolve, 600_000))
await new Promise((resolve) => setTimeout(resolve, 300))
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

const SERVICE = { npm_lifecycle_event: 'prestart' }

let root: string
const children: ChildProcess[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'setup-'))
  mkdirSync(join(root, 'scripts'))
  for (const name of ['setup.mjs', 'build-web.mjs']) {
    writeFileSync(join(root, 'scripts', name), readFileSync(join(import.meta.dirname, name)))
  }
  writeFileSync(join(root, 'npm-cli.js'), NPM)
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeLockfile(LOCKED)
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  killNpm()
  rmSync(root, { recursive: true })
})

describe('dependencies', () => {
  test('are installed from the lockfile, without install scripts, when there are none', async () => {
    expect(await run()).toMatchObject({ code: 0 })
    expect(npmRuns()).toHaveLength(1)
    expect(npmRuns()[0]).toMatch(/^ci --ignore-scripts /)
  })

  test('are left alone, in silence, when they are the lockfile’s', async () => {
    await run()
    expect(await run()).toEqual({ code: 0, said: '' })
    expect(npmRuns()).toHaveLength(1)
  })

  test('that somebody installed by hand count', async () => {
    install(LOCKED)
    expect(await run()).toEqual({ code: 0, said: '' })
    expect(npmRuns()).toEqual([])
  })

  test('are installed again when the lockfile has changed', async () => {
    await run()
    writeLockfile({ ...LOCKED, 'node_modules/needed': { version: '1.0.1' } })
    await run()
    expect(npmRuns()).toHaveLength(2)
  })

  test('are not installed again when the lockfile changed in nothing that is installed', async () => {
    await run()
    writeLockfile({ ...LOCKED, 'node_modules/another-platform': { version: '1.0.0', optional: true } })
    expect(await run()).toEqual({ code: 0, said: '' })
    expect(npmRuns()).toHaveLength(1)
  })

  test('that lost a folder are installed again once the stamp is gone', async () => {
    install(LOCKED)
    rmSync(join(root, 'node_modules/tool'), { recursive: true })
    await run()
    expect(npmRuns()).toHaveLength(1)
  })

  test('that tests and models need are not installed for the service, and those that somebody installed without are enough', async () => {
    await run(SERVICE)
    expect(installed()).toEqual(['needed'])
    expect(await run(SERVICE)).toEqual({ code: 0, said: '' })
    rmSync(join(root, 'node_modules/.setup-stamp'))
    expect(await run(SERVICE)).toEqual({ code: 0, said: '' })
    expect(npmRuns()).toHaveLength(1)
  })

  test('that the tests need as well are added to those of the service, which stay where they are', async () => {
    await run(SERVICE)
    writeFileSync(join(root, 'node_modules/needed/loaded-later.js'), '')
    expect((await run({ npm_lifecycle_event: 'pretest' })).said).toContain('the rest of the dependencies')
    expect(installed()).toEqual(['needed', 'runtime', 'tool'])
    expect(existsSync(join(root, 'node_modules/needed/loaded-later.js'))).toBe(true)
    expect(npmRuns()[1]).toMatch(/^install --no-save --ignore-scripts .*--include=dev --include=peer$/)
    for (const event of ['prestart', 'pretest', 'prestart']) {
      expect(await run({ npm_lifecycle_event: event })).toEqual({ code: 0, said: '' })
    }
    expect(npmRuns()).toHaveLength(2)
  })

  test.each<[string, Record<string, string>, string]>([
    ['the environment', { EMBEDDING_MODEL_DIR: '/models/one' }, ''],
    ['.env', {}, 'API_KEY=x\nEMBEDDING_MODEL_DIR="/models/one"\n'],
  ])('that run a model are installed for the service where %s names one', async (_, environment, dotEnv) => {
    await run(SERVICE)
    writeFileSync(join(root, '.env'), '# EMBEDDING_MODEL_DIR=/models/one\nEMBEDDING_MODEL_DIR=\n')
    expect(await run(SERVICE)).toEqual({ code: 0, said: '' })
    writeFileSync(join(root, '.env'), dotEnv)
    await run({ ...SERVICE, ...environment })
    expect(installed()).toEqual(['needed', 'runtime'])
    expect(await run({ ...SERVICE, ...environment })).toEqual({ code: 0, said: '' })
    expect(await run(SERVICE)).toEqual({ code: 0, said: '' })
    expect(npmRuns()).toHaveLength(2)
  })

  test('of which some are outdated are all installed anew', async () => {
    await run(SERVICE)
    writeLockfile({ ...LOCKED, 'node_modules/needed': { version: '1.0.1' } })
    await run({ npm_lifecycle_event: 'pretest' })
    expect(npmRuns()[1]).toMatch(/^ci /)
  })

  test('that cannot be installed end it with npm’s exit code, and are tried again the next time', async () => {
    expect(await run({ NPM_FAILS: '1' })).toEqual({ code: 7, said: expect.stringContaining('npm exit code 7') })
    expect(await run()).toMatchObject({ code: 0 })
    expect(npmRuns()).toHaveLength(2)
  })
})

describe('an installation that is cut off', () => {
  test('by SIGKILL is done again', async () => {
    const child = start({ NPM_HANGS: '1' })
    await until(() => existsSync(join(root, 'npm-pid')))
    child.kill('SIGKILL')
    await once(child, 'exit')
    killNpm()
    expect(await run()).toMatchObject({ code: 0 })
    expect(npmRuns()).toHaveLength(2)
  })

  test('by SIGTERM ends npm, reports failure and leaves no lock', async () => {
    const child = start({ NPM_HANGS: '1' })
    await until(() => existsSync(join(root, 'npm-pid')))
    child.kill('SIGTERM')
    const [code] = await once(child, 'close')
    expect(code).not.toBe(0)
    expect(isAlive(npmPid())).toBe(false)
    expect(existsSync(join(root, '.cache/setup.lock'))).toBe(false)
    expect(await run()).toMatchObject({ code: 0 })
  })
})

describe('several at once', () => {
  test('install once; the others wait', async () => {
    const results = await Promise.all([run(), run(), run(), run()])
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(npmRuns()).toHaveLength(1)
    expect(existsSync(join(root, '.cache/setup.lock'))).toBe(false)
  })

  test('take over the lock of a process that is no more', async () => {
    mkdirSync(join(root, '.cache'))
    writeFileSync(join(root, '.cache/setup.lock'), '2147483646')
    const results = await Promise.all([run(), run(), run()])
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(npmRuns()).toHaveLength(1)
  })
})

describe('Node', () => {
  const olderThanNeeded = () => {
    const path = join(root, 'scripts/setup.mjs')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/MINIMUM_NODE = '[\d.]+'/, "MINIMUM_NODE = '99.0.0'"))
  }

  test('that is too old, with no pinned one, is said to be so', async () => {
    olderThanNeeded()
    const { code, said } = await run()
    expect(code).toBe(1)
    expect(said).toContain(`needs Node 99.0.0 or newer; this is Node ${process.versions.node}`)
    expect(said).toContain('--include=optional')
  })

  test('that is too old does not matter when the pinned one is there', async () => {
    olderThanNeeded()
    install(LOCKED)
    writePinnedNode('#!/bin/sh\necho v99.0.0\n')
    expect(await run()).toEqual({ code: 0, said: '' })
  })

  test('that is pinned but cannot run here gives way to the system’s', async () => {
    install(LOCKED)
    writePinnedNode('#!/no/such/loader\n')
    expect(await run()).toEqual({ code: 0, said: '' })
    expect(existsSync(join(root, 'node_modules/.bin/node'))).toBe(false)
  })

  test('versions compare as numbers', async () => {
    const { isAtLeast } = await import(join(import.meta.dirname, 'setup.mjs'))
    expect(isAtLeast('24.3.0', '24.3.0')).toBe(true)
    expect(isAtLeast('v24.21.0', '24.3.0')).toBe(true)
    expect(isAtLeast('26.0.0', '24.3.0')).toBe(true)
    expect(isAtLeast('24.2.9', '24.3.0')).toBe(false)
    expect(isAtLeast('9.9.9', '24.3.0')).toBe(false)
  })
})

function writeLockfile(packages: object): void {
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
}

/** Leaves node_modules as npm does after an installation that we did not start. */
function install(packages: Record<string, object>): void {
  const { '': _, 'node_modules/elsewhere': __, ...installed } = packages
  for (const path of Object.keys(installed)) mkdirSync(join(root, path), { recursive: true })
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
}

function writePinnedNode(text: string): void {
  mkdirSync(join(root, 'node_modules/.bin'))
  writeFileSync(join(root, 'node_modules/.bin/node'), text)
  chmodSync(join(root, 'node_modules/.bin/node'), 0o755)
}

function start(env: Record<string, string> = {}): ChildProcess {
  const npm = { npm_execpath: join(root, 'npm-cli.js'), npm_node_execpath: process.execPath, npm_lifecycle_event: '' }
  const child = spawn(process.execPath, ['scripts/setup.mjs'], { cwd: root, env: { ...process.env, ...npm, ...env } })
  children.push(child)
  return child
}

async function run(env: Record<string, string> = {}): Promise<{ code: number; said: string }> {
  const child = start(env)
  let said = ''
  child.stderr?.on('data', (data: Buffer) => {
    said += data
  })
  const [code] = await once(child, 'close')
  return { code, said }
}

/** The arguments of each run of npm so far. */
function npmRuns(): string[] {
  const path = join(root, 'npm-runs')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

/** Names of the packages that are there, in order. */
function installed(): string[] {
  return readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.'))
}

function npmPid(): number {
  return Number(readFileSync(join(root, 'npm-pid'), 'utf8'))
}

function killNpm(): void {
  if (existsSync(join(root, 'npm-pid')) && isAlive(npmPid())) process.kill(npmPid(), 'SIGKILL')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
}
