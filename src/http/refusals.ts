import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newUuid } from '../kernel/ids.ts'
import type { Responses } from './responses.ts'
import { BARE_HEADERS } from './security.ts'

/** Time for a refused caller to read the answer and hang up before the connection is cut. */
const LINGER_MS = 1_000

const REFUSALS: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The request body is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
}

/** A request that Node itself would answer with an empty body, or not at all, gets the contract's error form. */
export function refuseInForm(
  servers: readonly Server[],
  responses: Responses,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  for (const server of servers) {
    server.on('connect', (_request, socket) => {
      refuse(socket as Socket, 405, 'CONNECT is not allowed here', { allow: 'GET, HEAD, POST, PUT, DELETE' })
    })
    server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
      const body = JSON.stringify({ detail: 'Expect: only 100-continue is understood' })
      response.writeHead(417, headersOf(body, { connection: 'close' })).end(body)
    })
  }
  return (error, socket) => {
    const response = responses.of(socket)
    // Bytes in the middle of a response that has begun would be taken for a part of it.
    const isAnswering = response?.headersSent === true && !response.writableFinished
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy()
    const [status, detail] = REFUSALS[error.code ?? ''] ?? [400, 'The request is not valid HTTP']
    refuse(socket, status, detail)
  }
}

function refuse(socket: Socket, status: number, detail: string, extra: Record<string, string> = {}): void {
  const body = JSON.stringify({ detail })
  const headers = Object.entries(headersOf(body, { ...extra, connection: 'close' }))
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  socket.on('error', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function headersOf(body: string, extra: Record<string, string>): Record<string, string> {
  return {
    ...BARE_HEADERS,
    'x-request-id': newUuid(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...extra,
  }
}
