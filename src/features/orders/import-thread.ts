import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/errors.ts'
import { isOutOfMemory } from '../../kernel/threads.ts'
import { type ImportMessage, type ImportTask, sliceImport } from './import-protocol.ts'
import { type ImportKind, type ParsedImport, parseImport } from './record-import.ts'

/** Below this size reading takes a few milliseconds, less than starting a thread. */
const IN_PLACE_BYTES = 262_144
const BATCH_RECORDS = 500
/** Read records take about ten times their size in the file. */
const MAX_HEAP_MB = 2_048

/**
 * Reads an import as `parseImport` does, in parts of 500 records: a large file on a thread, which waits until a part has
 * been taken care of. A file that is refused is refused before the first part.
 */
export async function* readImport(
  kind: ImportKind,
  { name, bytes }: { name: string; bytes: Uint8Array },
): AsyncGenerator<ParsedImport> {
  if (bytes.length <= IN_PLACE_BYTES) yield* sliceImport(parseImport(kind, bytes, name), BATCH_RECORDS)
  else yield* readInThread({ kind, bytes, fileName: name, batchRecords: BATCH_RECORDS })
}

async function* readInThread(task: ImportTask): AsyncGenerator<ParsedImport> {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  try {
    for (;;) {
      const message = await nextMessage(worker)
      if (message.kind === 'refused') throw new AppError(message.error.kind, message.error.code, message.error.message)
      yield message.batch
      if (message.isLast) return
      worker.postMessage('next')
    }
  } finally {
    await worker.terminate()
  }
}

async function nextMessage(worker: Worker): Promise<ImportMessage> {
  try {
    // Rejects when the worker reports an error.
    const [message] = await once(worker, 'message')
    return message
  } catch (error) {
    if (!isOutOfMemory(error)) throw error
    const text = 'file: is too large to be read at once; import it in several files'
    throw new AppError('too_large', 'import_memory', text, { cause: error })
  }
}
