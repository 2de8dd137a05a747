import { between, pick, type Random } from '../random.ts'
import { type Operation, worksUnasked } from './operations.ts'
import type { Malformed } from './schema-requests.ts'

/** Bytes that are no HTTP, or were HTTP before something happened to them. */
export function byteRequest(random: Random, operations: readonly Operation[], apiKey: string): Malformed {
  const operation = pick(
    random,
    operations.filter((each) => !each.streams && !worksUnasked(each)),
  )
  const way = pick(random, [noise, mutated, mutated, mutated, cutOff, oddStart, oddHeaders, oddBody])
  return {
    kind: `bytes: ${way.name}`,
    bytes: way(random, sound(operation, apiKey)),
    expect: 'answer',
    halfClose: random() < 0.5,
  }
}

function sound({ method, path, body }: Operation, apiKey: string): Buffer {
  const content = body ? JSON.stringify(body.example) : ''
  const type = body ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(content)}\r\n` : ''
  const target = path.replace(/\{\w+\}/g, 'no-such-thing')
  return Buffer.from(`${method} ${target} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${apiKey}\r\n${type}\r\n${content}`)
}

function noise(random: Random): Buffer {
  const bytes = Buffer.from(Array.from({ length: between(random, 1, 2_000) }, () => between(random, 0, 255)))
  return random() < 0.5 ? bytes : Buffer.concat([bytes, Buffer.from('\r\n\r\n')])
}

/** Bytes changed, left out, put in and repeated. The path is left alone: no endpoint shall be hit by its example. */
function mutated(random: Random, request: Buffer): Buffer {
  let bytes = request
  for (let count = between(random, 1, 8); count > 0; count--) {
    const at = between(random, 0, bytes.length)
    const [left, right] = [bytes.subarray(0, at), bytes.subarray(at)]
    const changed = [
      () => Buffer.concat([left, Buffer.from([between(random, 0, 255)]), right]),
      () => Buffer.concat([left, right.subarray(between(random, 1, 5))]),
      () =>
        Buffer.concat([
          left,
          Buffer.from(pick(random, ['\r\n', '\n', '\0', ':', ' ', '\r\n\r\n', '%', '\t', '{'])),
          right,
        ]),
      () => Buffer.concat([left, right.subarray(0, 20), right]),
    ]
    bytes = pick(random, changed)()
  }
  return bytes
}

function cutOff(random: Random, request: Buffer): Buffer {
  return request.subarray(0, between(random, 1, request.length - 1))
}

function oddStart(random: Random, request: Buffer): Buffer {
  const rest = request.subarray(request.indexOf('\r\n'))
  const lines = [
    'GET',
    'GET /',
    'GET  / HTTP/1.1',
    'GET / HTTP/1.1 x',
    'GET / HTTP/0.9',
    'GET / HTTP/2.0',
    'GET / HTTPS/1.1',
    'GET \\ HTTP/1.1',
    'GET /\u00e9 HTTP/1.1',
    'GET /%00 HTTP/1.1',
    'GET /../../etc/passwd HTTP/1.1',
    'GET /docs/static/../../../package.json HTTP/1.1',
    'GET /docs/static/%2e%2e%2f%2e%2e%2fpackage.json HTTP/1.1',
    'GET http:// HTTP/1.1',
    'GET //example.org/ HTTP/1.1',
    'CONNECT localhost:80 HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'M-SEARCH * HTTP/1.1',
    'POST /?x=1#fragment HTTP/1.1',
    `GET /${'a/'.repeat(3_000)} HTTP/1.1`,
    `GET /?${'a=b&'.repeat(3_000)} HTTP/1.1`,
    `GET /${'x'.repeat(20_000)} HTTP/1.1`,
  ]
  return Buffer.concat([Buffer.from(pick(random, lines), 'latin1'), rest])
}

function oddHeaders(random: Random, request: Buffer): Buffer {
  const headers = [
    'host: a\r\nhost: b',
    'content-length: 5\r\ncontent-length: 6',
    'content-length: +5',
    'content-length: 99999999999999999999',
    'content-length: 5, 5',
    'transfer-encoding: chunked, chunked',
    'transfer-encoding: identity',
    'transfer-encoding: xchunked\r\ncontent-length: 3',
    'Transfer-Encoding : chunked',
    ' folded: header',
    'x: y\r\n continued',
    ': empty',
    'ünïcode: x',
    `x: ${'y'.repeat(20_000)}`,
    Array.from({ length: 300 }, (_, index) => `x-${index}: ${index}`).join('\r\n'),
    'x-api-key: a\r\nx-api-key: b',
    'connection: upgrade\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__',
    'content-type: application/json\r\ncontent-type: text/plain',
  ]
  const at = request.indexOf('\r\n') + 2
  return Buffer.concat([request.subarray(0, at), Buffer.from(`${pick(random, headers)}\r\n`), request.subarray(at)])
}

function oddBody(random: Random): Buffer {
  const chunks = [
    '5\r\nabc',
    'zz\r\n',
    '-1\r\n',
    '5;a=b\r\n{"a":\r\n0\r\n\r\n',
    'ffffffffffffffffff\r\n',
    '3\r\n{}\r\n0\r\n\r\n',
    '0\r\nx: y\r\n\r\n',
  ]
  const head =
    'POST /api/v1/chat HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
  return Buffer.from(head + pick(random, chunks))
}
