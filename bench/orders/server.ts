import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname

export interface OrderServer {
  post(path: string, body: object): Promise<Reply>
  get(path: string): Promise<Reply>
  load(kind: string, file: string): Promise<Reply>
  /** Everything that it has logged, at the level that logs most. */
  log(): string
  stop(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: the bench looks into whatever body came back
export type Reply = any

/** Starts the program as a child process on a data folder of its own, which goes when it stops. */
export async function startServer(): Promise<OrderServer> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-orders-'))
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'trace' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const address = new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended at start (code ${code})`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      lines.push(text)
      const found = /"address":"(http[^"]+)"/.exec(lines.slice(-2).join(''))?.[1]
      if (found) resolve(found)
    })
  })
  const origin = await address
  const answer = async (path: string, init: RequestInit): Promise<Reply> => {
    const response = await fetch(`${origin}/api/v1${path}`, init)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  return {
    post: (path, body) =>
      answer(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    get: (path) => answer(path, {}),
    load(kind, file) {
      const form = new FormData()
      form.set('kind', kind)
      form.set('file', new File([readFileSync(file)], basename(file)))
      return answer('/business/import', { method: 'POST', body: form })
    },
    log: () => lines.join(''),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
