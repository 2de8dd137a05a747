import type { ErrorKind } from '../../kernel/errors.ts'
import type { ImportKind, ParsedImport } from './record-import.ts'

/** Messages between the thread that reads an import and who asked for it. Any message to the thread asks for the next. */
export interface ImportTask {
  kind: ImportKind
  bytes: Uint8Array
  fileName: string
  batchRecords: number
}

export type ImportMessage =
  | { kind: 'batch'; batch: ParsedImport; isLast: boolean }
  | { kind: 'refused'; error: { kind: ErrorKind; code: string; message: string } }

/** An import in parts of at most `size` records; what could not be taken is said with the first. At least one part. */
export function* sliceImport(parsed: ParsedImport, size: number): Generator<ParsedImport> {
  for (let start = 0; start === 0 || start < parsed.records.length; start += size) {
    const failures = start === 0 ? { failed: parsed.failed, errors: parsed.errors } : { failed: 0, errors: [] }
    const end = start + size
    if (parsed.kind === 'orders') yield { kind: 'orders', records: parsed.records.slice(start, end), ...failures }
    else yield { kind: 'customers', records: parsed.records.slice(start, end), ...failures }
  }
}
