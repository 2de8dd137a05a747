import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../../../../platform/postgres/index.ts'
import type { Collection } from '../../types.ts'
import type { ScoredChunk } from '../queries.ts'
import { bm25, inverseFrequency } from './bm25.ts'
import { askBm25, findHeldTerms, matchTerms, readTermSample } from './queries.ts'
import { type TermQuery, termQuery } from './term-query.ts'
import { createTermSample } from './term-sample.ts'

/** Passages whose terms are sampled; those of a smaller base are all there. */
const SAMPLED = 8_192
/** Passages that are to be scored, and the most that are. */
const WANTED = 400
const MOST = 1_200
/** A search that finds fewer although there is more asks again for so many times as many. */
const TOO_FEW = 50
const WIDER = 16
/** The sample is taken anew when the base has grown or shrunk so much, and waited for when it has even more. */
const DRIFT = 1.5
const TOO_FAR = DRIFT ** 2
/** A base to which nothing was added for so long is looked at before somebody searches it. */
const QUIET_MS = 1_000

/** Finds passages of a collection by words, whichever engine does it. */
export interface LexicalIndex {
  /** Best first, by BM25. */
  find(terms: readonly string[], count: number): Promise<ScoredChunk[]>
  /** Those of some terms that any passage holds. */
  held(terms: readonly string[]): Promise<string[]>
  /** Looks at the base anew where its size asks for it. */
  follow(): Promise<void>
  /** Tells that passages came or went: there will be a look at the base before a search needs it. */
  changed(): void
}

/** @param size passages of the collection. */
export function createLexicalIndex(db: Database, collection: Collection, size: () => number): LexicalIndex {
  if (db.lexicalEngine === 'full_text') return createFullTextIndex(db, collection, size)
  return {
    find: (terms, count) => askBm25(db.executor, collection, terms, count),
    held: (terms) => findHeldTerms(db, collection, terms),
    follow: async () => {},
    changed: () => {},
  }
}

/**
 * Postgres' own text search knows no document frequency, and ranks by reading every passage that matches. So it is asked
 * for a few hundred passages that hold what says most, by what a sample of the base tells, and these are scored here.
 */
function createFullTextIndex(db: Database, collection: Collection, size: () => number): LexicalIndex {
  let sample = createTermSample()
  let sampledOf = 0
  let taking: Promise<void> | null = null

  async function take(): Promise<void> {
    const fresh = createTermSample()
    const count = size()
    for await (const texts of readTermSample(db.executor, collection, SAMPLED)) {
      for (const text of texts) if (fresh.add(text)) await breathe()
    }
    fresh.finish()
    sample = fresh
    sampledOf = count
  }
  function hasMoved(by: number): boolean {
    const count = size()
    return count > sampledOf * by || count * by < sampledOf
  }
  function follow(): Promise<void> {
    if (!hasMoved(DRIFT)) return Promise.resolve()
    taking ??= take().finally(() => {
      taking = null
    })
    return taking
  }
  /** Without the database no search comes that far, and the next one tries again. */
  const lookAhead = (): Promise<void> => follow().catch(() => {})
  let quiet: NodeJS.Timeout | undefined
  const ask = ({ texts }: TermQuery, most: number) => matchTerms(db.executor, collection, texts, most)

  return {
    async find(terms, count) {
      const asked = terms.filter((term) => term !== '')
      if (asked.length === 0) return []
      if (hasMoved(TOO_FAR)) await follow()
      else void lookAhead()
      const total = Math.max(size(), sample.size)
      let query = termQuery(asked, sample, total, WANTED)
      let found = await ask(query, MOST)
      if (found.length < Math.min(TOO_FEW, count) && !query.isWhole) {
        query = termQuery(asked, sample, total, WANTED * WIDER)
        found = await ask(query, MOST)
      }
      // All that hold any of the terms are known, so how common these are is, too.
      const weights = query.isWhole && found.length < MOST ? weightsAmong(found, asked, total) : query.weights
      const length = Math.max(1, sample.averageLength)
      return found
        .map(({ chunkId, terms: text }) => ({ chunkId, score: bm25(text, weights, length) }))
        .sort((a, b) => b.score - a.score || a.chunkId - b.chunkId)
        .slice(0, count)
    },
    held: (terms) => findHeldTerms(db, collection, terms),
    follow,
    changed(): void {
      quiet ??= setTimeout(lookAhead, QUIET_MS).unref()
      quiet.refresh()
    },
  }
}

function weightsAmong(
  found: readonly { terms: string }[],
  asked: readonly string[],
  total: number,
): ReadonlyMap<string, number> {
  const counts = new Map(asked.map((term) => [term, 0]))
  for (const { terms } of found) {
    for (const term of new Set(terms.split(' '))) {
      const count = counts.get(term)
      if (count !== undefined) counts.set(term, count + 1)
    }
  }
  return new Map([...counts].map(([term, count]) => [term, inverseFrequency(count, Math.max(total, found.length))]))
}
