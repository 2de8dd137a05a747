import { between, pick, type Random } from '../random.ts'
import { type Operation, type Schema, worksUnasked } from './operations.ts'
import { violate } from './violations.ts'

/** Bytes to send and what must come back. */
export interface Malformed {
  /** For the report of a failure. */
  kind: string
  bytes: Buffer
  /** Any answer below 500 will do, or it has to be a refusal. */
  expect: 'answer' | 'refusal' | 'unauthorized'
  /** The sender hangs up after the last byte, so that an unfinished request is not waited for. */
  halfClose: boolean
}

const BOUNDARY = 'x-fuzz'

/** Well-formed HTTP whose content breaks the endpoint's own description. */
export function schemaRequest(random: Random, operations: readonly Operation[], apiKey: string): Malformed {
  const operation = pick(random, operations)
  const ofContent = [
    ...(operation.body ? [brokenBody, brokenBody, brokenBody, brokenJson, wrongMediaType] : []),
    ...(operation.takesForm ? [brokenForm, brokenForm] : []),
    ...(operation.query.length > 0 ? [brokenQuery] : []),
    ...(operation.pathParameters.length > 0 ? [brokenPath] : []),
  ]
  const ofAny = [wrongMethod, wrongKey, ...(operation.streams || worksUnasked(operation) ? [] : [oddHeaders])]
  const ways = ofContent.length > 0 && random() < 0.75 ? ofContent : ofAny
  return pick(random, ways)(random, operation, apiKey)
}

type Way = (random: Random, operation: Operation, apiKey: string) => Malformed

const brokenBody: Way = (random, operation, apiKey) => {
  const { schema, example, required } = operation.body as NonNullable<Operation['body']>
  const broken = violate(random, schema, example) ?? 'not an object'
  const whole = required ? pick(random, [null, [], 'text', 5, true]) : pick(random, [[], 'text', 5, true])
  const body = JSON.stringify(random() < 0.1 ? whole : broken)
  return send('broken body', operation, { apiKey, body: Buffer.from(body), type: 'application/json' })
}

const brokenJson: Way = (random, operation, apiKey) => {
  const valid = JSON.stringify(operation.body?.example ?? { text: 'value' })
  const texts = [
    valid.slice(0, between(random, 1, valid.length - 1)),
    `${valid}}`,
    `[${valid}`,
    valid.replace(/"/g, "'"),
    `{"__proto__": ${valid}}`,
    `{"a": ${'['.repeat(between(random, 65, 50_000))}`,
    `{"a": ${'[0,'.repeat(70)}0${']'.repeat(70)}}`,
    `${valid.slice(0, -1)}, "bad": "\u0001"}`,
    '\u0000',
    'undefined',
  ]
  const bytes = [...texts.map((text) => Buffer.from(text)), Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])]
  const body = random() < 0.01 ? Buffer.alloc(1024 * 1024 + 1, 0x20) : pick(random, bytes)
  return send('broken JSON', operation, { apiKey, body, type: 'application/json' })
}

const wrongMediaType: Way = (random, operation, apiKey) => {
  const types = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    ';',
    'x',
  ]
  const body = Buffer.from(JSON.stringify(operation.body?.example ?? {}))
  const type = pick(random, operation.takesForm ? types : [...types, `multipart/form-data; boundary=${BOUNDARY}`])
  return send('wrong media type', operation, { apiKey, body, type })
}

const brokenForm: Way = (random, operation, apiKey) => {
  const part = (disposition: string, content: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: ${disposition}\r\n\r\n${content}\r\n`
  const file = part('form-data; name="file"; filename="fuzz.md"', '# Fuzz\n\nWords.')
  const end = `--${BOUNDARY}--\r\n`
  const bodies = [
    file.slice(0, between(random, 1, file.length - 1)),
    file,
    end,
    part('form-data; name="other"; filename="fuzz.md"', 'x') + end,
    part('form-data; filename="fuzz.md"', 'x') + end,
    part('form-data; name="file"; filename=""', 'x') + end,
    part('form-data; name="__proto__"', 'x') + file + end,
    part('attachment; name="file"', 'x') + end,
    part('', 'x') + end,
    part('form-data; name="file"', 'x') + end,
    file + file + end,
    file + part('form-data; name="register"', 'perhaps') + part('form-data; name="kind"', 'poems') + end,
    part('form-data; name="file"; filename="fuzz.exe"', 'MZ\u0000\u0001') + end,
    part(`form-data; name="${'x'.repeat(20_000)}"`, 'x') + end,
    part('form-data; name="file"; filename="empty.md"', '') + end,
  ]
  const types = [
    `multipart/form-data; boundary=${BOUNDARY}`,
    'multipart/form-data',
    'multipart/form-data; boundary=other',
  ]
  const type = random() < 0.8 ? (types[0] as string) : pick(random, types)
  const request = send('broken form', operation, { apiKey, body: Buffer.from(pick(random, bodies)), type })
  // Another form may have other fields.
  return { ...request, expect: operation.path.endsWith('/ingest') ? 'refusal' : 'answer' }
}

const brokenQuery: Way = (random, operation, apiKey) => {
  const { name, schema } = pick(random, operation.query)
  const values = brokenParameter(schema)
  const query = `?${name}=${pick(random, values)}`
  return { ...send('broken query', operation, { apiKey, query }), expect: 'refusal' }
}

function brokenParameter({ type, enum: values, minimum, maximum, maxLength }: Schema): string[] {
  const always = ['%00', 'a%00b']
  if (values) return [...always, 'outside', '', 'null']
  if (type === 'boolean') return [...always, 'perhaps', '2', '']
  if (type === 'integer' || type === 'number') {
    const range = [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1])]
    return [
      ...always,
      ...range.map(String),
      '',
      'x',
      'NaN',
      'true',
      '0x10',
      '1,5',
      '99999999999999999999999',
      '%F0%9F%93%A6',
    ]
  }
  return maxLength === undefined ? always : [...always, 'x'.repeat(maxLength + 1)]
}

const brokenPath: Way = (random, operation, apiKey) => {
  const longest = Math.max(...operation.pathParameters.map(({ schema }) => schema.maxLength ?? 0))
  const values = ['%00', 'a%00', '%zz', '%', '%E4%BD', ...(longest > 0 ? ['x'.repeat(longest + 1)] : [])]
  const request = send('broken path', operation, {
    apiKey,
    path: operation.path.replace(/\{\w+\}/g, () => pick(random, values)),
  })
  return { ...request, expect: 'refusal' }
}

const oddHeaders: Way = (random, operation, apiKey) => {
  const odd: Record<string, string>[] = [
    { 'content-encoding': 'gzip' },
    { accept: 'text/html', 'accept-language': 'x'.repeat(5_000) },
    { 'x-request-id': '<script>' },
    { range: 'bytes=0-0' },
    { 'if-none-match': '*' },
    { cookie: 'a=b; '.repeat(500) },
    { authorization: 'Bearer x' },
    { 'x-forwarded-for': '1.2.3.4, ::1, nonsense' },
    { 'idempotency-key': 'x'.repeat(300) },
    { 'last-event-id': 'x' },
    { connection: 'close' },
    { expect: 'something' },
  ]
  // Without a body, so that an endpoint which needs one refuses and others are asked as usual.
  return { ...send('odd headers', operation, { apiKey, headers: pick(random, odd) }), expect: 'answer' }
}

const wrongMethod: Way = (random, operation, apiKey) => {
  const method = pick(random, ['PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LINK', 'SEARCH'])
  return send('wrong method', { ...operation, method }, { apiKey })
}

const wrongKey: Way = (random, operation) => {
  const apiKey = pick(random, ['', 'wrong', 'x'.repeat(5_000), 'null'])
  const type = pick(random, ['application/json', 'multipart/form-data', 'text/plain'])
  const request = send('wrong key', operation, { apiKey, body: Buffer.from('{"a'), type })
  return { ...request, expect: operation.isKeyed ? 'unauthorized' : 'answer' }
}

interface Content {
  apiKey: string
  path?: string
  query?: string
  body?: Buffer
  type?: string
  headers?: Record<string, string>
}

function send(kind: string, { method, path }: Operation, content: Content): Malformed {
  const target = (content.path ?? path.replace(/\{\w+\}/g, 'no-such-thing')) + (content.query ?? '')
  const { body, type, apiKey } = content
  const headers = {
    host: 'localhost',
    'x-api-key': apiKey,
    ...(body ? { 'content-length': String(body.length) } : {}),
    ...(type ? { 'content-type': type } : {}),
    ...content.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return { kind, bytes: Buffer.concat([head, body ?? Buffer.alloc(0)]), expect: 'refusal', halfClose: false }
}
