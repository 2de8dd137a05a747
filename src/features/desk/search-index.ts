import { setImmediate as yieldToOthers } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Analyser } from '../../language/words/analyser.ts'
import { hashTerm } from '../../language/words/hash-term.ts'
import { isStopWord } from '../../language/words/stop-words.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { advanceState, insertWords, listWordless, readState, resetState } from './search-queries.ts'
import { windowsOf } from './search-windows.ts'

export interface SearchIndexOptions {
  db: Database
  analyser: Analyser
  /** Does work again and again until it is stopped; `run` does it now. */
  every(intervalMs: number, work: () => Promise<void>): { run(): Promise<void>; stop(): Promise<void> }
}

const BATCH = 200
const SWEEP_MS = 10_000
/** So many messages are read before a search that finds them missing; more are read in the background. */
const MAX_BEFORE_SEARCH = 1_000

/**
 * Keeps the words of messages, in the background: nothing of it is part of a turn. A search reads what came since, so that
 * what was just said is found. Several replicas may do the same at once, and then store the same.
 */
export function createSearchIndex({ db, analyser, every }: SearchIndexOptions) {
  const inTurn = pLimit(1)
  let isClosed = false

  async function sweep(most: number): Promise<void> {
    const state = await readState(db.executor)
    if (state.analysis !== analyser.fingerprint) {
      await db.transaction((trx) => resetState(trx, analyser.fingerprint))
      state.seq = 0
    }
    for (let read = 0; read < most && !isClosed; ) {
      const messages = await listWordless(db.executor, state.seq, BATCH)
      const last = messages.at(-1)
      if (!last) return
      const analysed: { seq: number; sessionId: string; words: number[] }[] = []
      for (const { seq, sessionId, content } of messages) {
        analysed.push({ seq, sessionId, words: [...wordsOf(analyser, content), ...windowsOf(seq)] })
        await yieldToOthers()
      }
      await insertWords(db.executor, analysed)
      await advanceState(db.executor, last.seq)
      state.seq = Math.max(state.seq, (await readState(db.executor)).seq)
      read += messages.length
    }
  }

  const task = every(SWEEP_MS, () => inTurn(() => sweep(Number.POSITIVE_INFINITY)))
  void task.run()
  return {
    /** Resolves when what was said until now can be found, as far as there is not too much of it. */
    catchUp: (): Promise<void> => (inTurn.activeCount > 0 ? Promise.resolve() : inTurn(() => sweep(MAX_BEFORE_SEARCH))),
    async close(): Promise<void> {
      isClosed = true
      await task.stop()
    },
  }
}

/** Distinct words under which a message is found. */
function wordsOf(analyser: Analyser, text: string): Set<number> {
  return new Set(
    analyser
      .documentTerms(text)
      .filter((term) => !isStopWord(term))
      .map(wordHash),
  )
}

/** Of 31 bits: numbers below zero are windows. */
export function wordHash(term: string): number {
  return hashTerm(term) & 0x7fff_ffff
}
