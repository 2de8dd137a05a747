import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const MANUAL =
  '# Returns\n\nGoods may be returned within 14 days of delivery. Bring the parcel and the receipt to the counter.\n'

/** The program as a process of its own, with a model and a page of knowledge. */
export async function startService(folder: string, modelUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const settings = { PORT: '0', DATA_DIR: join(folder, 'data'), LLM_MODEL: 'm', LLM_BASE_URL: modelUrl }
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'info', ...settings }
  const child = spawn(process.execPath, [MAIN], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((resolve, reject) => {
    let log = ''
    child.once('exit', (code) => reject(new Error(`The server ended at start (code ${code})`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      const address = /"address":"(http[^"]+)"/.exec(log)?.[1]
      if (address) resolve(address)
    })
  })
  const tuned = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"cache_ttl_seconds": 0}' }
  await expectOk(fetch(`${url}/api/v1/tuner/params`, tuned))
  const form = new FormData()
  form.set('file', new File([MANUAL], 'returns.md'))
  await expectOk(fetch(`${url}/api/v1/knowledge/ingest`, { method: 'POST', body: form }))
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function expectOk(answer: Promise<Response>): Promise<void> {
  const response = await answer
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
}
