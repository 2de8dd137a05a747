import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import { readWorkbook } from '../../knowledge/index.ts'
import type { WorkbookAnswer, WorkbookTask } from './workbook.ts'

/** Reads one workbook on a thread of its own: seconds of work for a large one. */
const { bytes, fileName } = workerData as WorkbookTask
const post = (answer: WorkbookAnswer): void => parentPort?.postMessage(answer)
try {
  post({ kind: 'read', sheets: (await readWorkbook(bytes, fileName)).map(({ rows }) => rows) })
} catch (error) {
  if (!(error instanceof AppError)) throw error
  post({ kind: 'refused', error: { kind: error.kind, code: error.code, message: error.message } })
}
