/** As much of a JSON schema as types are made of. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  format?: string
  description?: string
}

/** Callers may leave a field out by `undefined`, too; what we answer says what is there. */
export type Direction = 'sent' | 'answered'

export function typeOf(schema: Schema, direction: Direction, indent = ''): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ') || 'never'
  if (schema.anyOf) return union(schema.anyOf.map((each) => typeOf(each, direction, indent)))
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOf({ ...schema, type }, direction, indent)))
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      return schema.format === 'binary' ? 'Upload' : 'string'
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return `${inBrackets(typeOf(schema.items ?? {}, direction, indent))}[]`
    case 'object':
      return objectType(schema, direction, indent)
    default:
      return 'unknown'
  }
}

function objectType(schema: Schema, direction: Direction, indent: string): string {
  const { properties, additionalProperties: others } = schema
  const other = typeof others === 'object' ? typeOf(others, direction, indent) : 'unknown'
  if (!properties || Object.keys(properties).length === 0) return `Record<string, ${other}>`
  const fields = Object.entries(properties).map(([name, each]) => fieldOf(name, each, schema, direction, `${indent}  `))
  const object = `{\n${fields.join('')}${indent}}`
  return typeof others === 'object' ? `${object} & Record<string, ${other}>` : object
}

function fieldOf(name: string, schema: Schema, parent: Schema, direction: Direction, indent: string): string {
  const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)
  const type = typeOf(schema, direction, indent)
  const isOptional = !parent.required?.includes(name)
  const value = isOptional && direction === 'sent' ? `${type} | undefined` : type
  return `${comment(schema.description, indent)}${indent}${key}${isOptional ? '?' : ''}: ${value}\n`
}

/** The description as a doc comment above what it describes. */
export function comment(text: string | undefined, indent = ''): string {
  if (!text) return ''
  return `${indent}/** ${text.replaceAll('*/', '*\\/').replace(/\s*\n\s*/g, ' ')} */\n`
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ') || 'never'
}

function inBrackets(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type
}
