import { type TSchema, Type } from 'typebox'

/** Pieces of schemas that several features share. */
const ErrorBody = Type.Object({ detail: Type.String() }, { description: 'What went wrong' })

const MEANING: Record<number, [description: string, detail: string]> = {
  400: ['A parameter value is invalid, or a path or file cannot be used', 'level: must be one of info, warn, error'],
  401: ['X-API-Key is missing or wrong', 'Invalid or missing API key'],
  403: ['The key lacks the scope, or a foreign web page asks', 'This API key lacks the scope knowledge'],
  404: ['Not found', 'No session has the session_id sess_4f1c2a9be07d'],
  409: ['The state does not allow this', 'The session is assigned already'],
  413: ['Too large', 'The request body is too large'],
  415: ['Wrong media type', 'The Content-Type is not supported here'],
  422: ['Validation failed', 'message: is required'],
  429: ['Too many requests', 'Too many requests'],
  503: ['Temporarily unavailable', 'The database cannot be reached at the moment'],
}

/** Error responses of an endpoint for the API description. */
export function errors(...statuses: (keyof typeof MEANING)[]): Record<number, TSchema> {
  return Object.fromEntries(statuses.map((status) => [status, errorSchema(status)]))
}

function errorSchema(status: number): TSchema {
  const [description, detail] = MEANING[status] ?? ['Error', 'What went wrong']
  return { ...ErrorBody, description, examples: [{ detail }] } as TSchema
}

/** ISO 8601 in UTC, with `Z`. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] })

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/**
 * A response of server-sent events, for a route's schema: `produces`, and the schemas of each event's `data` by its name. OpenAPI
 * has no place for them, so they stand as `x-events` beside the responses.
 */
export function eventStream(events: Record<string, TSchema>) {
  return { produces: ['text/event-stream'], 'x-events': events }
}

/** Told on every stream that goes on until somebody leaves: the service ends, come again in a moment. */
export const ClosingEvent = Type.Object({ retry_after_seconds: Type.Integer() })

/** How far a run on a test set is; null: none is under way. */
export const RunningBody = nullable(
  Type.Object({
    testset: Type.String({ examples: ['builtin'] }),
    done: Type.Integer(),
    total: Type.Integer(),
    started_at: Timestamp,
  }),
)

/** One of a few words; descriptions say what those mean that do not say it themselves. */
export function choice(values: readonly string[], options: { description?: string; examples?: string[] } = {}) {
  return Type.Unsafe<string>({ type: 'string', enum: [...values], ...options })
}

/** Text that people write, with its documented maximum length. */
export function freeText(maxLength: number, options: { minLength?: number; description?: string } = {}) {
  return Type.String({ maxLength, ...options })
}
