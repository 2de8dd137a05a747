import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { sqlState, toAppError } from './errors.ts'

describe('toAppError', () => {
  it.each([
    ['ECONNREFUSED', 'database_unavailable'],
    ['ECONNRESET', 'database_unavailable'],
    ['EPIPE', 'database_unavailable'],
    ['ENOTFOUND', 'database_unavailable'],
    ['08006', 'database_unavailable'],
    ['08P01', 'database_unavailable'],
    ['57P01', 'database_unavailable'],
    ['57P03', 'database_unavailable'],
    ['53100', 'database_exhausted'],
    ['53300', 'database_exhausted'],
    ['25P03', 'database_unavailable'],
    ['58030', 'database_failing'],
    ['40P01', 'database_busy'],
    ['57014', 'database_timeout'],
  ])('turns %s into a 503 that says when to try again', (code, expected) => {
    const cause = Object.assign(new Error('secret host db.internal:5432'), { code })
    const mapped = toAppError(cause)
    expect(mapped).toBeInstanceOf(AppError)
    expect(mapped).toMatchObject({ kind: 'unavailable', code: expected, cause })
    expect((mapped as AppError).message).not.toContain('internal')
    expect((mapped as AppError).retryAfterSeconds).toBeGreaterThan(0)
  })

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('knows a lost connection by the driver’s words: %s', (message) => {
    expect(toAppError(new Error(message))).toMatchObject({ kind: 'unavailable' })
  })

  it.each([
    ['a broken constraint', Object.assign(new Error('x'), { code: '23505' })],
    ['an error without a code', new Error('x')],
    ['an error with a number for a code', Object.assign(new Error('x'), { code: 8 })],
    ['an expected failure', new AppError('not_found', 'x', 'y')],
    ['no error at all', undefined],
    ['null', null],
  ])('lets %s through', (_, error) => {
    expect(toAppError(error)).toBe(error)
  })
})

describe('sqlState', () => {
  it('is the code of a database error and empty for anything else', () => {
    expect(sqlState(Object.assign(new Error('x'), { code: '23505' }))).toBe('23505')
    for (const other of [new Error('x'), null, undefined, 'text', { code: 5 }]) expect(sqlState(other)).toBe('')
  })
})
