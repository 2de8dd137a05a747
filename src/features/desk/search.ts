import type { Analyser } from '../../language/words/analyser.ts'
import { isStopWord } from '../../language/words/stop-words.ts'
import { bigrams } from '../../language/words/tokenise.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { wordHash } from './search-index.ts'
import { findMessages, lastWordSeq } from './search-queries.ts'
import { searchOrder } from './search-windows.ts'
import type { FoundMessage } from './types.ts'

const PAGE = 200
const HAN = /^\p{Script=Han}+$/u

/**
 * Words that a message must hold: of Chinese their pairs of characters, under which every message is stored however its
 * words were told apart. None: the query says nothing.
 */
export function wordsToFind(analyser: Analyser, query: string): string[] {
  const words = analyser.words(query)
  const telling = words.filter((word) => !isStopWord(word))
  const parts = (telling.length > 0 ? telling : words).flatMap((word) =>
    HAN.test(word) && word.length > 1 ? bigrams(word) : [word],
  )
  return [...new Set(parts)]
}

/** The latest messages that hold all the words, those of each conversation once. Ends when `isEnough` says so. */
export async function findLatest(
  db: Database,
  { words, before, isEnough }: { words: readonly string[]; before: number | null; isEnough(found: number): boolean },
): Promise<FoundMessage[]> {
  const hashes = words.map(wordHash)
  const last = await lastWordSeq(db.executor)
  const found = new Map<string, FoundMessage>()
  let bound = before ?? last + 1
  for (const { window, start } of searchOrder(bound)) {
    if (start >= bound && window !== null) continue
    const wanted = window === null ? hashes : [...hashes, window]
    for (;;) {
      const page = await findMessages(db.executor, { words: wanted, before: bound, limit: PAGE })
      for (const message of page) if (!found.has(message.sessionId)) found.set(message.sessionId, message)
      if (isEnough(found.size)) return [...found.values()]
      const oldest = page.at(-1)
      if (page.length < PAGE || !oldest) break
      bound = oldest.seq
    }
    bound = Math.min(bound, start)
    if (bound <= 0) break
  }
  return [...found.values()]
}
