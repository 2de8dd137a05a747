import { parse } from 'csv-parse/sync'
import { decodeText } from '../../kernel/decode-text.ts'
import { AppError } from '../../kernel/errors.ts'
import { withoutInvisible } from '../../kernel/invisible.ts'
import { isJsonObject, parseJsonOrNothing } from '../../kernel/json.ts'
import type { Address, Customer, Order, OrderItem, Payment, PaymentMethod } from './types.ts'

export type ImportKind = 'customers' | 'orders'

interface Parsed<K extends ImportKind, T> {
  readonly kind: K
  readonly records: T[]
  /** Rows that were left out. */
  readonly failed: number
  /** Why, as `row 3: order_id is missing`; the first 100. */
  readonly errors: string[]
}
export type ParsedImport = Parsed<'customers', Customer> | Parsed<'orders', Order>

type Row = Record<string, unknown>
const maxErrors = 100

/** A reason why one row cannot be taken; named by the row when it is reported. */
class RowError extends Error {}

function toRow(value: unknown): Row {
  if (!isJsonObject(value)) throw new RowError('not a JSON object')
  return value
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

/** CSV cells hold objects and lists as JSON. */
function unpacked(row: Row, field: string): unknown {
  const value = row[field]
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    throw new RowError(`${field} is not valid JSON`)
  }
}

function text(row: Row, field: string): string | null {
  const value = row[field]
  if (isBlank(value)) return null
  if (typeof value === 'string') return named(field, value.trim().slice(0, 2_000))
  if (typeof value === 'number') return String(value)
  throw new RowError(`${field} must be text`)
}

/** An id must hold nothing invisible: no one can speak as such a customer, and one that looks like another must be it. */
function named(field: string, value: string): string {
  if (!field.endsWith('_id') || withoutInvisible(value) === value) return value
  throw new RowError(`${field} must not contain invisible characters`)
}

function required(row: Row, field: string): string {
  const value = text(row, field)
  if (value === null) throw new RowError(`${field} is missing`)
  if (value.length > 200) throw new RowError(`${field} is longer than 200 characters`)
  return value
}

function number(row: Row, field: string): number | null {
  const value = row[field]
  if (isBlank(value)) return null
  const parsed = typeof value === 'string' ? Number(value.replace(/[,\s¥￥$€£]/g, '')) : value
  if (typeof parsed !== 'number' || !Number.isFinite(parsed)) throw new RowError(`${field} must be a number`)
  return parsed
}

/** A list, or text whose parts are separated by semicolons or bars. */
function list(row: Row, field: string): unknown[] {
  const value = unpacked(row, field)
  if (isBlank(value)) return []
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return value.split(/[;|；]/).map((part) => part.trim())
  if (typeof value === 'number') return [value]
  throw new RowError(`${field} must be a list`)
}

function texts(row: Row, field: string): string[] {
  return list(row, field)
    .filter((value) => !isBlank(value))
    .map((value) => {
      if (typeof value !== 'string' && typeof value !== 'number') throw new RowError(`${field} must be a list of texts`)
      return String(value)
    })
}

function textMap(value: unknown, field: string): Record<string, string> | null {
  if (isBlank(value)) return null
  if (!isJsonObject(value)) throw new RowError(`${field} must be an object`)
  const entries = Object.entries(value).filter(([, part]) => !isBlank(part))
  return Object.fromEntries(entries.map(([key, part]) => [key, String(part)]))
}

const addressParts = ['address1', 'address2', 'city', 'state', 'zip', 'country']

function address(row: Row): Address | null {
  const value = unpacked(row, 'address')
  if (typeof value === 'string' && value.trim() !== '') return { address1: value.trim() }
  return textMap(value, 'address') ?? flatAddress(row)
}

function flatAddress(row: Row): Address | null {
  const parts = addressParts.flatMap((part) => {
    const value = text(row, part)
    return value === null ? [] : [[part, value] as const]
  })
  return parts.length > 0 ? Object.fromEntries(parts) : null
}

function present<T extends Row>(fields: T): { [K in keyof T]?: Exclude<T[K], null> } {
  // Optional fields are left out rather than null, as in the shapes of types.ts.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: Exclude<T[K], null>
  }
}

function item(value: unknown): OrderItem {
  if (typeof value === 'string') return { name: value }
  if (!isJsonObject(value)) throw new RowError('items must be a list of objects or names')
  const options = textMap(value.options, 'items.options')
  return {
    name: text(value, 'name') ?? text(value, 'item_id') ?? '',
    ...present({
      item_id: text(value, 'item_id'),
      product_id: text(value, 'product_id'),
      price: number(value, 'price'),
      quantity: number(value, 'quantity'),
      options,
    }),
  }
}

function payment(value: unknown): Payment {
  if (!isJsonObject(value)) throw new RowError('payment_history must be a list of objects')
  return {
    transaction_type: text(value, 'transaction_type') ?? 'payment',
    amount: number(value, 'amount'),
    payment_method_id: text(value, 'payment_method_id'),
  }
}

/** An order from fields of uncertain type, as a connector delivers them. Throws an `Error` that names the field. */
export function toOrder(value: unknown): Order {
  const row = toRow(value)
  return {
    order_id: required(row, 'order_id'),
    user_id: text(row, 'user_id'),
    status: text(row, 'status') ?? 'unknown',
    items: list(row, 'items')
      .filter((value) => !isBlank(value))
      .map(item),
    total: number(row, 'total'),
    tracking_ids: texts(row, 'tracking_ids'),
    payment_history: list(row, 'payment_history').map(payment),
    address: address(row),
    cancel_reason: text(row, 'cancel_reason'),
    ...present({
      first_name: text(row, 'first_name'),
      last_name: text(row, 'last_name'),
      email: text(row, 'email'),
      currency: text(row, 'currency'),
      ordered_at: text(row, 'ordered_at'),
      delivered_at: text(row, 'delivered_at'),
    }),
  }
}

function paymentMethod(value: unknown): PaymentMethod {
  if (!isJsonObject(value)) throw new RowError('payment_methods must hold objects')
  return {
    source: text(value, 'source') ?? 'unknown',
    id: required(value, 'id'),
    ...present({
      brand: text(value, 'brand'),
      last_four: text(value, 'last_four'),
      balance: number(value, 'balance'),
    }),
  }
}

function customerName(row: Row): Customer['name'] {
  const value = unpacked(row, 'name')
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  const names = isJsonObject(value) ? value : row
  const parts = present({ first_name: text(names, 'first_name'), last_name: text(names, 'last_name') })
  return Object.keys(parts).length > 0 ? parts : null
}

/** A customer from fields of uncertain type. Throws an `Error` that names the field. */
export function toCustomer(value: unknown): Customer {
  const row = toRow(value)
  const methods = unpacked(row, 'payment_methods')
  const values = isBlank(methods) ? [] : Object.values(isJsonObject(methods) || Array.isArray(methods) ? methods : [])
  const known = values.map(paymentMethod)
  return {
    user_id: required(row, 'user_id'),
    name: customerName(row),
    email: text(row, 'email'),
    address: address(row),
    payment_methods: Object.fromEntries(known.map((method) => [method.id, method])),
    ...present({ phone: text(row, 'phone') }),
  }
}

function parsed<T>(fileName: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unreadable'
    throw new AppError('invalid', 'import_unreadable', `file: ${fileName} cannot be read: ${reason}`, { cause })
  }
}

function jsonRows(kind: ImportKind, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const inner = isJsonObject(value) ? value[kind] : undefined
  return Array.isArray(inner) ? inner : [value]
}

function readRows(kind: ImportKind, bytes: Uint8Array, fileName: string): unknown[] {
  const content = decodeText(bytes)
  const extension = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase()
  if (extension === 'json') return parsed(fileName, () => jsonRows(kind, JSON.parse(content)))
  if (extension === 'jsonl' || extension === 'ndjson') {
    const lines = content.split(/\r?\n/).filter((line) => line.trim() !== '')
    return lines.map(parseJsonOrNothing)
  }
  if (extension === 'csv') {
    const options = { columns: true, bom: true, skip_empty_lines: true, trim: true, relax_column_count: true }
    return parsed(fileName, () => parse(content, options))
  }
  throw new AppError('bad_request', 'unsupported_file', `file: ${fileName} must be JSON, JSONL or CSV`)
}

function readRecords<T>(rows: readonly unknown[], read: (row: unknown) => T) {
  const records: T[] = []
  const errors: string[] = []
  rows.forEach((row, index) => {
    try {
      records.push(read(row))
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      errors.push(`row ${index + 1}: ${error.message}`)
    }
  })
  return { records, failed: errors.length, errors: errors.slice(0, maxErrors) }
}

/**
 * Reads customers or orders from a JSON (list, or `{orders: […]}`), JSONL or CSV file by its extension; CSV cells may
 * hold JSON, lists may be separated by semicolons. Only the id (`user_id`, `order_id`) is required; a row that cannot
 * be taken is left out and named, rows counted from 1. Throws 400 for another kind of file, 422 for a broken one.
 */
export function parseImport(kind: ImportKind, bytes: Uint8Array, fileName: string): ParsedImport {
  const rows = readRows(kind, bytes, fileName)
  if (kind === 'orders') return { kind, ...readRecords(rows, toOrder) }
  return { kind, ...readRecords(rows, toCustomer) }
}
