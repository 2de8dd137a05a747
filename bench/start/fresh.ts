import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { sampleFiles, uploadTo } from '../memory/load.ts'
import { secondsOf } from '../process-time.ts'

const ROOT = join(import.meta.dirname, '../..')
const MEGABYTE = 1024 * 1024
const BLOCK_BYTES = 512
const LIMIT_MS = 600_000

export interface FreshStart {
  /** From `npm start` to the answer to a question about a document that was uploaded. */
  seconds: number
  /** Of npm, of what it started, and of the service so far. */
  processorSeconds: number
  packages: number
  installedMb: number
}

/** `npm start` in a new clone of what is committed, by the system's own npm and Node, with npm's cache in `cache`. */
export async function startFresh(folder: string, cache: string): Promise<FreshStart> {
  execFileSync('git', ['clone', '--quiet', ROOT, folder])
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { PATH: systemPath(), HOME: process.env.HOME, npm_config_cache: cache, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    const origin = await addressOf(child)
    const [file] = sampleFiles().filter(({ name }) => name.endsWith('.en.md'))
    if (!file) throw new Error('The sample shop has no document')
    await uploadTo(origin, file.name, file.bytes)
    await askAt(origin)
    return {
      seconds: (performance.now() - startedAt) / 1_000,
      processorSeconds: secondsOf(child.pid as number),
      ...installed(join(folder, 'node_modules')),
    }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

/** Without the folders that npm puts before it, in which the pinned Node lies. */
function systemPath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.filter((each) => !each.includes('node_modules') && !each.includes('node-gyp-bin')).join(delimiter)
}

function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const limit = setTimeout(() => reject(new Error('The service did not start in time')), LIMIT_MS)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk
    const address = /"address":"([^"]+)"[^\n]*is ready"/.exec(output)?.[1]
    if (address) resolve(address)
  })
  child.once('exit', () => reject(new Error(`The service ended before it was ready:\n${output}`)))
  return promise.finally(() => clearTimeout(limit))
}

async function askAt(origin: string): Promise<void> {
  const response = await fetch(`${origin}/api/v1/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'How do I change my phone number?', session_id: 'fresh' }),
  })
  const { reply = '' } = (await response.json()) as { reply?: string }
  // The document's own words.
  if (!reply.includes('Phone number')) throw new Error(`The question was not answered (${response.status}): ${reply}`)
}

function installed(folder: string): Pick<FreshStart, 'packages' | 'installedMb'> {
  const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8')) as { packages: object }
  const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + lstatSync(join(folder, name)).blocks * BLOCK_BYTES,
    0,
  )
  return { packages: Object.keys(packages).length, installedMb: bytes / MEGABYTE }
}
