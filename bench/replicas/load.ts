import { setTimeout as sleep } from 'node:timers/promises'
import { sampleFiles } from '../memory/load.ts'

const SHOP = 'https://shop.example'
/** Requests under way at once at a steady rate. */
const AT_ONCE = 16
/** What a person writes takes a moment to arrive everywhere. */
const ARRIVAL_MS = 3_000
const TURNS_OF_A_SESSION = 6

export interface Measured {
  /** Of every request, in milliseconds. */
  latencies: number[]
  /** Messages of a person. */
  written: number
  /** That the requests took together. */
  seconds: number
}

/** A page of the shop with its conversation open: its event stream is on one replica, its requests go to any. */
export interface Page {
  token: string
  session: string
  /** How often each message of a person arrived. */
  heard: Map<string, number>
  close(): void
}

/** Conversations that a person has taken, each followed by its page. Replicas take turns. */
export async function openPages(origins: readonly string[], count: number): Promise<Page[]> {
  const settings = { name: 'Bench', allowed_origins: [SHOP] }
  const { key } = (await (await post(`${origins[0]}/api/v1/settings/widgets`, settings)).json()) as { key: string }
  const pages: Page[] = []
  for (let i = 0; i < count; i++) {
    const [origin, other] = [turn(origins, i), turn(origins, i + 1)]
    const made = await post(`${origin}/api/v1/widget/sessions`, { key }, { origin: SHOP })
    const { token } = (await made.json()) as { token: string }
    const session = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid as string
    await whole(post(`${origin}/api/v1/widget/messages`, { message: 'I want to talk to a person' }, shopHeaders(token)))
    await whole(post(`${other}/api/v1/agent/sessions/${session}/accept`, { agent_id: 'bench' }))
    pages.push(await follow(origin, token, session))
  }
  return pages
}

async function follow(origin: string, token: string, session: string): Promise<Page> {
  const end = new AbortController()
  const response = await fetch(`${origin}/api/v1/widget/events`, { headers: shopHeaders(token), signal: end.signal })
  if (!response.ok || !response.body) throw new Error(`events: ${response.status}`)
  const page: Page = { token, session, heard: new Map(), close: () => end.abort() }
  // It ends with the page.
  void listen(response.body, page.heard).catch(() => {})
  return page
}

async function listen(body: ReadableStream<Uint8Array>, heard: Map<string, number>): Promise<void> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const end = text.lastIndexOf('\n\n') + 2
    for (const [said] of text.slice(0, Math.max(0, end)).matchAll(/Hello \d+!/g))
      heard.set(said, (heard.get(said) ?? 0) + 1)
    if (end > 1) text = text.slice(end)
  }
}

/** Messages of a person that arrived once. */
export function heardBy(pages: readonly Page[]): number {
  return pages.reduce((sum, { heard }) => sum + [...heard.values()].filter((times) => times === 1).length, 0)
}

/** Requests at a rate: half of them questions by the API, the others what people write to pages and pages to them. */
export async function steadily(load: {
  origins: readonly string[]
  pages: readonly Page[]
  rate: number
  seconds: number
}): Promise<Measured> {
  const { origins, pages, rate, seconds } = load
  const questions = questionsOfTheShop()
  const measured: Measured = { latencies: [], written: 0, seconds: 0 }
  const startedAt = performance.now()
  let next = 0
  const total = rate * seconds
  const work = async (): Promise<void> => {
    for (let number = next++; number < total; number = next++) {
      await sleep(Math.max(0, startedAt + (number * 1_000) / rate - performance.now()))
      await timed(measured, () => step(number))
    }
  }
  // Nobody has asked before, however often this is called.
  const mark = Math.random().toString(36).slice(2, 8)
  async function step(number: number): Promise<void> {
    const origin = turn(origins, number)
    const page = pages[number % pages.length]!
    if (number % 4 === 0) {
      await say(origin, page.session, `Hello ${number}!`)
      measured.written++
    } else if (number % 4 === 1) {
      const body = { message: `I have written to you, ${number}` }
      await whole(post(`${origin}/api/v1/widget/messages`, body, shopHeaders(page.token)))
    } else {
      const isRepeated = number % 4 === 2
      const question = turn(questions, isRepeated ? number % 20 : number)
      const message = isRepeated ? question : `${question} ${mark}${number}?`
      await chat(origin, message, `${mark}-${Math.floor(number / TURNS_OF_A_SESSION)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  measured.seconds = (performance.now() - startedAt) / 1_000
  await sleep(ARRIVAL_MS)
  return measured
}

/** Questions that nobody asked before, each client's next when it has its answer. */
export async function flatOut(load: {
  origins: readonly string[]
  clients: number
  seconds: number
}): Promise<Measured> {
  const { origins, clients, seconds } = load
  const questions = questionsOfTheShop()
  const measured: Measured = { latencies: [], written: 0, seconds: 0 }
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  const mark = Math.random().toString(36).slice(2, 8)
  const client = async (_: unknown, index: number): Promise<void> => {
    for (let number = 0; performance.now() < endsAt; number++) {
      const question = `${turn(questions, number * clients + index)} ${mark}${index} ${number}?`
      await timed(measured, () =>
        chat(turn(origins, index), question, `${mark}-${index}-${Math.floor(number / TURNS_OF_A_SESSION)}`),
      )
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  measured.seconds = (performance.now() - startedAt) / 1_000
  return measured
}

async function timed({ latencies }: Measured, work: () => Promise<void>): Promise<void> {
  const begunAt = performance.now()
  await work()
  latencies.push(performance.now() - begunAt)
}

function questionsOfTheShop(): string[] {
  return sampleFiles()
    .filter(({ name }) => name.endsWith('.md'))
    .flatMap(({ bytes }) => Buffer.from(bytes).toString().split('\n'))
    .filter((text) => text.length > 20)
    .map((text) => text.slice(0, 60))
}

async function chat(origin: string, message: string, sessionId: string): Promise<void> {
  await whole(post(`${origin}/api/v1/chat`, { message, session_id: sessionId }))
}

async function say(origin: string, session: string, content: string): Promise<void> {
  await whole(post(`${origin}/api/v1/agent/sessions/${session}/messages`, { content }))
}

function shopHeaders(token: string): Record<string, string> {
  return { origin: SHOP, authorization: `Bearer ${token}` }
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
  const response = await fetch(url, { ...options, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response
}

async function whole(asked: Promise<Response>): Promise<void> {
  await (await asked).text()
}

function turn<T>(all: readonly T[], number: number): T {
  return all[number % all.length] as T
}
