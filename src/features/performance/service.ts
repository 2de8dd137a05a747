import { randomUUID } from 'node:crypto'
import type { RouterTier } from '../../ai/model/port.ts'
import type { TierCounter } from '../../ai/model/tiers.ts'
import { findPersonal } from '../../business/masking/index.ts'
import { createCoalescer } from '../../kernel/coalescer.ts'
import { recalling } from '../../kernel/recalling.ts'
import { sharedReading } from '../../kernel/shared-reading.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { type Counters, createCounters } from './counters.ts'
import { announceClearing, CACHE_CHANNEL } from './queries.ts'
import { questionKey, type WordSplitter } from './question-key.ts'
import { createReplyCache, type ReplyCache } from './reply-cache.ts'
import { createRevisionReader } from './revision.ts'
import { countOf, rate, sumOf } from './sums.ts'

export interface PerformanceOptions<Reply> {
  db: Database
  clock: Clock
  analyser: WordSplitter
  tuner: {
    current(): { version: number; params: { cache_ttl_seconds: number; cache_max_entries: number } }
    onChange(listener: () => void): void
  }
  knowledge: { onChange(listener: (docId: string) => void): void }
  /** Everything in a reply that a customer sees. */
  textOf: (reply: Reply) => string
  /** The sliding window of the metrics, in milliseconds. */
  windowMs: number
  log: { warn(details: object, message: string): void }
  /** Told of every lookup of the cache and every eviction, and of every routed reply, as they happen. */
  onCache?: (event: 'hit' | 'miss' | 'eviction') => void
  onTier?: (tier: RouterTier) => void
}

/** A request that is being answered; call it once, when the response has ended. */
export type EndRequest = (status: number) => void

export interface PerformanceMetrics {
  /** 0..1; 0 while nothing was looked up. */
  cacheHitRate: number
  concurrentRequests: number
  modelRouterStats: Record<RouterTier, number>
  /** 0 while nothing was answered. */
  avgResponseMs: number
}

export type Performance<Reply extends object> = Awaited<ReturnType<typeof createPerformance<Reply>>>

const TIERS: readonly RouterTier[] = ['extractive', 'light', 'standard', 'strong']
/** Questions that are answered from the cache are asked again and again. */
const RECALLED_QUESTIONS = { maxEntries: 1_000, maxLength: 500 }
/** Of what is answered to customers; uploads take as long as they are large and would hide it. */
const CUSTOMER_ROUTES = new Set(['POST /api/v1/chat', 'POST /api/v1/chat/stream', 'POST /api/v1/gateway'])

/** The reply cache, and counts of what all replicas did. */
export async function createPerformance<Reply extends object>(options: PerformanceOptions<Reply>) {
  const { db, clock, tuner, knowledge, windowMs, log } = options
  const replicaId = randomUUID()
  const counters = createCounters({ db, clock, log })
  const cache = createHotCache(options, counters)
  const requests = watchRequests(clock, counters)

  // One document changed: the others' replies are stale by their stamp, so a late notice drops nothing that is good.
  knowledge.onChange((docId) => void (docId === '' ? cache.clear() : cache.sweep()))
  tuner.onChange(() => void cache.sweep())
  const announce = createAnnouncer(db, replicaId)
  const clear = (): void => void cache.clear()
  const unfollow = await db.listen(CACHE_CHANNEL, (sender) => void (sender === replicaId || clear()), clear)

  return {
    cache: cache as ReplyCache<Reply>,
    /** The same for questions that ask the same. */
    keyOf: (question: string): string => questionKey(question, options.analyser),
    counters,
    tiers: createTiers(counters, options.onTier),
    beginRequest: requests.begin,

    metrics: sharedReading(async (): Promise<PerformanceMetrics> => {
      const counts = await counters.window(windowMs)
      const hits = countOf(counts, 'cache', 'hit')
      return {
        cacheHitRate: rate(hits, hits + countOf(counts, 'cache', 'miss')),
        concurrentRequests: requests.concurrent(),
        modelRouterStats: Object.fromEntries(
          TIERS.map((tier) => [tier, countOf(counts, 'tier', tier)]),
        ) as PerformanceMetrics['modelRouterStats'],
        avgResponseMs: rate(sumOf(counts, 'response', 'ms'), countOf(counts, 'response', 'ms')),
      }
    }),

    async cacheStats() {
      const counts = await counters.totals('cache')
      const hits = countOf(counts, 'cache', 'hit')
      const misses = countOf(counts, 'cache', 'miss')
      const { cache_ttl_seconds, cache_max_entries } = tuner.current().params
      return {
        hits,
        misses,
        hitRate: rate(hits, hits + misses),
        entries: cache.entries(),
        capacity: cache_max_entries,
        evictions: countOf(counts, 'cache', 'eviction'),
        ttlSeconds: cache_ttl_seconds,
      }
    },

    /** Drops the replies that this replica holds; returns how many. */
    forget: (): number => cache.clear(),

    /** Clears the cache of every replica; returns how many replies this one dropped. */
    async invalidate(): Promise<number> {
      const dropped = cache.clear()
      await announce(null)
      return dropped
    },

    async close(): Promise<void> {
      await unfollow()
      await counters.close()
    },
  }
}

/** However many clear the cache at once, the other replicas are told once. */
function createAnnouncer(db: Database, replicaId: string) {
  return createCoalescer<null, void>({
    maxBatch: Number.POSITIVE_INFINITY,
    async run(calls) {
      await announceClearing(db, replicaId)
      return calls.map(() => undefined)
    },
  })
}

function watchRequests(clock: Clock, counters: Pick<Counters, 'add'>) {
  let concurrent = 0
  return {
    concurrent: () => concurrent,
    /** @param route the pattern that matched, such as `/api/v1/chat` */
    begin({ method, route }: { method: string; route: string }): EndRequest {
      const startedAt = clock.now()
      concurrent += 1
      return (status) => {
        concurrent -= 1
        counters.add('request', status >= 500 ? 'failed' : 'done')
        const isReply = CUSTOMER_ROUTES.has(`${method} ${route}`) && status < 400
        if (isReply) counters.add('response', 'ms', clock.now() - startedAt)
      }
    },
  }
}

function createHotCache<Reply extends object>(
  { db, clock, analyser, tuner, knowledge, textOf, onCache }: PerformanceOptions<Reply>,
  counters: Pick<Counters, 'add'>,
): ReplyCache<Reply> {
  const readRevision = createRevisionReader(db, knowledge)
  return createReplyCache<Reply>({
    limits() {
      const { cache_ttl_seconds, cache_max_entries } = tuner.current().params
      return { ttlSeconds: cache_ttl_seconds, maxEntries: cache_max_entries }
    },
    async stamp() {
      const revision = await readRevision()
      return revision === null ? null : `${revision}.${tuner.current().version}`
    },
    keyOf: recalling((text) => questionKey(text, analyser), RECALLED_QUESTIONS),
    isPersonal: recalling((text) => findPersonal(text).length > 0, { ...RECALLED_QUESTIONS, keep: (_, is) => !is }),
    textOf,
    count(event) {
      counters.add('cache', event)
      onCache?.(event)
    },
    clock,
  })
}

/** Counts for `model_router_stats`: the model counts its calls, whoever answers without one counts `extractive`. */
function createTiers(counters: Pick<Counters, 'add'>, onTier: ((tier: RouterTier) => void) | undefined): TierCounter {
  const sinceStart: Record<RouterTier, number> = { extractive: 0, light: 0, standard: 0, strong: 0 }
  return {
    count(tier) {
      sinceStart[tier] += 1
      counters.add('tier', tier)
      onTier?.(tier)
    },
    snapshot: () => ({ ...sinceStart }),
  }
}
