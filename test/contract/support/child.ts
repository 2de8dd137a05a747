import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { copyOfTemplate } from '../../support/test-database.ts'

const MAIN = new URL('../../../src/main.ts', import.meta.url).pathname
const START_LIMIT_MS = 120_000

/** Where a child keeps its data: a folder, or a schema of the server named by TEST_DATABASE_URL. */
export interface Storage {
  /** Settings that name it. */
  readonly environment: Readonly<Record<string, string>>
  readonly dataDir: string | undefined
  remove(): Promise<void>
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The program as a process of its own. */
export interface Child {
  readonly pid: number
  readonly origin: string
  readonly port: number
  /** From the start of the process until it said that it was ready. */
  readonly startedInMs: number
  readonly exited: Promise<Exit>
  /** Everything that it has written. */
  output(): string
  /** Resident memory, in bytes. Linux only; elsewhere undefined. */
  memory(): Promise<number | undefined>
  stop(signal: NodeJS.Signals): Promise<Exit>
}

/** Migrated and empty. */
export async function newStorage(): Promise<Storage> {
  const url = process.env.TEST_DATABASE_URL
  return url ? schemaOf(url) : newEmbedded()
}

/** Embedded, migrated and empty, also while the suite runs on a server. */
export async function newEmbedded(): Promise<Storage> {
  return folder(await copyOfTemplate())
}

/** A folder in which no database has been made yet. */
export async function newFolder(): Promise<Storage> {
  return folder(await mkdtemp(join(tmpdir(), 'frontdesk-child-')))
}

function folder(dataDir: string): Storage {
  return {
    environment: { DATA_DIR: dataDir, DATABASE_URL: '' },
    dataDir,
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

async function schemaOf(url: string): Promise<Storage> {
  const schema = newName()
  const run = (statement: string) => runOn(url, statement)
  await run(`create schema ${schema}`)
  const own = new URL(url)
  own.searchParams.set('options', `-c search_path=${schema},public`)
  return {
    environment: { DATABASE_URL: own.href },
    dataDir: undefined,
    remove: () => run(`drop schema ${schema} cascade`),
  }
}

/** A database of its own on the server at `url`, in which nothing has been made yet, not even the extension. */
export async function newServerDatabase(url: string): Promise<Storage> {
  const name = newName()
  await runOn(url, `create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    environment: { DATABASE_URL: own.href },
    dataDir: undefined,
    remove: () => runOn(url, `drop database ${name} with (force)`),
  }
}

const newName = (): string => `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Starts `src/main.ts` on a free port and waits until it is ready. Rejects with its output when it ends before. */
export async function startChild(storage: Storage, environment: Record<string, string> = {}): Promise<Child> {
  const starting = launch(storage, environment)
  const limit = setTimeout(() => starting.process.kill('SIGKILL'), START_LIMIT_MS)
  const origin = await Promise.race([starting.ready, starting.exited.then(() => undefined)])
  clearTimeout(limit)
  if (!origin) throw new Error(`The program ended before it was ready:\n${starting.output()}`)
  const { process: child, exited, output, startedAt } = starting
  const pid = child.pid as number
  return {
    pid,
    origin,
    port: Number(new URL(origin).port),
    startedInMs: Math.round(performance.now() - startedAt),
    exited,
    output,
    memory: () => residentBytes(pid),
    stop(signal) {
      child.kill(signal)
      return exited
    },
  }
}

/** Starts the program without waiting for it. */
export function launch(storage: Storage, environment: Record<string, string> = {}) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [MAIN], {
    // Not the project's folder: its .env is for people.
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      ...storage.environment,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: string[] = []
  const { promise: ready, resolve } = Promise.withResolvers<string>()
  const read = (chunk: Buffer): void => {
    chunks.push(chunk.toString())
    const address = /"address":"([^"]+)"[^\n]*is ready"/.exec(chunks.join(''))?.[1]
    if (address) resolve(address)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  return { process: child, startedAt, ready, exited: exitOf(child), output: () => chunks.join('') }
}

/** Resolves when the process ended and its output is complete. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
}

async function residentBytes(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
}
