// Open widgets: `npm run bench:widgets`. As many conversations as `--widgets` says, each with its event stream open over HTTP,
// as browsers have them; each asks a question, then for a person, who writes to every one. How many replies and messages
// arrived, whether any came twice or to another, how long they took, and what the service's memory grew by for each open
// widget. With `DATABASE_URL` on that server, whose database must be a throw-away one.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Collected, collectedIn } from './memory/collect.ts'

const { values } = parseArgs({ options: { widgets: { type: 'string', default: '1000' } } })
const WIDGETS = Number(values.widgets)
const AT_ONCE = 20
const ORIGIN = 'https://shop.example'
const KEY = 'a key for the bench alone'
const QUESTION = 'What is the return window?'

const data = mkdtempSync(join(tmpdir(), 'widgets-'))
const port = await freePort()
const service = `http://127.0.0.1:${port}`
const server = spawn(process.execPath, ['src/main.ts', '--demo'], {
  cwd: join(import.meta.dirname, '..'),
  env: {
    ...process.env,
    PORT: String(port),
    DATA_DIR: data,
    API_KEY: KEY,
    LOG_LEVEL: 'warn',
    WIDGET_SESSIONS_PER_MINUTE: '0',
    WIDGET_MESSAGES_PER_MINUTE: '0',
    WIDGET_REQUESTS_PER_MINUTE: '0',
    NODE_OPTIONS: `--expose-gc --import=${new URL('./memory/collect.ts', import.meta.url).href}`,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
server.stdout.on('data', (chunk) => {
  output += chunk
})
const open: Widget[] = []

interface Widget {
  token: string
  session: string
  /** What a person was heard to say, and when, in milliseconds of `performance`. */
  heard: { text: string; at: number }[]
  close: () => void
}

try {
  await untilReady()
  const { key } = await asDesk('POST', '/api/v1/settings/widgets', { name: 'Bench', allowed_origins: [ORIGIN] })
  await each(WIDGETS, async () => {
    const { token } = await asShop('/api/v1/widget/sessions', { key })
    await say(token, 'Hello')
    open.push({ token, session: sessionOf(token), heard: [], close: () => {} })
  })
  const before = await memory()
  await each(open.length, async (index) => follow(open[index] as Widget))
  const after = await memory()

  const replies: number[] = []
  await each(open.length, async (index) => {
    const begun = performance.now()
    const { token } = open[index] as Widget
    if ((await say(token, QUESTION)).includes('event: done')) replies.push(performance.now() - begun)
  })
  await each(open.length, async (index) => {
    await say((open[index] as Widget).token, 'I want to talk to a person')
  })

  const sent = new Map<string, number>()
  await each(open.length, async (index) => {
    const { session } = open[index] as Widget
    await asDesk('POST', `/api/v1/agent/sessions/${session}/accept`, { agent_id: 'bench' })
    const text = `Hello ${index}`
    sent.set(text, performance.now())
    await asDesk('POST', `/api/v1/agent/sessions/${session}/messages`, { content: text })
  })
  await pause(2_000)
  const arrived = open.flatMap(({ heard }, index) => heard.find(({ text }) => text === `Hello ${index}`) ?? [])
  const times = arrived.map(({ text, at }) => at - (sent.get(text) ?? at))
  const heard = open.reduce((sum, widget) => sum + widget.heard.length, 0)
  console.log(`${open.length} widgets open, on ${availableParallelism()} processors`)
  console.log(`Questions: ${replies.length} of ${open.length} answered to their end: ${summary(replies)}`)
  console.log(
    `Messages of a person: ${arrived.length} of ${sent.size} arrived, ${heard - arrived.length} twice or elsewhere: ${summary(times)}`,
  )
  const kbEach = (of: (memory: Collected) => number) => ((of(after) - of(before)) / 1024 / open.length).toFixed(1)
  console.log(
    `Memory of an open widget: ${kbEach(({ heapBytes }) => heapBytes)} kB of heap, ${kbEach(({ residentBytes }) => residentBytes)} kB resident`,
  )
  const isWhole = arrived.length === sent.size && heard === arrived.length && replies.length === open.length
  process.exitCode = isWhole ? 0 : 1
} finally {
  for (const { close } of open) close()
  server.kill()
  await new Promise((resolve) => server.once('close', resolve))
  rmSync(data, { recursive: true, force: true })
}

/** A message of a customer, and all of the reply. */
async function say(token: string, message: string): Promise<string> {
  return (await ask('POST', '/api/v1/widget/messages', { message }, shopHeaders(token))).text()
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(0)
  return `median ${at(0.5)} ms, slowest twentieth ${at(0.95)} ms`
}

async function follow(widget: Widget): Promise<void> {
  const end = new AbortController()
  widget.close = () => end.abort()
  const response = await fetch(`${service}/api/v1/widget/events`, {
    headers: shopHeaders(widget.token),
    signal: end.signal,
  })
  if (!response.ok || !response.body) throw new Error(`events: ${response.status} ${await response.text()}`)
  void listen(response.body, widget).catch(() => {})
}

async function listen(body: ReadableStream<Uint8Array>, { heard }: Widget): Promise<void> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, said] = /"content":"(Hello \d+)"/.exec(event) ?? []
      if (said) heard.push({ text: said, at: performance.now() })
    }
  }
}

async function each(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

function shopHeaders(token: string): Record<string, string> {
  return { origin: ORIGIN, authorization: `Bearer ${token}` }
}

async function asShop(path: string, body: object): Promise<{ token: string }> {
  return (await ask('POST', path, body, { origin: ORIGIN })).json() as Promise<{ token: string }>
}

async function asDesk(method: string, path: string, body: object): Promise<{ key: string }> {
  return (await ask(method, path, body, { 'x-api-key': KEY })).json() as Promise<{ key: string }>
}

async function ask(method: string, path: string, body: object, headers: Record<string, string>): Promise<Response> {
  const options = { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  const response = await fetch(`${service}${path}`, options)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

/** A widget's token names its conversation. */
function sessionOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
}

/** What is left once the service has collected its garbage twice, which it does every five seconds. */
async function memory(): Promise<Collected> {
  const seen = collectedIn(output).length
  while (collectedIn(output).length < seen + 2) await pause(500)
  return collectedIn(output).at(-1) as Collected
}

async function untilReady(): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const isReady = await fetch(`${service}/demo/widget`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await pause(200)
  }
  throw new Error('The service did not start')
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
