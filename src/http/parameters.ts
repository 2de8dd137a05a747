import type { TSchema } from 'typebox'

/** The part of a JSON schema that matters for text that must become a value. */
interface ParameterSchema {
  type?: string
  items?: ParameterSchema
  properties?: Record<string, ParameterSchema>
}

/**
 * Parameters of a query or path by their schema: text becomes a number or a boolean where it reads as one, and stays
 * text (for the schema to refuse) where it does not. Parameters without a schema are dropped.
 */
export function convertParameters(schema: TSchema, input: unknown): Record<string, unknown> {
  const { properties = {} } = schema as ParameterSchema
  const given = (input ?? {}) as Record<string, unknown>
  const converted = Object.entries(properties)
    .filter(([name]) => Object.hasOwn(given, name) && given[name] !== undefined)
    .map(([name, parameter]) => [name, convert(parameter, given[name])])
  return Object.fromEntries(converted)
}

function convert(schema: ParameterSchema, value: unknown): unknown {
  if (schema.type === 'array') return [value].flat().map((item) => convert(schema.items ?? {}, item))
  if (typeof value !== 'string') return value
  if (schema.type === 'integer') return /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value
  if (schema.type === 'number') return toNumber(value)
  if (schema.type === 'boolean') return toBoolean(value)
  return value
}

/** Decimal notation only: `0x10`, `Infinity` and blanks are no numbers of a query. */
function toNumber(text: string): number | string {
  const number = Number(text)
  return /^[+-]?[\d.]+(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(number) ? number : text
}

function toBoolean(text: string): boolean | string {
  const lower = text.toLowerCase()
  if (lower === 'true' || lower === '1') return true
  return lower === 'false' || lower === '0' ? false : text
}
