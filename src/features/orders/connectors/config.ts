import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Document, LineCounter } from 'yaml'
import { SCENES } from '../../../language/scenes.ts'
import { CHANGE_KINDS } from '../types.ts'
import { parsePath, type ResponseMapping } from './mapping.ts'
import { PLACEHOLDERS, placeholdersIn } from './template.ts'

/** Who has no connectors does without it. */
const require = createRequire(import.meta.url)

const strict = { additionalProperties: false }
const texts = Type.Record(Type.String(), Type.String())
const scenes = Type.Array(Type.String(), { minItems: 1 })
const timeoutMs = Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000 }))
const changeKinds = Type.Optional(Type.Array(Type.String(), { minItems: 1 }))

// Field maps nest; their paths are checked below.
const mapping = Type.Optional(
  Type.Object(
    {
      root: Type.Optional(Type.String()),
      fields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      values: Type.Optional(Type.Record(Type.String(), texts)),
    },
    strict,
  ),
)

/** The part of a connector that both protocols share; `own` is beside it, and `call` is how an operation is made. */
function connectorOf<Kind extends string, Own extends TProperties, Call extends TProperties>(
  type: Kind,
  own: Own,
  call: Call,
) {
  const operation = Type.Object({ ...call, response: mapping }, strict)
  const optional = Type.Optional(operation)
  const operations = {
    find_order: operation,
    find_customer: optional,
    list_orders: optional,
    apply_change: Type.Optional(Type.Object({ ...call, response: mapping, kinds: changeKinds }, strict)),
  }
  return Type.Object(
    {
      name: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$' }),
      type: Type.Literal(type),
      scenes,
      timeout_ms: timeoutMs,
      ...own,
      operations: Type.Object(operations, strict),
    },
    strict,
  )
}

const httpConnector = connectorOf(
  'http',
  { headers: Type.Optional(texts) },
  {
    url: Type.String({ minLength: 1 }),
    method: Type.Optional(Type.String({ pattern: '^(?:GET|POST|PUT|PATCH|DELETE)$' })),
    body: Type.Optional(Type.Unknown()),
    not_found_status: Type.Optional(Type.Array(Type.Integer({ minimum: 400, maximum: 499 }))),
  },
)

const mcpServer = {
  url: Type.Optional(Type.String()),
  headers: Type.Optional(texts),
  command: Type.Optional(Type.String({ minLength: 1 })),
  args: Type.Optional(Type.Array(Type.String())),
  env: Type.Optional(texts),
}
const mcpConnector = connectorOf(
  'mcp',
  { server: Type.Object(mcpServer, strict) },
  {
    tool: Type.String({ minLength: 1 }),
    arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    not_found_text: Type.Optional(Type.String({ minLength: 1 })),
  },
)

const topLevel = Type.Object(
  {
    allow_hosts: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    connectors: Type.Array(Type.Unknown(), { minItems: 1 }),
  },
  strict,
)

export type HttpConnectorConfig = Static<typeof httpConnector>
export type HttpOperation = Static<typeof httpConnector>['operations']['find_order']
export type McpConnectorConfig = Static<typeof mcpConnector>
export type McpOperation = Static<typeof mcpConnector>['operations']['find_order']
export type ConnectorConfig = HttpConnectorConfig | McpConnectorConfig

/** The connectors of a shop, with the values of environment names filled in. */
export interface BusinessConfig {
  /** Hosts that may have private addresses. */
  readonly allowHosts: readonly string[]
  readonly connectors: readonly ConnectorConfig[]
}

type Path = readonly (string | number)[]
interface Problem {
  readonly path: Path
  readonly reason: string
}
type Environment = Readonly<Record<string, string | undefined>>

function pathOf(pointer: string): Path {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))
}

function problemsOf(schema: TSchema, value: unknown, at: Path): Problem[] {
  return Value.Errors(schema, value)
    .filter((error) => error.keyword !== 'additionalProperties')
    .map(({ keyword, instancePath, message }) => ({
      path: [...at, ...pathOf(instancePath)],
      reason: keyword === 'boolean' ? 'is not a known setting' : message,
    }))
}

function unknownNames(values: readonly string[], known: readonly string[], path: Path): Problem[] {
  return values.flatMap((value, index) =>
    known.includes(value) ? [] : [{ path: [...path, index], reason: `must be one of ${known.join(', ')}` }],
  )
}

function templateProblems(template: unknown, path: Path): Problem[] {
  if (typeof template === 'string') {
    const unknown = placeholdersIn(template).filter((name) => !(PLACEHOLDERS as readonly string[]).includes(name))
    return unknown.map((name) => ({ path, reason: `{${name}} is unknown; known are ${PLACEHOLDERS.join(', ')}` }))
  }
  if (typeof template !== 'object' || template === null) return []
  return Object.entries(template).flatMap(([key, part]) =>
    templateProblems(part, [...path, Array.isArray(template) ? Number(key) : key]),
  )
}

/** A value must never choose the host that a request goes to. */
function urlProblems(url: string, path: Path): Problem[] {
  const [one, other] = ['a1', 'b2'].map((value) => url.replace(/\{[a-z_]+\}/g, value))
  if (!one || !other || !URL.canParse(one) || !URL.canParse(other)) return [{ path, reason: 'is not a URL' }]
  const first = new URL(one)
  if (first.protocol !== 'https:' && first.protocol !== 'http:') return [{ path, reason: 'must be http or https' }]
  if (first.origin !== new URL(other).origin) return [{ path, reason: 'has a placeholder in its host' }]
  return first.username || first.password ? [{ path, reason: 'has credentials; use headers' }] : []
}

function fieldProblems(fields: unknown, path: Path): Problem[] {
  return Object.entries(fields ?? {}).flatMap(([field, source]): Problem[] => {
    const at = [...path, field]
    if (typeof source === 'string') return pathProblems(source, at)
    if (typeof source !== 'object' || source === null || typeof source.path !== 'string' || !source.fields) {
      return [{ path: at, reason: 'must be a path, or an object with path and fields' }]
    }
    return [...pathProblems(source.path, [...at, 'path']), ...fieldProblems(source.fields, [...at, 'fields'])]
  })
}

function pathProblems(text: string, path: Path): Problem[] {
  return parsePath(text) ? [] : [{ path, reason: `${JSON.stringify(text)} is not a path such as data.items[0].id` }]
}

function mappingProblems(response: ResponseMapping | undefined, path: Path): Problem[] {
  const root = response?.root === undefined ? [] : pathProblems(response.root, [...path, 'root'])
  return [...root, ...fieldProblems(response?.fields, [...path, 'fields'])]
}

function operationProblems(operation: HttpOperation | McpOperation, path: Path): Problem[] {
  const kinds = 'kinds' in operation ? (operation.kinds as string[]) : []
  const shared = [
    ...mappingProblems(operation.response as ResponseMapping | undefined, [...path, 'response']),
    ...unknownNames(kinds, CHANGE_KINDS, [...path, 'kinds']),
  ]
  if ('tool' in operation) return [...shared, ...templateProblems(operation.arguments, [...path, 'arguments'])]
  const url = [...templateProblems(operation.url, [...path, 'url']), ...urlProblems(operation.url, [...path, 'url'])]
  return [...url, ...templateProblems(operation.body, [...path, 'body']), ...shared]
}

function serverProblems({ server }: McpConnectorConfig, path: Path): Problem[] {
  if ((server.url === undefined) === (server.command === undefined)) {
    return [{ path: [...path, 'server'], reason: 'needs either url or command' }]
  }
  return server.url === undefined ? [] : urlProblems(server.url, [...path, 'server', 'url'])
}

function connectorProblems(value: unknown, path: Path): Problem[] {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  if (type !== 'http' && type !== 'mcp') return [{ path: [...path, 'type'], reason: 'must be http or mcp' }]
  const problems = problemsOf(type === 'http' ? httpConnector : mcpConnector, value, path)
  if (problems.length > 0) return problems
  const connector = value as ConnectorConfig
  const operations = Object.entries(connector.operations).flatMap(([name, operation]) =>
    operationProblems(operation, [...path, 'operations', name]),
  )
  const server = connector.type === 'mcp' ? serverProblems(connector, path) : []
  return [...unknownNames(connector.scenes, SCENES, [...path, 'scenes']), ...server, ...operations]
}

const environmentName = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Fills `${NAME}` in headers and in the environment of a command, and notes the names that are not set. */
function fillSecrets(values: Record<string, string>, env: Environment, path: Path, problems: Problem[]) {
  const entries = Object.entries(values).map(([key, template]) => {
    const filled = template.replace(environmentName, (_, name: string) => {
      if (!env[name]) problems.push({ path: [...path, key], reason: `needs the environment variable ${name}` })
      return env[name] ?? ''
    })
    return [key, filled]
  })
  return Object.fromEntries(entries)
}

function withSecrets(connector: ConnectorConfig, env: Environment, path: Path, problems: Problem[]): ConnectorConfig {
  const fill = (values: Record<string, string> | undefined, ...keys: string[]) =>
    values ? fillSecrets(values, env, [...path, ...keys], problems) : {}
  if (connector.type === 'http') return { ...connector, headers: fill(connector.headers, 'headers') }
  const { server } = connector
  const headers = fill(server.headers, 'server', 'headers')
  return { ...connector, server: { ...server, headers, env: fill(server.env, 'server', 'env') } }
}

function repeatedNames(connectors: readonly ConnectorConfig[]): Problem[] {
  return connectors.flatMap(({ name }, index) =>
    connectors.findIndex((other) => other.name === name) < index
      ? [{ path: ['connectors', index, 'name'], reason: `${name} is used twice` }]
      : [],
  )
}

function pathText(path: Path): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${part}`)).join('')
}

function lineOf(document: Document.Parsed, lines: LineCounter, path: Path): string {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true)
    const offset =
      typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? node.range[0] : null
    if (typeof offset === 'number') return `:${lines.linePos(offset).line}`
  }
  return ''
}

/**
 * Reads a connector file. Throws an `Error` whose message has one line per problem: file and line, path in the file,
 * reason. `env` supplies the names in `${…}`; their values are never part of a message.
 */
export function parseBusinessConfig(text: string, fileName: string, env: Environment): BusinessConfig {
  const { LineCounter, parseDocument } = require('yaml') as typeof import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [syntax] = document.errors
  if (syntax) throw new Error(`${fileName}: ${syntax.message}`)
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  const fail = (problems: readonly Problem[]): never => {
    const rows = problems.map(
      ({ path, reason }) => `${fileName}${lineOf(document, lines, path)}: ${pathText(path)} ${reason}`,
    )
    throw new Error(rows.join('\n'))
  }
  const shape = problemsOf(topLevel, value, [])
  if (shape.length > 0) return fail(shape)
  const top = value as Static<typeof topLevel>
  const problems = top.connectors.flatMap((connector, index) => connectorProblems(connector, ['connectors', index]))
  if (problems.length > 0) return fail(problems)
  const connectors = (top.connectors as ConnectorConfig[]).map((connector, index) =>
    withSecrets(connector, env, ['connectors', index], problems),
  )
  problems.push(...repeatedNames(connectors))
  return problems.length > 0 ? fail(problems) : { allowHosts: top.allow_hosts ?? [], connectors }
}

/** Reads the connector file at `path`; throws as `parseBusinessConfig` does, or says that it cannot be read. */
export function readBusinessConfig(path: string, env: Environment): BusinessConfig {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`${path}: cannot be read`, { cause })
  }
  return parseBusinessConfig(text, basename(path), env)
}
