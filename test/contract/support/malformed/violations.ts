import { between, pick, type Random } from '../random.ts'
import type { Schema } from './operations.ts'

/** Values that break each type; none of them is one that a lenient reader would take for it. */
const NOT: Record<string, readonly unknown[]> = {
  string: [0, 1.5, true, [], ['text'], { text: 'x' }],
  integer: ['5', '', 1.5, true, [5], {}, -0.5, '1e3'],
  number: ['0.5', '', false, [0.5], {}],
  boolean: ['true', 'false', 0, 1, '', [], {}],
  array: ['a,b', 5, {}, true, { 0: 'a' }],
  object: ['{}', 5, [], true, [{}]],
}

/** Breaks the schema of an object in one place, at any depth. Undefined: there is nothing to break. */
export function violate(random: Random, schema: Schema, value: unknown): unknown {
  const ways = waysToBreak(random, schema, value)
  return ways.length === 0 ? undefined : pick(random, ways)()
}

function waysToBreak(random: Random, schema: Schema, value: unknown): (() => unknown)[] {
  if (schema.anyOf)
    return schema.anyOf.some(({ type }) => type === 'object') ? [() => 17] : [() => ({ neither: 'nor' })]
  if (schema.enum || schema.const !== undefined) return [() => 'outside the set', () => 17, () => ['x'], () => ({})]
  const wrongType = (NOT[schema.type ?? ''] ?? []).map((wrong) => () => wrong)
  return [...wrongType.slice(0, 3), () => pick(random, wrongType)?.() ?? null, ...waysByType(random, schema, value)]
}

function waysByType(random: Random, schema: Schema, value: unknown): (() => unknown)[] {
  if (schema.type === 'object') return waysInObject(random, schema, (value ?? {}) as Record<string, unknown>)
  if (schema.type === 'array') return waysInArray(random, schema)
  if (schema.type === 'string') return waysOfText(schema)
  if (schema.type === 'integer' || schema.type === 'number') return waysOfNumber(schema)
  return []
}

function waysOfText({ minLength = 0, maxLength }: Schema): (() => unknown)[] {
  return [
    () => 'a\u0000b',
    ...(minLength > 0 ? [() => ''] : []),
    ...(maxLength === undefined ? [] : [() => 'x'.repeat(maxLength + 1), () => '好'.repeat(maxLength + 1)]),
  ]
}

function waysOfNumber({ minimum, maximum }: Schema): (() => unknown)[] {
  return [
    ...(minimum === undefined ? [] : [() => minimum - 1, () => -1e300]),
    ...(maximum === undefined ? [] : [() => maximum + 1, () => 1e300]),
  ]
}

function waysInArray(random: Random, { items }: Schema): (() => unknown)[] {
  if (!items?.type) return []
  return [() => [violate(random, items, undefined) ?? {}], () => [null]]
}

function waysInObject(random: Random, schema: Schema, value: Record<string, unknown>): (() => unknown)[] {
  const { properties = {}, required = [], additionalProperties } = schema
  const inside = Object.entries(properties).map(([name, each]) => () => {
    const broken = violate(random, each, value[name])
    return broken === undefined ? without(value, required[0]) : { ...value, [name]: broken }
  })
  const missing = required.map((name) => () => without(value, name))
  const empty = required.map((name) => () => ({ ...value, [name]: null }))
  const unknown = additionalProperties === false ? [() => ({ ...value, [`unknown_${between(random, 0, 9)}`]: 1 })] : []
  // Breaking a field says more than breaking the whole, so it is what happens most of the time.
  return [...inside, ...inside, ...inside, ...missing, ...empty, ...unknown]
}

function without(value: Record<string, unknown>, name: string | undefined): unknown {
  return name === undefined ? [] : Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))
}
