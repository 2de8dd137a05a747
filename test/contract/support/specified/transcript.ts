/** What came back, without its values: types of fields, in the order of their names. */
export type Outline = string | [Outline] | [] | { [field: string]: Outline }

export interface Exchange {
  /** What the client did, unique in a transcript. */
  step: string
  request: string
  status: number
  body: Outline
}

export function outlineOf(value: unknown): Outline {
  if (value === null) return 'null'
  if (Array.isArray(value)) {
    const [first, ...rest] = value.map(outlineOf)
    return first === undefined ? [] : [rest.reduce(merged, first)]
  }
  if (typeof value !== 'object') return typeof value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, outlineOf(each)]))
}

/** Of two elements of a list: fields that only one of them has get a question mark. */
function merged(one: Outline, other: Outline): Outline {
  if (typeof one === 'string' && typeof other === 'string') return union(one, other)
  if (Array.isArray(one) && Array.isArray(other)) return mergedLists(one, other)
  if (isFields(one) && isFields(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)].map(bare))].sort()
    return Object.fromEntries(
      names.map((name) => {
        const [a, b] = [fieldOf(one, name), fieldOf(other, name)]
        const inner = a && b ? merged(a.outline, b.outline) : (a ?? b)?.outline
        const isOptional = !a || !b || a.isOptional || b.isOptional
        return [isOptional ? `${name}?` : name, inner as Outline]
      }),
    )
  }
  // A field that is null in one element and holds something in the other says more by the latter.
  return one === 'null' ? other : other === 'null' ? one : 'mixed'
}

function mergedLists(one: [Outline] | [], other: [Outline] | []): [Outline] | [] {
  if (one[0] === undefined) return other
  return other[0] === undefined ? one : [merged(one[0], other[0])]
}

const union = (one: string, other: string): string =>
  [...new Set([...one.split('|'), ...other.split('|')])].sort().join('|')
const bare = (name: string): string => name.replace(/\?$/, '')
const isFields = (outline: Outline): outline is { [field: string]: Outline } =>
  typeof outline === 'object' && !Array.isArray(outline)

function fieldOf(outline: { [field: string]: Outline }, name: string) {
  if (Object.hasOwn(outline, name)) return { outline: outline[name] as Outline, isOptional: false }
  if (Object.hasOwn(outline, `${name}?`)) return { outline: outline[`${name}?`] as Outline, isOptional: true }
  return undefined
}

/** @returns what a client of the earlier transcript misses in the later one; what was added is no difference */
export function differences(before: readonly Exchange[], now: readonly Exchange[]): string[] {
  const later = new Map(now.map((exchange) => [exchange.step, exchange]))
  return before.flatMap(({ step, request, status, body }) => {
    const found = later.get(step)
    if (!found) return [`${step}: was not asked`]
    if (found.request !== request) return [`${step}: ${found.request} instead of ${request}`]
    if (found.status !== status) return [`${step}: ${found.status} instead of ${status}`]
    return missing(body, found.body).map((what) => `${step}: ${what}`)
  })
}

function missing(before: Outline, now: Outline, at = 'body'): string[] {
  if (typeof before === 'string' && typeof now === 'string') {
    const known = new Set(before.split('|'))
    return now.split('|').every((type) => known.has(type)) ? [] : [`${at} is ${now} instead of ${before}`]
  }
  if (Array.isArray(before) && Array.isArray(now)) {
    return before[0] === undefined || now[0] === undefined ? [] : missing(before[0], now[0], `${at}[]`)
  }
  if (!isFields(before) || !isFields(now)) return [`${at} is ${kindOf(now)} instead of ${kindOf(before)}`]
  return Object.entries(before).flatMap(([name, inner]) => {
    const field = bare(name)
    const found = fieldOf(now, field)
    if (found && (!found.isOptional || name !== field)) return missing(inner, found.outline, `${at}.${field}`)
    return name === field ? [`${at}.${field} ${found ? 'is absent at times' : 'is gone'}`] : []
  })
}

const kindOf = (outline: Outline): string =>
  typeof outline === 'string' ? outline : Array.isArray(outline) ? 'a list' : 'an object'
