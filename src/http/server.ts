import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import type { RecordedChange } from '../kernel/changes.ts'
import { AppError } from '../kernel/errors.ts'
import { newUuid } from '../kernel/ids.ts'
import { logContext, withLogContext } from '../kernel/log-context.ts'
import { type Credentials, requireApiKey } from './auth.ts'
import { recordChanges } from './changes.ts'
import { finishRunningRequests } from './closing.ts'
import { allowOrigins } from './cross-origin.ts'
import { handleErrors, refuseUnknownRoutes, sendError, toPublic } from './error-handler.ts'
import { watchGuesses } from './guessing.ts'
import { parseJsonOnly } from './json-body.ts'
import { refuseForeignPages } from './perimeter.ts'
import { openPublicListener, showPublicAlone } from './public-listener.ts'
import { refuseInForm } from './refusals.ts'
import { watchResponses } from './responses.ts'
import { recordRoutes } from './routes-table.ts'
import { nameScopes } from './scopes.ts'
import { BARE_HEADERS, setSecurityHeaders } from './security.ts'
import { limitRate, type RateLimits } from './security-rate-limit.ts'
import { compilersSetLater, refuseUnstorableText, useTypeBoxValidation } from './validation.ts'

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

export interface HttpOptions extends Omit<Credentials, 'onWrongKey'> {
  logger: FastifyBaseLogger
  /** Beside the log, which names the address: told that a wrong key was sent. */
  onWrongKey?: () => void
  trustProxy: boolean
  /** Whether only this machine can connect; then, without any key, web pages are kept out. */
  isLoopback?: boolean
  /** Names that the service answers to; empty: any, but without a key on loopback its names alone. */
  allowedHosts?: readonly string[]
  headersTimeoutMs: number
  requestTimeoutMs: number
  /** Without any, as many requests as anybody likes. */
  rateLimits?: Partial<RateLimits>
  /** Whether the groups that the contract leaves open answer without a key. Default: they do. */
  areGroupsOpen?: boolean
  /** Takes what those who have logged in change into the audit log. */
  storeChange?: (change: RecordedChange) => Promise<void>
  /** Whether there is a second listener, which shows public routes alone. */
  hasPublicListener?: boolean
  /** Whether pages of an origin may ask routes that are for pages of others. */
  isListedOrigin?: (origin: string) => boolean
  /** How long running requests may take to finish when the server closes; less than the process is given. */
  drainTimeoutMs?: number
}

const JSON_BODY_LIMIT_BYTES = 1024 * 1024
/** No shorter than any URL that Node lets through: how long a parameter may be is for its schema, after the key. */
const MAX_PARAM_LENGTH = 64 * 1024
const DRAIN_TIMEOUT_MS = 5_000
const CONNECTIONS_CHECK_INTERVAL_MS = 500

/**
 * A Fastify instance with the conventions of every endpoint: key, validation, errors, limits, request ids. Hooks that
 * wait for nothing are no promises: a dozen of them took every request around the event loop's queue as often.
 */
export function createHttpServer(options: HttpOptions): App {
  const limits = {
    headersTimeout: options.headersTimeoutMs,
    connectionsCheckingInterval: CONNECTIONS_CHECK_INTERVAL_MS,
    requireHostHeader: false,
  }
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // The nearest proxy's own word alone: whatever stands before it in the header, the caller may have written.
    trustProxy: options.trustProxy ? (_address, hop) => hop === 0 : false,
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    requestTimeout: options.requestTimeoutMs,
    // The log itself says which request a line belongs to.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => acceptableId(request.headers['x-request-id']) ?? newUuid(),
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    schemaController: compilersSetLater,
    http: limits,
    frameworkErrors: refuseUnroutable,
    clientErrorHandler: (error, socket) => refuseUnparsable(error, socket),
  }).withTypeProvider<TypeBoxTypeProvider>()
  const times = { ...limits, requestTimeout: options.requestTimeoutMs }
  const servers = [app.server, ...openPublicListener(app, options.hasPublicListener ? times : null)]
  const responses = watchResponses(servers)
  const refuseUnparsable = refuseInForm(servers, responses)
  app.publicServer?.on('clientError', refuseUnparsable)
  const routes = recordRoutes(app)
  nameScopes(app, options.areGroupsOpen ?? true)
  parseJsonOnly(app)
  useTypeBoxValidation(app)
  handleErrors(app, routes)
  carryRequestId(app)
  logRequests(app)
  setSecurityHeaders(app)
  showPublicAlone(app)
  allowOrigins(app, options.isListedOrigin ?? (() => false))
  limitRate(app, { perAddress: 0, perUser: 0, perSession: 0, ...options.rateLimits })
  const noteGuess = watchGuesses({ log: options.logger })
  // Hooks run in the order of their registration; after the security headers, so that refusals carry them too.
  app.after(() => {
    finishRunningRequests(app, responses, options.drainTimeoutMs ?? DRAIN_TIMEOUT_MS)
    awaitFraming(app)
    requireHost(app)
    refuseUnknownRoutes(app, routes)
    requireApiKey(app, {
      ...options,
      onWrongKey(address) {
        noteGuess(address)
        options.onWrongKey?.()
      },
    })
    refuseForeignPages(app, {
      isKeyless: options.apiKey === '' && !options.keys,
      isLoopback: options.isLoopback ?? false,
      allowedHosts: options.allowedHosts ?? [],
    })
    recordChanges(app, options.storeChange ?? (() => Promise.resolve()))
    refuseCompressedBodies(app)
    refuseUnstorableText(app)
  })
  return app
}

/** Ids from a proxy in front are kept, so that one request has one id everywhere; anything odd is replaced. */
function acceptableId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{8,128}$/.test(header) ? header : undefined
}

/** All that a request leads to knows its id; reading a body ends outside of where its reading began. */
function carryRequestId(app: FastifyInstance): void {
  const carry = ({ id: reqId }: FastifyRequest, _reply: unknown, done: () => void): void =>
    logContext().reqId === reqId ? done() : withLogContext({ reqId }, done)
  app.addHook('onRequest', carry)
  app.addHook('preValidation', carry)
}

/** One line a request: what was asked of which route, never the URL's values, a body or an address. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const line = {
      reqId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    }
    request.log.info(line, 'Request')
    done()
  })
}

/** Whether chunks begin as they should is known a moment after the headers; what the parser refuses comes first. */
function awaitFraming(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['transfer-encoding'] === undefined) done()
    else queueMicrotask(() => done())
  })
}

/**
 * One name alone, and the same wherever it stands: of two `Host` headers Node keeps the first in silence, a proxy in
 * front may have judged the other.
 */
function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const { host } = raw.headers
    if (host === undefined && raw.httpVersion === '1.1') throw badHost('the header is required by HTTP/1.1')
    if (countHeaders(raw, 'host') > 1) throw badHost('the header stands there more than once')
    const [, target] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(raw.url ?? '') ?? []
    if (target !== undefined && target.toLowerCase() !== host?.toLowerCase()) {
      throw badHost('the header and the request target name different hosts')
    }
    done()
  })
}

function badHost(why: string): AppError {
  return new AppError('bad_request', 'host', `Host: ${why}`)
}

function countHeaders({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] as string
    if (each.length === name.length && each.toLowerCase() === name) count += 1
  }
  return count
}

function refuseCompressedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding.toLowerCase() !== 'identity') {
      throw new AppError(
        'unsupported_media',
        'content_encoding',
        'Content-Encoding: compressed bodies are not accepted',
      )
    }
    done()
  })
}

function refuseUnroutable(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(BARE_HEADERS).header('x-request-id', request.id)
  sendError(toPublic(error), error, request, reply)
}
