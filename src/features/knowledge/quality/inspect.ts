import { setImmediate as breathe } from 'node:timers/promises'
import type { QualityLists } from './inspection-protocol.ts'
import { inspectOnThread } from './inspection-thread.ts'
import { createInspector, type InspectedChunk, type Inspection, prepareWordChecks } from './inspector.ts'

/** Up to here a thread would take longer to start than the inspection takes. */
const FEW_CHUNKS = 400
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
    return inspectOnThread(lists, startingWith(first, rest))
  }
}

async function* startingWith<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}
