import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import { isOutOfMemory } from '../../../kernel/threads.ts'
import type { TicketRow } from './ticket-file.ts'

export interface WorkbookTask {
  bytes: Uint8Array
  fileName: string
}

export type WorkbookAnswer =
  | { kind: 'read'; sheets: string[][][] }
  | { kind: 'refused'; error: Pick<AppError, 'kind' | 'code' | 'message'> }

const MAX_HEAP_MB = 1_024

/** The rows of an Excel workbook, each sheet under its own header. Throws bad_request, or too_large. */
export async function* workbookRows(task: WorkbookTask): AsyncIterable<TicketRow> {
  const sheets = await readSheets(task)
  for (const [sheet, [header = [], ...rows]] of sheets.entries()) {
    for (const [at, row] of rows.entries()) {
      const value = Object.fromEntries(
        header.flatMap((name, column) => (name === '' ? [] : [[name, row[column] ?? '']])),
      )
      yield { place: `${sheets.length > 1 ? `sheet ${sheet + 1}, ` : ''}row ${at + 2}`, value }
    }
  }
}

async function readSheets(task: WorkbookTask): Promise<string[][][]> {
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  try {
    // Rejects when the worker reports an error.
    const [answer] = (await once(worker, 'message')) as [WorkbookAnswer]
    if (answer.kind === 'refused') throw new AppError(answer.error.kind, answer.error.code, answer.error.message)
    return answer.sheets
  } catch (error) {
    if (!isOutOfMemory(error)) throw error
    throw new AppError(
      'too_large',
      'import_memory',
      'file: is too large to be read at once; import it in several files',
      {
        cause: error,
      },
    )
  } finally {
    await worker.terminate()
  }
}
