import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type RawServerDefault } from 'fastify'
import { requireApiKey } from './auth.ts'
import { handleErrors, recordRoutes, sendError, toPublic } from './error-handler.ts'
import { useTypeBoxValidation } from './validation.ts'

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

export interface HttpOptions {
  logger: FastifyBaseLogger
  apiKey: string
  trustProxy: boolean
  headersTimeoutMs: number
  requestTimeoutMs: number
}

const JSON_BODY_LIMIT_BYTES = 1024 * 1024
const MAX_PARAM_LENGTH = 512
const CONNECTIONS_CHECK_INTERVAL_MS = 1_000

/** A Fastify instance with the conventions of every endpoint: key, validation, errors, limits, request ids. */
export function createHttpServer(options: HttpOptions): App {
  const app = fastify({
    loggerInstance: options.logger,
    trustProxy: options.trustProxy,
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    requestTimeout: options.requestTimeoutMs,
    genReqId: (request) => acceptableId(request.headers['x-request-id']) ?? randomUUID(),
    disableRequestLogging: true,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    http: { headersTimeout: options.headersTimeoutMs, connectionsCheckingInterval: CONNECTIONS_CHECK_INTERVAL_MS },
    frameworkErrors: (error, request, reply) => void sendError(toPublic(error), error, request, reply),
    clientErrorHandler: refuseUnparsable,
  }).withTypeProvider<TypeBoxTypeProvider>()
  parseJsonOnly(app)
  recordRoutes(app)
  useTypeBoxValidation(app)
  handleErrors(app)
  logRequests(app)
  requireApiKey(app, options.apiKey)
  return app
}

/** JSON is the only body format unless a route adds another; an empty body is for the route's schema to judge. */
function parseJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') done(null, undefined)
    else parse(request, body, done)
  })
}

/** Ids from a proxy in front are kept, so that one request has one id everywhere; anything odd is replaced. */
function acceptableId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{8,128}$/.test(header) ? header : undefined
}

/** One line a request: what was asked of which route, never the URL's values, a body or an address. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    }
    request.log.info(line, 'Request')
  })
}

/** Bytes that are no HTTP never reach a route; they too get the contract's error form. */
function refuseUnparsable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, detail] = REFUSALS[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP']
  const body = JSON.stringify({ detail })
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`
  socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`)
}

const REFUSALS: Record<string, [string, string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The request body is too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
}
