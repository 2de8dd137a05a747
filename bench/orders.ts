// “Where is order …” for every order of a folder with orders.jsonl and users.jsonl, in both languages.
// Run: node bench/orders.ts --data FOLDER
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runBusiness } from '../src/business/agent.ts'
import { createDirectory } from '../src/business/directory.ts'
import { DEFAULT_POLICY } from '../src/business/policy.ts'
import { parseImport } from '../src/business/record-import.ts'
import { createMemoryStore, createRecordsConnector } from '../src/business/records.ts'
import { formatAmount } from '../src/business/replies.ts'
import type { BusinessResult } from '../src/business/turn.ts'
import type { Customer, Language, Order, Role } from '../src/business/types.ts'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (!values.data) throw new Error('Usage: node bench/orders.ts --data FOLDER')
const folder = values.data

const store = createMemoryStore()
const orders: Order[] = []
const customers: Customer[] = []
for (const [kind, file] of [
  ['customers', 'users.jsonl'],
  ['orders', 'orders.jsonl'],
] as const) {
  const parsed = parseImport(kind, readFileSync(join(folder, file)), file)
  if (parsed.kind === 'orders') orders.push(...parsed.records)
  else customers.push(...parsed.records)
  console.log(`${file}: ${parsed.records.length} read, ${parsed.failed} failed`)
}
await store.saveCustomers(customers)
await store.saveOrders(orders)
const directory = createDirectory(createRecordsConnector(store))

function ask(query: string, language: Language, userId: string, role: Role = 'customer'): Promise<BusinessResult> {
  const session = { sessionId: 'bench', userId }
  const clock = { now: () => Date.now() }
  return runBusiness({
    query,
    session,
    language,
    role,
    directory,
    policy: DEFAULT_POLICY,
    clock,
    newId: () => 'unused',
  })
}

const questions: Record<Language, (id: string) => string> = {
  en: (id) => `Where is order ${id}?`,
  zh: (id) => `订单 ${id} 在哪里？`,
}

interface Checks {
  status: boolean
  items: boolean
  total: boolean
  tracking: boolean
  error: boolean
}

/** Reads the reply and the data against the record: everything in it, and no other order or tracking number. */
function checkReply(order: Order, result: BusinessResult): Checks {
  const { reply } = result
  const [shown, ...others] = (result.data.orders ?? []) as Order[]
  const numbers: string[] = reply.match(/(?<!\d)\d{12}(?!\d)/g) ?? []
  const itemsInReply = order.items.every(
    (item) =>
      reply.includes(item.name) &&
      reply.includes(formatAmount(item.price ?? 0)) &&
      Object.values(item.options ?? {}).every((value) => reply.includes(value)),
  )
  return {
    status: reply.includes(order.status) && shown?.status === order.status,
    items: itemsInReply && JSON.stringify(shown?.items) === JSON.stringify(order.items),
    total: reply.includes(formatAmount(order.total ?? 0)) && shown?.total === order.total,
    tracking: JSON.stringify(numbers) === JSON.stringify(order.tracking_ids) && others.length === 0,
    error: result.error === null && reply.includes(order.order_id),
  }
}

/** Every personal value of an order and its owner, as it is on record. */
function secretsOf(order: Order): string[] {
  const owner = customers.find((customer) => customer.user_id === order.user_id)
  const names = typeof owner?.name === 'object' ? Object.values(owner.name ?? {}) : []
  const addresses = [order.address, owner?.address].flatMap((address) => [
    address?.address1,
    address?.address2,
    address?.zip,
    address?.city,
  ])
  const payments = order.payment_history.map((payment) => payment.payment_method_id)
  const methods = Object.keys(owner?.payment_methods ?? {})
  const values = [order.email, owner?.email, order.first_name, order.last_name, order.user_id]
  return [...values, ...names, ...addresses, ...payments, ...methods].filter((value) => typeof value === 'string')
}

function leaks(order: Order, result: BusinessResult): string[] {
  const text = JSON.stringify([result.reply, result.data, result.error, result.maskedFields])
  return secretsOf(order).filter((secret) =>
    new RegExp(`(?<![A-Za-z0-9])${RegExp.escape(secret)}(?![A-Za-z0-9])`).test(text),
  )
}

interface Row {
  readonly name: string
  readonly passed: number
  readonly asked: number
}

async function exactness(language: Language): Promise<Row[]> {
  const checks = await Promise.all(
    orders.map(async (order) =>
      checkReply(order, await ask(questions[language](order.order_id), language, order.user_id ?? '')),
    ),
  )
  const fields = ['status', 'items', 'total', 'tracking', 'error'] as const
  return fields.map((field) => ({
    name: `${language}: ${field === 'error' ? 'no error' : `${field} exact`}`,
    passed: checks.filter((check) => check[field]).length,
    asked: checks.length,
  }))
}

async function refusals(language: Language): Promise<Row[]> {
  const rows = await Promise.all(
    orders.map(async (order, index) => {
      const stranger = customers.find((customer) => customer.user_id !== order.user_id)?.user_id ?? ''
      const unknownId = `#W99${String(index).padStart(5, '0')}`
      const foreign = await ask(questions[language](order.order_id), language, stranger)
      const unknown = await ask(questions[language](unknownId), language, stranger)
      const isRefused = foreign.error !== null && JSON.stringify(foreign.data) === '{"orders":[]}'
      const isUnknown = unknown.error !== null && JSON.stringify(unknown.data) === '{"orders":[]}'
      const isSame = foreign.reply.replace(order.order_id, '') === unknown.reply.replace(unknownId, '')
      return { isRefused, isUnknown, isSame }
    }),
  )
  const count = (test: (row: (typeof rows)[number]) => boolean) => rows.filter(test).length
  return [
    {
      name: `${language}: another customer's order refused`,
      passed: count((row) => row.isRefused),
      asked: rows.length,
    },
    { name: `${language}: unknown number is an error`, passed: count((row) => row.isUnknown), asked: rows.length },
    { name: `${language}: the two cannot be told apart`, passed: count((row) => row.isSame), asked: rows.length },
  ]
}

async function privacy(language: Language): Promise<Row[]> {
  const found = await Promise.all(
    orders.map(async (order) =>
      leaks(order, await ask(questions[language](order.order_id), language, order.user_id ?? '', 'agent')),
    ),
  )
  const examples = [...new Set(found.flat())].slice(0, 5)
  if (examples.length > 0) console.log(`leaked: ${examples.join(', ')}`)
  const passed = found.filter((leaked) => leaked.length === 0).length
  return [{ name: `${language}: nothing personal in agent's answer`, passed, asked: found.length }]
}

const rows: Row[] = []
for (const language of ['en', 'zh'] as const) {
  rows.push(...(await exactness(language)), ...(await refusals(language)), ...(await privacy(language)))
}
for (const { name, passed, asked } of rows) {
  console.log(`${passed === asked ? 'ok  ' : 'FAIL'} ${name.padEnd(44)}${String(passed).padStart(5)} of ${asked}`)
}
if (rows.some(({ passed, asked }) => passed !== asked)) process.exitCode = 1
