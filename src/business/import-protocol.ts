import type { ErrorKind } from '../kernel/errors.ts'
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
