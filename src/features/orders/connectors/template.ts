import { AppError } from '../../../kernel/errors.ts'
import { orderKey } from '../../../privacy/index.ts'
import type { Change } from '../types.ts'

/** The values that a URL, a body or tool arguments may name in braces. */
export const PLACEHOLDERS = [
  'order_id',
  'order_key',
  'user_id',
  'kind',
  'items',
  'reason',
  'address',
  'expected_status',
  'idempotency_key',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]
export type TemplateValues = Partial<Record<Placeholder, string | readonly string[] | null>>

const placeholder = /\{([a-z_]+)\}/g

/** The names in braces of a template. */
export function placeholdersIn(template: string): string[] {
  return [...template.matchAll(placeholder)].map((match) => match[1] ?? '')
}

export function valuesOfOrder(orderId: string): TemplateValues {
  return { order_id: orderId, order_key: orderKey(orderId) }
}

export function valuesOfChange(change: Change): TemplateValues {
  const { user_id, kind, items, reason, address, expected_status, idempotency_key } = change
  const order = change.order_id === null ? {} : valuesOfOrder(change.order_id)
  return { ...order, user_id, kind, items, reason, address, expected_status, idempotency_key }
}

function asText(values: TemplateValues, name: string): string {
  const value = values[name as Placeholder]
  return value === null || value === undefined ? '' : typeof value === 'string' ? value : value.join(',')
}

/**
 * Fills a URL; every value is percent-encoded, so it stays inside its path segment or parameter. A value of dots alone
 * would still climb out of a path and is refused.
 */
export function fillUrl(template: string, values: TemplateValues): string {
  return template.replace(placeholder, (_, name: string) => {
    const value = asText(values, name)
    if (/^\.+$/.test(value)) throw new AppError('invalid', 'bad_identifier', `${name} cannot be ${value}`)
    return encodeURIComponent(value.toWellFormed())
  })
}

/** Fills the texts of a JSON value; a text that is one placeholder alone takes the value as it is, lists and null too. */
export function fillJson(template: unknown, values: TemplateValues): unknown {
  if (Array.isArray(template)) return template.map((part) => fillJson(part, values))
  if (typeof template === 'object' && template !== null) {
    return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, fillJson(part, values)]))
  }
  if (typeof template !== 'string') return template
  const alone = /^\{([a-z_]+)\}$/.exec(template)?.[1]
  if (alone !== undefined) return values[alone as Placeholder] ?? null
  return template.replace(placeholder, (_, name: string) => asText(values, name))
}
