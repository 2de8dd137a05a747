import { AppError } from '../../kernel/errors.ts'
import { SOLUTION_PREFIX, shownName } from '../knowledge/index.ts'

/**
 * The name that a document is to have. A label and never a path, and yet nobody should take it for one that leads elsewhere.
 * Throws invalid.
 */
export function sourceLabel(given: string): string {
  const label = given.normalize('NFC').trim()
  if (label === '') throw invalid('must not be blank')
  if (label !== shownName(label)) throw invalid('must not hold control or format characters')
  if (label.split(/[/\\]/).includes('..')) throw invalid('must not lead to a folder above')
  if (label.startsWith(SOLUTION_PREFIX)) throw invalid(`must not begin with "${SOLUTION_PREFIX}"`)
  return label
}

function invalid(reason: string): AppError {
  return new AppError('invalid', 'validation', `metadata.source: ${reason}`)
}
