// How long others wait while somebody imports: `npm run bench:importing -- [--megabytes 20]`, orders and tickets of each format.
// Embedded database, or the server named by TEST_DATABASE_URL.
import { parseArgs } from 'node:util'
import { originOf } from '../test/support/event-stream.ts'
import { createTestApp, encodeForm, type TestApp } from '../test/support/test-app.ts'
import { watchMainThread } from './main-thread.ts'

const ASK_MS = 5
const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '20' } } })
const bytes = Number(values.megabytes) * 1_000_000

const address = { address1: '12 Elm Street', city: 'Denver', state: 'CO', zip: '80279', country: 'USA' }
const order = (n: number) => ({
  order_id: `#W${1_000_000 + n}`,
  user_id: `user_${n % 5_000}`,
  first_name: 'Ann',
  email: `ann${n}@example.com`,
  status: 'delivered',
  items: Array.from({ length: 4 }, (_, i) => ({
    name: `Thing ${i}`,
    item_id: String(n * 10 + i),
    price: 12.5 + i,
    options: { color: 'blue', size: 'large', material: 'wood' },
  })),
  total: 56,
  tracking_ids: [String(500_000_000_000 + n)],
  payment_history: [{ transaction_type: 'payment', amount: 56, payment_method_id: `credit_card_${n}` }],
  address,
})
const ticket = (n: number) => ({
  ticket_id: `T${n}`,
  subject: `Question ${n % 200}`,
  content: `The lamp number ${n} flickers since yesterday, what can I do? Write to ann${n}@example.com. `.repeat(3),
  solution: 'Update the firmware and choose another brightness.',
  status: 'resolved',
  created_at: '2026-03-02T09:05:00Z',
})

const test = await createTestApp({ MAX_UPLOAD_MB: '200' })
try {
  await measure('orders', '/api/v1/business/import', order, { kind: 'orders' })
  await measure('tickets', '/api/v1/mining/tickets/import', ticket, {})
} finally {
  await test.close()
}

async function measure(
  what: string,
  url: string,
  make: (n: number) => Record<string, unknown>,
  fields: Record<string, string>,
): Promise<void> {
  const rows = rowsOf(make)
  for (const [extension, text] of Object.entries(formats(rows))) {
    const { body, contentType } = encodeForm(text, `${what}.${extension}`, fields)
    const held = await watch(test, () => send(url, body, contentType))
    console.log(
      `${what}.${extension.padEnd(6)} ${(body.length / 1e6).toFixed(1)} MB, ${rows.length} rows: ${held.seconds.toFixed(1)} s; ` +
        `main thread held up for at most ${held.heldUpMs.toFixed(0)} ms, by work of ${held.workMs.toFixed(0)} ms; a query waited for at most ${held.queryMs.toFixed(0)} ms; ` +
        JSON.stringify(held.result),
    )
  }
}

function rowsOf(make: (n: number) => Record<string, unknown>): Record<string, unknown>[] {
  const size = JSON.stringify(make(1)).length + 1
  return Array.from({ length: Math.floor(bytes / size) }, (_, n) => make(n))
}

function formats(rows: readonly Record<string, unknown>[]): Record<string, string> {
  const names = Object.keys(rows[0] ?? {})
  const cell = (value: unknown): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `"${text.replaceAll('"', '""')}"`
  }
  return {
    jsonl: rows.map((row) => JSON.stringify(row)).join('\n'),
    json: JSON.stringify(rows),
    csv: [names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(','))].join('\n'),
  }
}

/** Over a connection, in pieces as they come from a client. */
async function send(url: string, body: Uint8Array<ArrayBuffer>, contentType: string): Promise<unknown> {
  const headers = { 'content-type': contentType }
  const response = await fetch(`${await originOf(test.app)}${url}`, { method: 'POST', body, headers })
  return response.json()
}

async function watch(on: TestApp, work: () => Promise<unknown>) {
  const watched = watchMainThread()
  let queryMs = 0
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await on.call('GET', '/api/v1/tuner/history')
      queryMs = Math.max(queryMs, performance.now() - asked)
      await new Promise((resolve) => setTimeout(resolve, ASK_MS))
    }
  })()
  const start = performance.now()
  const result = await work()
  const seconds = (performance.now() - start) / 1_000
  isOver = true
  await asking
  return { seconds, ...watched(), queryMs, result }
}
