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
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
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
  // A server that cannot read or write its files (class 58), or undid one of two transactions that waited for each other.
  if (state.startsWith('58')) return unavailable('database_failing', 'The database cannot use its files', error, 10)
  if (state === '40P01' || state === '40001') return unavailable('database_busy', 'The database is busy', error, 1)
  if (state === '57014') return unavailable('database_timeout', 'The database took too long to answer', error, 2)
  return error
}

/** The driver's own words, which come without a code; the last are of the statement after the one that failed. */
const LOST_CONNECTION =
  /^Connection terminated|timeout exceeded when trying to connect|^Client (?:has encountered a connection error|was closed) and is not queryable/i

function isLostConnection(message: unknown): boolean {
  return typeof message === 'string' && LOST_CONNECTION.test(message)
}

function unavailable(code: string, message: string, cause: unknown, retryAfterSeconds: number): AppError {
  return new AppError('unavailable', code, message, { cause, retryAfterSeconds })
}

/** SQLSTATE of an error, '' when it is none. */
export function sqlState(error: unknown): string {
  const code = (error as PostgresFailure | null)?.code
  return typeof code === 'string' ? code : ''
}

/** Whether a statement was refused because what it would store is there (unique_violation). */
export function isDuplicate(error: unknown): boolean {
  return sqlState(error) === '23505'
}

/** Whether a statement met a table or an index that is damaged, or a file that is gone. */
export function isDamage(error: unknown): boolean {
  return ['XX001', 'XX002', '58P01'].includes(sqlState(error))
}
