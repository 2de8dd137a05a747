import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { readImport } from './import-thread.ts'
import { type ImportKind, type ParsedImport, parseImport } from './record-import.ts'

const ORDERS = 3_210
const lines = Array.from({ length: ORDERS }, (_, n) => {
  const order = { order_id: `#W${n}`, user_id: `u${n % 7}`, items: [`Lamp ${n}`], tracking_ids: [String(n)], total: n }
  // Some rows that cannot be taken, the last one among them.
  return JSON.stringify(n % 1_000 === 999 || n === ORDERS - 1 ? { ...order, order_id: '' } : order)
})
const csv = ['order_id,user_id,status', ...Array.from({ length: 20_000 }, (_, n) => `#W${n},u${n % 7},delivered`)]
const FILES: Record<string, string> = {
  'orders.jsonl': lines.join('\n'),
  'orders.json': `{"orders":[${lines.join(',')}]}`,
  'orders.csv': csv.join('\n'),
  'few.jsonl': lines.slice(0, 1_200).join('\n'),
  'none.jsonl': '',
}
const bytes = (text: string) => new TextEncoder().encode(text)

async function readAll(kind: ImportKind, name: string, content: Uint8Array): Promise<ParsedImport[]> {
  const parts: ParsedImport[] = []
  for await (const part of readImport(kind, { name, bytes: content })) parts.push(part)
  return parts
}

it.each(Object.keys(FILES))('reads %s in parts as it is read at once', async (name) => {
  const content = bytes(FILES[name] ?? '')
  const parts = await readAll('orders', name, content)
  const whole = parseImport('orders', content, name)
  expect(parts.flatMap((part): unknown[] => part.records)).toEqual(whole.records)
  expect(parts.reduce((sum, { failed }) => sum + failed, 0)).toBe(whole.failed)
  expect(parts.flatMap(({ errors }) => errors)).toEqual(whole.errors)
  expect(Math.max(...parts.map(({ records }) => records.length))).toBeLessThanOrEqual(500)
})

it('reads customers as well', async () => {
  const content = bytes(Array.from({ length: 20_000 }, (_, n) => `{"user_id":"u${n}"}`).join('\n'))
  const parts = await readAll('customers', 'c.jsonl', content)
  expect(parts.every(({ kind }) => kind === 'customers')).toBe(true)
  expect(parts.flatMap((part): unknown[] => part.records)).toHaveLength(20_000)
})

it.each([
  ['orders.json', 'invalid'],
  ['orders.pdf', 'bad_request'],
])('refuses %s as it does when small', async (name, kind) => {
  for (const size of [10, 400_000]) {
    const refused = await readAll('orders', name, bytes('[{'.padEnd(size))).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(AppError)
    expect(refused).toMatchObject({ kind, message: expect.stringContaining(name) })
  }
})

it('ends its thread when nobody wants the rest', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>
  for await (const _ of readImport('orders', { name: 'orders.jsonl', bytes: bytes(FILES['orders.jsonl'] ?? '') })) break
  const [worker] = await started
  // The number of a thread that ended.
  expect(worker.threadId).toBe(-1)
})
