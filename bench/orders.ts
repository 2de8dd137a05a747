// “Where is order …” for every order of a folder, in both languages, over HTTP, by its owner, by a stranger and by the
// people who help. Run: npm run bench:orders -- [--data FOLDER], a folder with orders.jsonl and customers.jsonl or users.jsonl.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { toCustomer, toOrder } from '../src/features/orders/record-import.ts'
import type { Customer, Language, Order } from '../src/features/orders/types.ts'
import { noteFigure } from './figures.ts'
import { checkData, checkReply, leaksIn, secretsOf, tells } from './orders/checks.ts'
import { type OrderServer, startServer } from './orders/server.ts'

const SAMPLE = new URL('../sample/', import.meta.url).pathname
const AT_ONCE = 8
const MAX_TRACES = 200

const { values } = parseArgs({ options: { data: { type: 'string', default: SAMPLE } } })
const customersFile = ['customers.jsonl', 'users.jsonl'].map((name) => join(values.data, name)).find(existsSync) ?? ''
const ordersFile = join(values.data, 'orders.jsonl')

const questions: Record<Language, (id: string) => string> = {
  en: (id) => `Where is order ${id}?`,
  zh: (id) => `订单 ${id} 在哪里？`,
}

interface Row {
  name: string
  passed: number
  asked: number
}
const rows: Row[] = []
const leaked = new Set<string>()

function record(name: string, results: readonly boolean[]): void {
  rows.push({ name, passed: results.filter(Boolean).length, asked: results.length })
}

function readLines<T>(file: string, read: (row: unknown) => T): T[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => read(JSON.parse(line)))
}

const orders: Order[] = readLines(ordersFile, toOrder)
const customers: Customer[] = readLines(customersFile, toCustomer)

/** Runs a few at a time, in order. */
async function forEachOrder<T>(work: (order: Order, index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let start = 0; start < orders.length; start += AT_ONCE) {
    const batch = orders.slice(start, start + AT_ONCE)
    results.push(...(await Promise.all(batch.map((order, i) => work(order, start + i)))))
  }
  return results
}

const unknownNumber = (index: number): string => `#W99${String(index).padStart(5, '0')}`
const strangerTo = ({ user_id }: Order): string => customers.find((other) => other.user_id !== user_id)?.user_id ?? ''

function hidden(text: string, order: Order): boolean {
  const found = leaksIn(text, secretsOf(order, customers))
  for (const secret of found) leaked.add(secret)
  return found.length === 0
}

async function askAsOwner(server: OrderServer, language: Language): Promise<void> {
  const replies = await forEachOrder(async (order, index) => {
    const session_id = `owner-${language}-${index}`
    const message = questions[language](order.order_id)
    const { reply } = await server.post('/chat', { message, session_id, user_id: order.user_id })
    return { reply: String(reply), ...checkReply(order, String(reply)) }
  })
  for (const part of ['status', 'items', 'total', 'tracking'] as const) {
    record(
      `${language}: ${part} exact in the reply`,
      replies.map((reply) => reply[part]),
    )
  }
  record(
    `${language}: nothing personal in the reply`,
    replies.map(({ reply }, index) => hidden(reply, orders[index] as Order)),
  )
}

async function askAsStranger(server: OrderServer, language: Language): Promise<void> {
  const results = await forEachOrder(async (order, index) => {
    const ask = async (id: string, session_id: string): Promise<string> => {
      const body = { message: questions[language](id), session_id, user_id: strangerTo(order) }
      return (await server.post('/chat', body)).reply
    }
    const foreign = await ask(order.order_id, `stranger-${language}-${index}`)
    const unknown = await ask(unknownNumber(index), `unknown-${language}-${index}`)
    const alike = foreign.replaceAll(order.order_id, '') === unknown.replaceAll(unknownNumber(index), '')
    return { refused: !tells(order, foreign) && hidden(foreign, order), alike }
  })
  record(
    `${language}: another customer's order refused`,
    results.map(({ refused }) => refused),
  )
  record(
    `${language}: it looks like one that does not exist`,
    results.map(({ alike }) => alike),
  )
}

async function askAsAgent(server: OrderServer, language: Language): Promise<void> {
  const results = await forEachOrder(async (order, index) => {
    const session = `/agent/sessions/owner-${language}-${index}`
    const known = await server.post(`${session}/business-assist`, { query: questions[language](order.order_id) })
    const unknown = await server.post(`${session}/business-assist`, {
      query: questions[language](unknownNumber(index)),
    })
    const detail = await server.get(session)
    return {
      exact: known.result.error === null && checkData(order, known.result.data.orders?.[0]),
      masked: hidden(JSON.stringify([known, detail.history, detail.escalation_card]), order),
      named: order.email === undefined || known.masked_fields.includes('orders[0].email'),
      missing: unknown.result.error !== null && unknown.result.data.orders.length === 0,
    }
  })
  record(
    `${language}: people see the order exactly`,
    results.map(({ exact }) => exact),
  )
  record(
    `${language}: nothing personal in what people see`,
    results.map(({ masked }) => masked),
  )
  record(
    `${language}: masked fields are named`,
    results.map(({ named }) => named),
  )
  record(
    `${language}: an unknown number is an error`,
    results.map(({ missing }) => missing),
  )
}

async function readTracesAndLog(server: OrderServer): Promise<void> {
  const { items = [] } = asList(await server.get(`/monitor/traces?limit=${MAX_TRACES}`))
  const traces = await Promise.all(
    items.map(async ({ trace_id }) => JSON.stringify(await server.get(`/monitor/traces/${trace_id}`))),
  )
  record(
    'nothing personal in traces',
    traces.map((trace) => orders.every((order) => hidden(trace, order))),
  )
  const log = server.log()
  record(
    'nothing personal in the log',
    orders.map((order) => hidden(log, order)),
  )
}

function asList(body: unknown): { items: { trace_id: string }[] } {
  return Array.isArray(body) ? { items: body } : (body as { items: { trace_id: string }[] })
}

const server = await startServer()
try {
  for (const [kind, file] of [
    ['customers', customersFile],
    ['orders', ordersFile],
  ] as const) {
    const { imported, updated, failed } = await server.load(kind, file)
    console.log(`${kind}: ${imported} imported, ${updated} updated, ${failed} failed`)
  }
  for (const language of ['en', 'zh'] as const) {
    await askAsOwner(server, language)
    await askAsStranger(server, language)
    await askAsAgent(server, language)
  }
  await readTracesAndLog(server)
} finally {
  await server.stop()
}

for (const { name, passed, asked } of rows) {
  noteFigure(name, `${passed} of ${asked}`)
  console.log(`${passed === asked ? 'ok  ' : 'FAIL'} ${name.padEnd(44)}${String(passed).padStart(5)} of ${asked}`)
}
if (leaked.size > 0) console.log(`leaked: ${[...leaked].slice(0, 10).join(', ')}`)
if (rows.some(({ passed, asked }) => passed !== asked || asked === 0)) process.exitCode = 1
