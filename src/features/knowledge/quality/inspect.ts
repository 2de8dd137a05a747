import { setImmediate as breathe } from 'node:timers/promises'
import { reduceOnThread } from '../../../kernel/threads.ts'
import { createInspector, type InspectedChunk, type Inspection, prepareWordChecks } from './inspector.ts'
import type { QualityLists } from './lists.ts'

/** Up to here a thread would take longer to start than the inspection takes. */
const FEW_CHUNKS = 400
/** Enough for 500,000 chunks; beyond it the check fails and the service goes on. */
const MAX_HEAP_MB = 2_048
/** Chunks inspected before other requests get their turn. */
const SLICE = 20

/**
 * Makes a function that inspects chunks, which arrive in pages: few of them here, many on a thread of their own.
 *
 * @param words the analyser's words of a text, in order.
 */
export function createInspection(
  lists: QualityLists,
  words: (text: string) => string[],
): (pages: AsyncIterable<readonly InspectedChunk[]>) => Promise<Inspection> {
  const checks = prepareWordChecks(lists)

  async function inspectHere(chunks: readonly InspectedChunk[]): Promise<Inspection> {
    const inspector = createInspector(checks, words)
    for (const [i, chunk] of chunks.entries()) {
      if (i % SLICE === 0) await breathe()
      inspector.add(chunk)
    }
    return inspector.finish()
  }

  return async (pages) => {
    const rest = pages[Symbol.asyncIterator]()
    const first: InspectedChunk[] = []
    while (first.length <= FEW_CHUNKS) {
      const page = await rest.next()
      if (page.done) return inspectHere(first)
      first.push(...page.value)
    }
    return reduceOnThread(new URL('./inspect-worker.ts', import.meta.url), startingWith(first, rest), {
      of: 'the inspection',
      workerData: lists,
      maxHeapMb: MAX_HEAP_MB,
      outOfMemory: {
        code: 'quality_memory',
        message: 'The knowledge base is too large to be checked at once; check it by source or doc_id',
      },
    })
  }
}

async function* startingWith<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}
