import { maskValue } from './format.ts'
import { type KeyRule, normaliseKey, ruleOf } from './keys.ts'
import { maskText } from './text.ts'

const maxDepth = 64

interface Place {
  readonly path: string
  readonly rule: KeyRule
  readonly parent: string
  readonly depth: number
}

/** The kinds that pass from an object or list to everything in it, as from `address` to its `city`. */
const inherited: readonly KeyRule[] = ['name', 'phone', 'email', 'address', 'identity', 'card', 'secret']
/** Parts of a personal object that identify nobody. */
const publicParts = /^(?:country|country_code|type|kind|label|is_default|source|brand|last_four|balance|status)$/

function maskString(value: string, rule: KeyRule): string {
  if (rule === 'content') return maskText(value)
  if (rule === 'opaque') return maskText(value, { opaque: true })
  if (rule !== 'contact') return maskValue(value, rule)
  const masked = maskText(value)
  return masked === value ? maskValue(value, 'name') : masked
}

function maskNumber(value: number, rule: KeyRule): string | number {
  if (rule === 'opaque' || !Number.isSafeInteger(value)) return value
  const text = String(value)
  const masked = maskString(text, rule)
  return masked === text ? value : masked
}

function ruleInside(key: string, place: Place, siblings: readonly string[]): KeyRule {
  const own = ruleOf(key, place.parent, siblings)
  if (!inherited.includes(place.rule)) return own
  if (publicParts.test(normaliseKey(key))) return 'content'
  return own === 'content' || own === 'opaque' || own === 'contact' ? place.rule : own
}

/** A key can itself be personal, as in `payment_methods: {"gift_card_1725971": …}`. */
function maskKey(key: string, taken: ReadonlySet<string>): string {
  const masked = maskText(key)
  let unique = masked
  for (let copy = 2; taken.has(unique); copy++) unique = `${masked}#${copy}`
  return unique
}

function maskObject(value: object, place: Place, fields: string[]): object {
  const keys = Object.keys(value)
  const taken = new Set<string>()
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const shown = maskKey(key, taken)
    taken.add(shown)
    const path = place.path === '' ? shown : `${place.path}.${shown}`
    const rule = ruleInside(key, place, keys)
    return [shown, maskAny(inner, { path, rule, parent: key, depth: place.depth + 1 }, fields)]
  })
  return Object.fromEntries(entries)
}

function maskAny(value: unknown, place: Place, fields: string[]): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value
  if (place.depth > maxDepth) return note('***', value, place, fields)
  if (typeof value === 'string') return note(maskString(value, place.rule), value, place, fields)
  if (typeof value === 'number') return note(maskNumber(value, place.rule), value, place, fields)
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      maskAny(item, { ...place, path: `${place.path}[${index}]`, depth: place.depth + 1 }, fields),
    )
  }
  return typeof value === 'object' && !(value instanceof Date) ? maskObject(value, place, fields) : value
}

function note(masked: unknown, value: unknown, place: Place, fields: string[]): unknown {
  if (masked !== value) fields.push(place.path)
  return masked
}

/**
 * Masks JSON-like data by the kind of each key (Chinese and English, snake and camel case) and, where a key says
 * nothing, by content. Returns a copy; `maskedFields` are paths like `orders[0].email`. Dates and booleans stay; a
 * number that is masked becomes a string; anything deeper than 64 levels becomes `***`.
 */
export function maskRecord<T>(data: T): { data: T; maskedFields: string[] } {
  const maskedFields: string[] = []
  const masked = maskAny(data, { path: '', rule: 'content', parent: '', depth: 0 }, maskedFields)
  // The copy has the same shape except for masked numbers, which are strings.
  return { data: masked as T, maskedFields }
}
