import { randomUUID } from 'node:crypto'
import { createBatcher } from '../../../kernel/batcher.ts'
import { memoize } from '../../../kernel/memoize.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { findPersonal } from '../../../privacy/index.ts'
import { announceClearing, CACHE_CHANNEL } from './queries.ts'
import { questionKey, type WordSplitter } from './question-key.ts'
import { createReplyCache, type ReplyCacheOptions } from './reply-cache.ts'
import { createRevisionReader } from './revision.ts'

export interface SharedCacheOptions<Reply> extends Pick<ReplyCacheOptions<Reply>, 'textOf' | 'count'> {
  db: Database
  clock: Clock
  analyser: WordSplitter
  tuner: {
    current(): { version: number; params: { cache_ttl_seconds: number; cache_max_entries: number } }
    onChange(listener: () => void): void
  }
  /** The words of replies depend on it. */
  assistant: { current(): { version: number }; onChange(listener: () => void): void }
  knowledge: { onChange(listener: (docId: string) => void): void }
}

export type SharedCache<Reply extends object> = Awaited<ReturnType<typeof openReplyCache<Reply>>>

/** Questions that are answered from the cache are asked again and again. */
const RECALLED_QUESTIONS = { maxEntries: 1_000, maxLength: 500 }

/** The reply cache of this replica, which every replica can clear. */
export async function openReplyCache<Reply extends object>(options: SharedCacheOptions<Reply>) {
  const { db, clock, analyser, tuner, assistant, knowledge, textOf, count } = options
  const replicaId = randomUUID()
  const readRevision = createRevisionReader(db, knowledge)
  const keyOf = (question: string): string => questionKey(question, analyser)
  const cache = createReplyCache<Reply>({
    limits() {
      const { cache_ttl_seconds, cache_max_entries } = tuner.current().params
      return { ttlSeconds: cache_ttl_seconds, maxEntries: cache_max_entries }
    },
    async version() {
      const revision = await readRevision()
      return revision === null ? null : `${revision}.${tuner.current().version}.${assistant.current().version}`
    },
    keyOf: memoize(keyOf, RECALLED_QUESTIONS),
    isPersonal: memoize((text) => findPersonal(text).length > 0, { ...RECALLED_QUESTIONS, keep: (_, is) => !is }),
    textOf,
    count,
    clock,
  })
  // One document changed: the others' replies are stale by their version, so a late notice drops nothing that is good.
  knowledge.onChange((docId) => void (docId === '' ? cache.clear() : cache.sweep()))
  for (const settings of [tuner, assistant]) settings.onChange(() => void cache.sweep())
  const clear = (): void => void cache.clear()
  const unfollow = await db.listen(CACHE_CHANNEL, (sender) => void (sender === replicaId || clear()), clear)
  // However many clear the cache at once, the other replicas are told once.
  const announce = createBatcher<null, void>({
    maxBatch: Number.POSITIVE_INFINITY,
    async run(calls) {
      await announceClearing(db, replicaId)
      return calls.map(() => undefined)
    },
  })
  return {
    ...cache,
    /** The same for questions that ask the same. */
    keyOf,
    /** Clears the cache of every replica; returns how many replies this one dropped. */
    async invalidate(): Promise<number> {
      const dropped = cache.clear()
      await announce(null)
      return dropped
    },
    close: unfollow,
  }
}
