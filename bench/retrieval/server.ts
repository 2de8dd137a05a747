import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Upload } from './data.ts'
import type { Chunk } from './mapping.ts'
import { createServerDatabase } from './server-database.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const START_TIMEOUT_MS = 120_000
const REQUEST_TIMEOUT_MS = 300_000

/** A running Frontdesk, reached over HTTP alone. */
export interface Server {
  readonly url: string
  upload(file: Upload): Promise<{ chunk_count: number }>
  recommend(query: string, topK: number): Promise<Chunk[]>
  /** Undefined: this server has no chat. */
  chat(message: string): Promise<{ data: { sources: { source: string }[] } } | undefined>
  stop(): Promise<void>
}

export interface ServerOptions {
  /** The file to start, where it is not this checkout's. */
  main?: string | undefined
}

/**
 * Starts the program as a child process on a data folder of its own, which goes when it stops; with TEST_DATABASE_URL on
 * a database of its own on that server. RESIDENT_PASSAGES is handed on: a low one has a small base treated as a large one.
 */
export async function startServer({ main = MAIN }: ServerOptions = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-bench-'))
  const { PATH, TEST_DATABASE_URL: server, RESIDENT_PASSAGES } = process.env
  const database = server ? await createServerDatabase(server) : null
  const chosen = { ...(database && { DATABASE_URL: database.url }), ...(RESIDENT_PASSAGES && { RESIDENT_PASSAGES }) }
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH, PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info', ...chosen },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await announcedAddress(child)
  return {
    ...connect(url, undefined),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
      await database?.drop()
    },
  }
}

function announcedAddress(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The server did not start in time')), START_TIMEOUT_MS)
    child.once('exit', (code) => reject(new Error(`The server ended at start (code ${code})`)))
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const address = /"address":"(http[^"]+)"/.exec(line)?.[1]
      if (!address) return
      clearTimeout(late)
      resolve(address)
    })
  })
}

/** A server that is running already; it keeps what is uploaded. */
export function connect(url: string, apiKey: string | undefined): Server {
  const headers: Record<string, string> = apiKey ? { 'x-api-key': apiKey } : {}
  const post = (path: string, body: string | FormData, extra: Record<string, string> = {}): Promise<Response> =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { ...headers, ...extra },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
  const postJson = (path: string, body: object): Promise<Response> =>
    post(path, JSON.stringify(body), { 'content-type': 'application/json' })
  return {
    url,
    async upload({ fileName, content }) {
      const form = new FormData()
      form.set('file', new File([new Uint8Array(content)], fileName))
      return answer<{ chunk_count: number }>(await post('/api/v1/knowledge/ingest', form))
    },
    async recommend(query, topK) {
      const path = '/api/v1/agent/sessions/bench/knowledge-recommend'
      return (await answer<{ chunks: Chunk[] }>(await postJson(path, { query, top_k: topK }))).chunks
    },
    async chat(message) {
      const response = await postJson('/api/v1/chat', { message })
      return response.status === 404 ? undefined : answer(response)
    },
    stop: async () => {},
  }
}

async function answer<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}
