import { AppError } from '../../kernel/errors.ts'

interface PostgresFailure {
  code?: unknown
  message?: unknown
}

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
])

/**
 * Turns failures of the database itself (gone, full, too slow) into 503s; a statement's own errors pass through.
 * SQLSTATE classes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { code, message } = (error ?? {}) as PostgresFailure
  const state = typeof code === 'string' ? code : ''
  if (CONNECTION_CODES.has(state) || state.startsWith('08') || isLostConnection(message)) {
    return unavailable('database_unavailable', 'The database cannot be reached at the moment', error, 2)
  }
  if (state.startsWith('53')) {
    return unavailable('database_exhausted', 'The database has run out of space or connections', error, 10)
  }
  if (state === '57014') return unavailable('database_timeout', 'The database took too long to answer', error, 2)
  return error
}

function isLostConnection(message: unknown): boolean {
  return typeof message === 'string' && /^Connection terminated|timeout exceeded when trying to connect/i.test(message)
}

function unavailable(code: string, message: string, cause: unknown, retryAfterSeconds: number): AppError {
  return new AppError('unavailable', code, message, { cause, retryAfterSeconds })
}

/** SQLSTATE of an error, '' when it is none. */
export function sqlState(error: unknown): string {
  const code = (error as PostgresFailure | null)?.code
  return typeof code === 'string' ? code : ''
}
