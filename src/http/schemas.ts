import { type TSchema, Type } from 'typebox'

/** Pieces of schemas that several features share. */
export const ErrorBody = Type.Object({ detail: Type.String() }, { description: 'What went wrong' })

const MEANING: Record<number, string> = {
  400: 'A parameter value is invalid, or a path or file cannot be used',
  401: 'X-API-Key is missing or wrong',
  404: 'Not found',
  409: 'The state does not allow this',
  413: 'Too large',
  415: 'Wrong media type',
  422: 'Validation failed',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
}

/** Error responses of an endpoint for the API description. */
export function errors(...statuses: (keyof typeof MEANING)[]): Record<number, TSchema> {
  return Object.fromEntries(
    statuses.map((status) => [status, { ...ErrorBody, description: MEANING[status] ?? 'Error' } as TSchema]),
  )
}

/** ISO 8601 in UTC, with `Z`. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] })

/** Text that people write, with its documented maximum length. */
export function freeText(maxLength: number, options: { minLength?: number; description?: string } = {}) {
  return Type.String({ maxLength, ...options })
}
