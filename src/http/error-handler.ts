import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorKind } from '../kernel/errors.ts'

const STATUS: Record<ErrorKind, number> = {
  bad_request: 400,
  unauthorized: 401,
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

/** What Fastify and its plugins report by code, in our words. */
const KNOWN: Record<string, [ErrorKind, string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid', 'The request body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid', 'The request body is empty; JSON is expected'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The request body is shorter or longer than Content-Length says'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The request body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media', 'The Content-Type is not supported here'],
  FST_ERR_BAD_URL: ['bad_request', 'The URL is malformed'],
  FST_ERR_ROUTE_MISSING_HANDLER: ['not_found', 'Not found'],
  FST_REQ_FILE_TOO_LARGE: ['too_large', 'The uploaded file is too large'],
  FST_PARTS_LIMIT: ['too_large', 'The form has too many parts'],
  FST_FILES_LIMIT: ['invalid', 'file: one file at a time'],
  FST_FIELDS_LIMIT: ['too_large', 'The form has too many fields'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported_media', 'The request must be multipart/form-data'],
  FST_NO_FORM_DATA: ['invalid', 'The form data is malformed'],
  FST_PROTO_VIOLATION: ['invalid', 'The form uses a forbidden field name'],
}

/** The one place where failures become responses: `{"detail": string}`, whatever went wrong. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(toPublic(error), error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const error = missing(app, request, reply)
    return sendError(error, error, request, reply)
  })
}

export function sendError(shown: AppError, cause: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = STATUS[shown.kind]
  const line = { err: cause, code: shown.code, status }
  if (status >= 500) request.log.error(line, 'Request failed')
  else request.log.debug(line, 'Request refused')
  if (shown.retryAfterSeconds !== undefined) reply.header('retry-after', shown.retryAfterSeconds)
  return reply.status(status).type('application/json').send({ detail: shown.message })
}

/** Any failure as one that may be shown: what is not ours says nothing of its inside. */
export function toPublic(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code = '', statusCode, validation, validationContext } = error as Partial<FastifyError>
  if (validation)
    return new AppError('invalid', 'validation', describe(validation, validationContext), { cause: error })
  const known = KNOWN[code]
  if (known) return new AppError(known[0], code, known[1], { cause: error })
  if (statusCode === 429)
    return new AppError('too_many', code, 'Too many requests', { cause: error, retryAfterSeconds: 60 })
  if (statusCode === 503) {
    return new AppError('unavailable', code, 'The service is overloaded', { cause: error, retryAfterSeconds: 5 })
  }
  if (isMalformedForm(error))
    return new AppError('invalid', 'multipart', 'The form data is malformed', { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', code || 'bad_request', 'The request is malformed', { cause: error })
  }
  return new AppError('internal', 'internal', 'Internal server error', { cause: error })
}

interface Violation {
  instancePath: string
  message?: string
  params?: Record<string, unknown>
}

/** `body/top_k must be <= 50`: the part of the request, the field, and the reason. */
function describe(violations: readonly Violation[], part = 'body'): string {
  const lines = violations.slice(0, 5).map(({ instancePath, message }) => {
    const field = instancePath.replace(/^\//, '').replaceAll('/', '.')
    const where = part === 'body' ? field || 'body' : field || part
    return `${where}: ${message ?? 'is invalid'}`
  })
  return [...new Set(lines)].join('; ')
}

/** The multipart parser reports a truncated or unbounded form with plain errors. */
function isMalformedForm(error: unknown): boolean {
  const message = (error as Error | null)?.message ?? ''
  return /multipart|boundary|unexpected end of (form|file)|malformed part header|premature close/i.test(message)
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const

function missing(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): AppError {
  const url = request.url.split('?')[0] ?? '/'
  const allowed = METHODS.filter((method) => app.findRoute({ method, url }) ?? hasMatch(app, method, url))
  if (allowed.length === 0)
    return new AppError('not_found', 'route', `No such endpoint: ${request.method} ${shorten(url)}`)
  reply.header('allow', allowed.join(', '))
  return new AppError(
    'method_not_allowed',
    'method',
    `${request.method} is not allowed here; use ${allowed.join(' or ')}`,
  )
}

function hasMatch(app: FastifyInstance, method: string, url: string): boolean {
  const pattern = matchingPattern(app, url)
  return pattern !== undefined && app.hasRoute({ method: method as 'GET', url: pattern })
}

const routePatterns = new WeakMap<object, { pattern: string; expression: RegExp }[]>()

/** Remembers every registered path, so that an unmatched request can be told which methods its path knows. */
export function recordRoutes(app: FastifyInstance): void {
  const patterns: { pattern: string; expression: RegExp }[] = []
  routePatterns.set(app.server, patterns)
  app.addHook('onRoute', ({ url }) => {
    if (url.includes('*')) return
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.+()[\]{}^$|?\\]/g, '\\$&')))
    patterns.push({ pattern: url, expression: new RegExp(`^${source.join('/')}$`) })
  })
}

function matchingPattern(app: FastifyInstance, url: string): string | undefined {
  return routePatterns.get(app.server)?.find(({ expression }) => expression.test(url))?.pattern
}

function shorten(url: string): string {
  return url.length > 200 ? `${url.slice(0, 200)}…` : url
}
