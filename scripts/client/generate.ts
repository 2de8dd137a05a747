import { hash } from 'node:crypto'
import { comment, type Schema, typeOf } from './schema-types.ts'

interface Media {
  schema?: Schema
}
interface Operation {
  operationId: string
  summary?: string
  description?: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
  'x-events'?: Record<string, Schema>
}
export interface Description {
  paths: Record<string, Record<string, Operation>>
}
/** Where the generated files stand, from the root of the project. */
export const GENERATED = 'clients/typescript/src/generated'

/** The files of the client that are made of the API description, by name. */
export function generateClient({ paths }: Description): Record<string, string> {
  const routes = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
    )
    .sort((one, other) => (one.operation.operationId < other.operation.operationId ? -1 : 1))
  const head = `// Made by \`npm run client\` of the API description; do not edit. Source: sha256 ${sourceHash(paths)}\n`
  const types = routes.map(({ route, operation }) => operationType(route, operation)).join('\n')
  const index = routes.map(({ route, operation }) => `  '${route}': ${typeName(operation)}\n`).join('')
  const functions = routes.map(({ route, operation }) => operationFunction(route, operation)).join('')
  return {
    'routes.ts':
      `${head}import type { Upload } from '../upload.ts'\n\n${types}\n` +
      `/** Every operation by its method and path. */\nexport interface Routes {\n${index}}\n`,
    'operations.ts': `${head}import { callOf, downloadOf, streamOf } from '../operation.ts'\n\n${functions}`,
  }
}

/** Examples, errors and headers make no types, so they do not make the files old. */
function sourceHash(paths: Description['paths']): string {
  const ignored = new Set(['example', 'examples', 'headers', 'security', 'tags'])
  const text = JSON.stringify(paths, (key, value) => (ignored.has(key) || /^[45]\d\d$/.test(key) ? undefined : value))
  return hash('sha256', text)
}

function typeName({ operationId }: Operation): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1)
}

function operationFunction(route: string, operation: Operation): string {
  const make = operation['x-events'] ? 'streamOf' : isBinary(operation) ? 'downloadOf' : 'callOf'
  return `${comment(operation.summary)}export const ${operation.operationId} = /*#__PURE__*/ ${make}('${route}')\n`
}

function operationType(route: string, operation: Operation): string {
  const { requestBody: { content = {}, required = false } = {}, summary, description } = operation
  const isEither = Object.keys(content).length > 1
  const sent = (name: string, media: string): string => {
    const schema = content[media]?.schema
    return schema ? `  ${name}${required && !isEither ? '' : '?'}: ${typeOf(schema, 'sent', '  ')}\n` : ''
  }
  const fields = [
    parameters(operation, 'path'),
    parameters(operation, 'query'),
    sent('body', 'application/json'),
    sent('form', 'multipart/form-data'),
    answer(operation),
  ]
  const text = [summary, description].filter(Boolean).join('. ')
  return `${comment(`\`${route}\`: ${text}`)}export interface ${typeName(operation)} {\n${fields.join('')}}\n`
}

function parameters({ parameters: all = [] }: Operation, where: 'path' | 'query'): string {
  const here = all.filter((each) => each.in === where)
  if (here.length === 0) return ''
  const required = here.filter((each) => each.required).map(({ name }) => name)
  const properties = Object.fromEntries(
    here.map(({ name, schema, description }) => [name, { ...schema, ...(description ? { description } : {}) }]),
  )
  const type = typeOf({ type: 'object', properties, required }, 'sent', '  ')
  return `  ${where}${required.length > 0 ? '' : '?'}: ${type}\n`
}

function answer(operation: Operation): string {
  const events = operation['x-events']
  if (events) {
    const schema: Schema = { type: 'object', properties: events, required: Object.keys(events) }
    return `  events: ${typeOf(schema, 'answered', '  ')}\n`
  }
  if (isBinary(operation)) return '  file: Blob\n'
  const types = successes(operation).map(([type, schema]) => {
    if (type === 'application/json') return typeOf(schema ?? {}, 'answered', '  ')
    return type === '' ? 'undefined' : 'string'
  })
  return `  result: ${[...new Set(types)].join(' | ')}\n`
}

function isBinary(operation: Operation): boolean {
  return successes(operation).some(([, schema]) => schema?.format === 'binary')
}

/** Media type and schema of each success; both empty where it has no body. */
function successes({ responses }: Operation): [string, Schema | undefined][] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => {
      const media = Object.entries(content ?? {})
      if (media.length === 0) return [['', undefined] as [string, undefined]]
      return media.map(([type, { schema }]): [string, Schema | undefined] => [type, schema])
    })
}
