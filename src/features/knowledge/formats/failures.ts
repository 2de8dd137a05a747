import { AppError } from '../../../kernel/errors.ts'

/** The file is of a kind that is not read, or is not what its name says. Maps to 400. */
export function unsupportedFile(fileName: string, found: string): AppError {
  return new AppError('bad_request', 'unsupported_file', `The file "${displayName(fileName)}" ${found}`)
}

/** The file is of a known kind but broken. Maps to 400. */
export function malformedDocument(fileName: string, reason: string, cause?: unknown): AppError {
  return new AppError('bad_request', 'malformed_document', `The file "${displayName(fileName)}" ${reason}`, { cause })
}

/** The file is beyond what one document may cost. Maps to 400. */
export function tooComplex(fileName: string, reason: string, cause?: unknown): AppError {
  return new AppError('bad_request', 'document_too_complex', `The file "${displayName(fileName)}" ${reason}`, { cause })
}

/** The file took longer than one document may take. Maps to 400. */
export function parseTimeout(fileName: string, timeoutMs: number): AppError {
  const seconds = Math.round(timeoutMs / 100) / 10
  const message = `The file "${displayName(fileName)}" could not be read within ${seconds} s; split it into smaller files`
  return new AppError('bad_request', 'parse_timeout', message)
}

/** The file holds nothing to read. Maps to 400. */
export function emptyDocument(fileName: string, reason: string): AppError {
  return new AppError('bad_request', 'empty_document', `The file "${displayName(fileName)}" ${reason}`)
}

/** A name safe to repeat in a message: no control characters, 120 characters at most. */
function displayName(fileName: string): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  return base.replace(/\p{Cc}/gu, ' ').slice(0, 120)
}
