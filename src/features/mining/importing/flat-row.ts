import { adfText } from './plain-text.ts'

interface FlatColumn {
  /** With what it stands in: `fields.summary`. */
  name: string
  /** A text or a list of texts for what names itself; anything else as it was given. */
  value: unknown
  given: unknown
}

/** The columns of a row by their folded names, alone and with what they stand in; blank ones are left out. */
export type FlatRow = ReadonlyMap<string, FlatColumn>

/** Objects that only hold a ticket's fields together. */
const WRAPPERS = new Set(
  'properties fields ticket conversation attributes data source _embedded custom_fields customFields custom_attributes'.split(
    ' ',
  ),
)
/** Names that stand for an object where a text is wanted: a status or a tag. */
const NAMING = ['name', 'label', 'value', 'displayName', 'title', 'tag'] as const
const MAX_DEPTH = 4

/** The columns of a row, also inside of what only holds things together; what stands further out wins. */
export function flatten(row: Record<string, unknown>, fold: (name: string) => string): FlatRow {
  const flat = new Map<string, FlatColumn>()
  for (const { path, name, value } of columnsOf(row)) {
    const column = { name: path + name, value: plain(value), given: value }
    for (const key of [fold(name), fold(column.name)]) if (!flat.has(key)) flat.set(key, column)
  }
  return flat
}

/** Level by level. */
function* columnsOf(row: Record<string, unknown>): Iterable<{ path: string; name: string; value: unknown }> {
  const waiting = [{ path: '', object: row, depth: 0 }]
  for (let at = waiting.shift(); at; at = waiting.shift()) {
    const { path, object, depth } = at
    for (const [name, value] of Object.entries(object)) {
      const isWrapper = isObject(value) && WRAPPERS.has(name) && depth < MAX_DEPTH
      if (isWrapper) waiting.push({ path: `${path}${name}.`, object: value, depth: depth + 1 })
      else if (!isBlank(value)) yield { path, name, value }
    }
  }
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return namesOf(value) ?? value
  if (!isObject(value)) return value
  if (value.type === 'doc') return adfText(value)
  // Intercom keeps a list inside an object: `{type: 'tag.list', tags: […]}`.
  return nameOf(value) ?? namesOf(Object.values(value).find(Array.isArray)) ?? value
}

function namesOf(list: readonly unknown[] = []): string[] | undefined {
  const names = list.filter(isObject).flatMap((each) => nameOf(each) ?? [])
  return names.length > 0 && names.length === list.length ? names : undefined
}

function nameOf(value: Record<string, unknown>): string | undefined {
  if ('body' in value || 'content' in value || 'text' in value) return undefined
  return NAMING.map((key) => value[key]).find((name) => typeof name === 'string')
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
