import { AppError } from '../../../kernel/errors.ts'

/** Maps to 400. */
const failure =
  (code: string) =>
  (fileName: string, found: string, cause?: unknown): AppError =>
    new AppError('bad_request', code, `The file "${displayName(fileName)}" ${found}`, { cause })

/** The file is of a kind that is not read, or is not what its name says. */
export const unsupportedFile = failure('unsupported_file')
/** The file is of a known kind but broken. */
export const malformedDocument = failure('malformed_document')
/** The file is beyond what one document may cost. */
export const tooComplex = failure('document_too_complex')
/** The file holds nothing to read. */
export const emptyDocument = failure('empty_document')

/** The file took longer than one document may take. */
export function parseTimeout(fileName: string, timeoutMs: number): AppError {
  const seconds = Math.round(timeoutMs / 100) / 10
  return failure('parse_timeout')(fileName, `could not be read within ${seconds} s; split it into smaller files`)
}

/** A name safe to repeat in a message: no control characters, 120 characters at most. */
function displayName(fileName: string): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  return base.replace(/\p{Cc}/gu, ' ').slice(0, 120)
}
