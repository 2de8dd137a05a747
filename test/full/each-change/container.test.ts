import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyOfTemplate } from '../../support/test-database.ts'

const ROOT = new URL('../../../', import.meta.url).pathname
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const dockerfile = read('Dockerfile')
const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths]) => (paths as string).split(' '))

describe('the image as a folder', () => {
  let folder: string
  let dataDir: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-image-'))
    for (const path of copied)
      cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: (file) => !file.endsWith('.test.ts') })
    linkProductionPackages(folder)
    dataDir = await copyOfTemplate()
  })
  afterAll(() => {
    for (const each of [folder, dataDir]) rmSync(each, { recursive: true, force: true })
  })

  it('is compiled before it is used, and what is compiled is kept', async () => {
    const args = ['--preserve-symlinks', '--preserve-symlinks-main', 'src/main.ts', '--compile']
    const child = spawn(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH }, stdio: 'inherit' })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    expect(globSync('.cache/compiled/*/*', { cwd: folder }).length).toBeGreaterThan(1_000)
    expect(dockerfile).toMatch(/^RUN node src\/main\.ts --compile && chmod -R a\+rX \.cache$/m)
  })

  it('starts with production dependencies alone, and its health check finds it', async () => {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      PORT: '0',
      API_KEY: 'a secret of 24 characters',
    }
    const flags = ['--preserve-symlinks', '--preserve-symlinks-main']
    const child = spawn(process.execPath, [...flags, 'src/main.ts'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    const ready = Promise.withResolvers<string | undefined>()
    const listen = (chunk: Buffer): void => {
      said += chunk.toString()
      const port = /"address":"http:\/\/[^"]+:(\d+)"/.exec(said)?.[1]
      if (port) ready.resolve(port)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
    exited.then(() => ready.resolve(undefined))
    const port = await ready.promise
    expect(port, said).toBeDefined()
    expect(await healthCheck(port as string)).toBe(0)
    child.kill('SIGTERM')
    expect(await exited, said).toBe(0)
    expect(await healthCheck(port as string)).toBe(1)
  })

  /** Exit code of the command in the Dockerfile. */
  function healthCheck(port: string): Promise<number | null> {
    const [, ...args] = JSON.parse(/HEALTHCHECK[^[]*(\[.*\])$/m.exec(dockerfile)?.[1] ?? '') as string[]
    const child = spawn(process.execPath, args, { env: { PORT: port }, stdio: 'ignore' })
    return new Promise((resolve) => child.once('close', resolve))
  }
})

/** What `npm ci --omit=dev --omit=peer` would put there. */
function linkProductionPackages(folder: string): void {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> }
  for (const [path, { dev, peer }] of Object.entries(packages)) {
    // Nested ones come with the folder of their owner.
    if (dev || peer || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) || globSync(path, { cwd: ROOT }).length === 0)
      continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(ROOT, path), join(folder, path))
  }
}

interface Package {
  dev?: boolean
  peer?: boolean
}
