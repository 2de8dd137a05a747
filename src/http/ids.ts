import { AppError } from '../kernel/errors.ts'
import { withoutInvisible } from '../kernel/invisible.ts'

/** Ids of sessions and users as callers write them: no control characters. */
export const ID_PATTERN = '^[^\\u0000-\\u001f\\u007f]*$'

/**
 * An id without blanks around it; empty where there is none. Otherwise ids are compared character by character, so one
 * that looks like another must not be another: throws invalid, naming the field, for characters that nobody sees.
 */
export function readId(field: string, given: string | undefined): string {
  const id = given?.trim() ?? ''
  if (withoutInvisible(id) === id) return id
  throw new AppError('invalid', 'validation', `${field}: must not contain invisible characters`)
}
