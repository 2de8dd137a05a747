type SnakeName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeName<Rest>}`
  : Name

/** A value as the contract writes it: names of fields in snake case, times in ISO 8601. */
export type SnakeCase<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? SnakeCase<Item>[]
    : Value extends object
      ? { [Name in keyof Value & string as SnakeName<Name>]: SnakeCase<Value[Name]> }
      : Value

/** Makes a body of the contract of a record of ours. Every field goes out, so hand over none that must not. */
export function toSnakeCase<Value>(value: Value): SnakeCase<Value> {
  return snaked(value) as SnakeCase<Value>
}

function snaked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snaked)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snakeName(name), snaked(each)]))
}

export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
