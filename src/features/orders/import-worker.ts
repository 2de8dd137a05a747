import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../kernel/errors.ts'
import { type ImportMessage, type ImportTask, sliceImport } from './import-protocol.ts'
import { parseImport } from './record-import.ts'

/** Reads one import on a thread of its own: tens of megabytes of JSON would stall every request on the main thread. */
const port = parentPort
if (!port) throw new Error('import-worker.ts only runs as a worker thread')
const { kind, bytes, fileName, batchRecords } = workerData as ImportTask
const post = (message: ImportMessage): void => port.postMessage(message)

try {
  const batches = [...sliceImport(parseImport(kind, bytes, fileName), batchRecords)]
  const next = (): void => {
    const batch = batches.shift()
    if (batch) post({ kind: 'batch', batch, isLast: batches.length === 0 })
  }
  port.on('message', next)
  next()
} catch (error) {
  if (!(error instanceof AppError)) throw error
  post({ kind: 'refused', error: { kind: error.kind, code: error.code, message: error.message } })
}
