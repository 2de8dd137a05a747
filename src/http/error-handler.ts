import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorKind } from '../kernel/errors.ts'
import { Replay } from './idempotency.ts'
import type { RouteTable } from './routes-table.ts'

const STATUS: Record<ErrorKind, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  invalid: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
}

/** Errors that Fastify and its plugins report by code, in our words. */
const KNOWN: Record<string, [ErrorKind, string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid', 'The request body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid', 'The request body is empty; JSON is expected'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The request body is shorter or longer than Content-Length says'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The request body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media', 'The Content-Type is not supported here'],
  FST_ERR_BAD_URL: ['bad_request', 'The URL is malformed'],
  FST_ERR_ROUTE_MISSING_HANDLER: ['not_found', 'Not found'],
  FST_REQ_FILE_TOO_LARGE: ['too_large', 'file: the file is too large'],
  FST_PARTS_LIMIT: ['too_large', 'The form has too many parts'],
  FST_FILES_LIMIT: ['invalid', 'file: one file at a time'],
  FST_FIELDS_LIMIT: ['too_large', 'The form has too many fields'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported_media', 'The request must be multipart/form-data'],
  FST_INVALID_JSON_FIELD_ERROR: ['invalid', 'A field of the form says that it is JSON and is not'],
  FST_PROTO_VIOLATION: ['invalid', 'The form uses a forbidden field name'],
  FST_MP_PREMATURE_CLOSE: ['bad_request', 'The request ended before its form did'],
}

/** Errors that libraries report by status alone; their 403 is a file server's, which hides what it does not serve. */
const BY_STATUS: Record<number, [ErrorKind, string]> = {
  403: ['not_found', 'Not found'],
  404: ['not_found', 'Not found'],
  413: ['too_large', 'The request is too large'],
  415: ['unsupported_media', 'The Content-Type is not supported here'],
  429: ['too_many', 'Too many requests'],
  503: ['unavailable', 'The service is overloaded'],
}

const RETRY_AFTER_SECONDS: Partial<Record<ErrorKind, number>> = { too_many: 60, unavailable: 5 }
const MAX_DETAIL_LENGTH = 1_000

/** The one place where failures become responses: `{"detail": string}`, whatever went wrong. */
export function handleErrors(app: FastifyInstance, routes: RouteTable): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof Replay)
      return reply.status(error.answer.status).type(error.answer.contentType).send(error.answer.body)
    return sendError(toPublic(error), error, request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    const error = missing(routes, request, reply)
    return sendError(error, error, request, reply)
  })
}

/** Refuses what no route serves before its body is read: a malformed body cannot hide that the path is wrong. */
export function refuseUnknownRoutes(app: FastifyInstance, routes: RouteTable): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) throw missing(routes, request, reply)
    done()
  })
}

/** An unknown path, or a known one with another method; then `Allow` says which. */
function missing(routes: RouteTable, { method, url }: FastifyRequest, reply: FastifyReply): AppError {
  const path = url.split('?', 1)[0] ?? ''
  const allowed = routes.methodsOf(path)
  // A file server's own route matches every name and finds only some.
  if (allowed.length === 0 || allowed.includes(method)) {
    return new AppError('not_found', 'route', `No such endpoint: ${method} ${shorten(path, 200)}`)
  }
  reply.header('allow', allowed.join(', '))
  return new AppError('method_not_allowed', 'method', `${method} is not allowed here; use ${allowed.join(' or ')}`)
}

export function sendError(shown: AppError, cause: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = STATUS[shown.kind]
  const line = { reqId: request.id, err: cause, code: shown.code, status }
  if (status >= 500) request.log.error(line, 'Request failed')
  else request.log.debug(line, 'Request refused')
  const retryAfter = shown.retryAfterSeconds ?? RETRY_AFTER_SECONDS[shown.kind]
  if (retryAfter !== undefined && (shown.retryAfterSeconds !== undefined || !reply.hasHeader('retry-after')))
    reply.header('retry-after', retryAfter)
  // A file's response may have got as far as its headers before it failed.
  for (const name of ['content-range', 'etag', 'last-modified', 'cache-control', 'content-disposition'])
    reply.removeHeader(name)
  return reply
    .status(status)
    .type('application/json; charset=utf-8')
    .send({ detail: shorten(shown.message, MAX_DETAIL_LENGTH) })
}

/** Any failure as one that may be shown: what is not ours says nothing of its inside. */
export function toPublic(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code = '', statusCode, validation, validationContext } = Object(error) as Partial<FastifyError>
  if (Array.isArray(validation)) return fromViolations(validation as Violation[], validationContext, error)
  const [kind, message] = KNOWN[code] ?? BY_STATUS[statusCode ?? 0] ?? unknown(statusCode)
  return new AppError(kind, code || kind, message, { cause: error })
}

function unknown(statusCode: number | undefined): [ErrorKind, string] {
  const isCallers = statusCode !== undefined && statusCode >= 400 && statusCode < 500
  return isCallers ? ['bad_request', 'The request is malformed'] : ['internal', 'Internal server error']
}

interface Violation {
  keyword?: string
  instancePath: string
  message?: string
}

/** Keywords of sets and times, which in the query are a bad request and everywhere else a failed validation. */
const SET_KEYWORDS = new Set(['enum', 'const', 'format'])

function fromViolations(violations: readonly Violation[], part: string | undefined, cause: unknown): AppError {
  const outsideSet = part === 'querystring' && violations.every(({ keyword }) => SET_KEYWORDS.has(keyword ?? ''))
  return new AppError(outsideSet ? 'bad_request' : 'invalid', 'validation', describe(violations, part), { cause })
}

const PART_NAMES: Record<string, string> = { querystring: 'query', params: 'path', headers: 'headers' }

/** `options.top_k: must be <= 50`: the field and the reason, at most five of them. */
function describe(violations: readonly Violation[], part = 'body'): string {
  const lines = violations.map(({ instancePath, message }) => {
    const field = instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
    return `${shorten(field, 100) || (PART_NAMES[part] ?? part)}: ${message ?? 'is invalid'}`
  })
  return [...new Set(lines)].slice(0, 5).join('; ')
}

function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text
}
