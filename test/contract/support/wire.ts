import { connect, type Socket } from 'node:net'
import type { App } from '../../../src/http/server.ts'

/** What came back over a connection, as far as it can be read as HTTP. */
export interface WireResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Exchange {
  responses: WireResponse[]
  /** Everything received, for what is no HTTP. */
  raw: string
  /** Whether the server ended the connection before `timeoutMs`. */
  closed: boolean
}

/** Listens on a free loopback port and returns it. */
export async function listen(app: App): Promise<number> {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return Number(new URL(address).port)
}

/**
 * Sends bytes as they are, without an HTTP client that would correct them, and collects what comes back until `count`
 * responses are complete, the server hangs up, or `timeoutMs` passed.
 */
export function exchange(
  port: number,
  bytes: string | Buffer,
  { count = 1, timeoutMs = 5_000, halfClose = false } = {},
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const received: Buffer[] = []
    const settle = (closed: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      const raw = Buffer.concat(received)
      resolve({ responses: parseResponses(raw), raw: raw.toString('latin1'), closed })
    }
    const timer = setTimeout(() => settle(false), timeoutMs)
    socket.on('data', (chunk) => {
      received.push(chunk)
      if (parseResponses(Buffer.concat(received)).length >= count) settle(false)
    })
    socket.on('close', () => settle(true))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error)
      else settle(true)
    })
    socket.on('connect', () => (halfClose ? socket.end(bytes) : socket.write(bytes)))
  })
}

/** A connection that the test feeds by itself; `received` grows with what comes back. */
export async function openConnection(port: number): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  return { socket, received: () => Buffer.concat(chunks).toString('utf8') }
}

/** A request with the headers that any would have. */
export function request(method: string, target: string, headers: Record<string, string> = {}, body = ''): string {
  const all = { host: 'localhost', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Complete responses with a Content-Length or chunks; interim ones (100 Continue) are left out. */
function parseResponses(bytes: Buffer): WireResponse[] {
  const responses: WireResponse[] = []
  let rest = bytes
  for (;;) {
    const parsed = parseResponse(rest)
    if (!parsed) return responses.filter(({ status }) => status >= 200)
    responses.push(parsed.response)
    rest = parsed.rest
  }
}

function parseResponse(bytes: Buffer): { response: WireResponse; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const status = Number(statusLine.split(' ')[1])
  const content = bytes.subarray(end + 4)
  const framed = headers['transfer-encoding'] === 'chunked' ? takeChunks(content) : takeLength(content, headers)
  return framed && { response: { status, headers, body: framed.body.toString('utf8') }, rest: framed.rest }
}

function takeLength(content: Buffer, headers: Record<string, string>): { body: Buffer; rest: Buffer } | undefined {
  const length = Number(headers['content-length'] ?? 0)
  return content.length < length ? undefined : { body: content.subarray(0, length), rest: content.subarray(length) }
}

function takeChunks(content: Buffer): { body: Buffer; rest: Buffer } | undefined {
  const parts: Buffer[] = []
  let rest = content
  for (;;) {
    const lineEnd = rest.indexOf('\r\n')
    if (lineEnd < 0) return undefined
    const length = Number.parseInt(rest.subarray(0, lineEnd).toString('latin1'), 16)
    const next = lineEnd + 2 + length + 2
    if (Number.isNaN(length) || rest.length < next) return undefined
    if (length === 0) return { body: Buffer.concat(parts), rest: rest.subarray(next) }
    parts.push(rest.subarray(lineEnd + 2, next - 2))
    rest = rest.subarray(next)
  }
}
