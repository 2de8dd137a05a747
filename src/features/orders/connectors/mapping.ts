/** Where each of our fields is in a response: a path, or a path and the fields of the objects found there. */
export interface FieldMap {
  readonly [field: string]: string | { readonly path: string; readonly fields: FieldMap }
}

export interface ResponseMapping {
  /** Path of the record, or of the list of records. Default: the whole response. */
  readonly root?: string | undefined
  /** Default: the response uses our names. */
  readonly fields?: FieldMap | undefined
  /** Their words for ours, by field: `{status: {SHIPPED: processed}}`. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
}

const step = /^(?:\.?([A-Za-z_$\u0080-\uFFFF][\w$\u0080-\uFFFF-]*)|\[(\d{1,6}|\*)\]|\["([^"\]]{1,80})"\])/

/** The steps of a path such as `$.data.orders[0].id` or `lines[*].sku`; null when it is malformed. */
export function parsePath(path: string): string[] | null {
  let rest = path.replace(/^\$(?=$|[.[])/, '')
  const steps: string[] = []
  while (rest !== '') {
    const match = step.exec(rest)
    if (!match) return null
    steps.push(match[1] ?? match[2] ?? match[3] ?? '')
    rest = rest.slice(match[0].length)
  }
  return steps
}

function readSteps(value: unknown, steps: readonly string[]): unknown {
  const [next, ...rest] = steps
  if (next === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  if (next === '*') return Array.isArray(value) ? value.map((part) => readSteps(part, rest)) : undefined
  return Object.hasOwn(value, next) ? readSteps((value as Record<string, unknown>)[next], rest) : undefined
}

/** The value at a path, or undefined; `[*]` collects a list. A small part of JSONPath (RFC 9535). */
function readPath(value: unknown, path: string): unknown {
  return readSteps(value, parsePath(path) ?? [])
}

function mapFields(value: unknown, fields: FieldMap): Record<string, unknown> {
  const entries = Object.entries(fields).map(([field, source]): [string, unknown] => {
    if (typeof source === 'string') return [field, readPath(value, source)]
    const inner = readPath(value, source.path)
    if (Array.isArray(inner)) return [field, inner.map((part) => mapFields(part, source.fields))]
    return [field, inner === undefined || inner === null ? null : mapFields(inner, source.fields)]
  })
  return Object.fromEntries(entries)
}

function translate(record: unknown, values: ResponseMapping['values']): unknown {
  if (!values || typeof record !== 'object' || record === null) return record
  const translated = Object.entries(record).map(([field, value]) => {
    const words = values[field]
    const isKnown = words !== undefined && Object.hasOwn(words, String(value))
    return [field, isKnown ? words[String(value)] : value]
  })
  return Object.fromEntries(translated)
}

/** One record of a response in our fields, before its types are checked; null where the response has none. */
export function mapRecord(response: unknown, mapping: ResponseMapping = {}): unknown {
  const found = readPath(response, mapping.root ?? '')
  if (found === undefined || found === null) return null
  return translate(mapping.fields ? mapFields(found, mapping.fields) : found, mapping.values)
}

/** The records of a response that holds a list. Null where there is no list. */
export function mapRecords(response: unknown, mapping: ResponseMapping = {}): unknown[] | null {
  const found = readPath(response, mapping.root ?? '')
  if (!Array.isArray(found)) return null
  return found.map((part) => mapRecord(part, { fields: mapping.fields, values: mapping.values }))
}
