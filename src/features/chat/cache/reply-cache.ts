import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock.ts'

export interface CacheQuestion {
  text: string
  /** Everything else that the reply depends on, such as its language and the parameters of an experiment. */
  scope: string
}

/**
 * The result of a lookup. `compute`: nobody has the answer; others who ask the same wait until the holder calls exactly
 * one of the three (the first counts). `bypass`: compute it without the cache.
 */
export type Claim<Reply> =
  | { kind: 'hit'; reply: Reply }
  | {
      kind: 'compute'
      /** A context-free, confident reply from the knowledge base: keeps it and gives it to those who wait. */
      keep(reply: Reply): void
      /** A reply that must not be kept: those who wait compute their own. */
      discard(): void
      /** No reply, because computing failed or the customer left: one of those who wait takes over. */
      fail(): void
    }
  | { kind: 'bypass' }

export type ReplyCache<Reply extends object> = ReturnType<typeof createReplyCache<Reply>>

export interface ReplyCacheOptions<Reply> {
  /** Read for every lookup. `ttlSeconds` 0 or `maxEntries` 0 switch the cache off. */
  limits: () => { ttlSeconds: number; maxEntries: number }
  /**
   * Names the state of everything that replies rest on. Taken before a reply is computed and compared before it is
   * served, so it must change with every change and never come back. Null or a rejection: unknown, the cache is passed by.
   */
  version: () => Promise<string | null>
  keyOf: (text: string) => string
  isPersonal: (text: string) => boolean
  /** Everything in a reply that a customer sees. */
  textOf: (reply: Reply) => string
  /** Told once of every lookup that is no bypass from the start, and of every entry that others pushed out. */
  count: (event: 'hit' | 'miss' | 'eviction') => void
  clock: Clock
  /** Longest wait for another one's computation. Default 15,000 ms. */
  maxWaitMs?: number
}

interface Entry<Reply> {
  reply: Reply
  version: string
}
type Outcome = 'kept' | 'discarded' | 'failed'

/** Characters of all replies together; a cache of long replies is full before it has its number of entries. */
const MAX_CHARACTERS = 32 * 1024 * 1024
const MAX_ENTRY_CHARACTERS = 200_000
const DEFAULT_WAIT_MS = 15_000

export function createReplyCache<Reply extends object>(options: ReplyCacheOptions<Reply>) {
  const cache: Cache<Reply> = { ...options, running: new Map(), epoch: 0, capacity: 0, store: openStore(1, options) }
  return {
    /**
     * Never rejects but with the caller's own abort: where anything is in doubt, the reply is computed.
     *
     * @param signal of the caller, who may leave while waiting for another one's computation
     */
    async claim(question: CacheQuestion, signal?: AbortSignal): Promise<Claim<Reply>> {
      const { ttlSeconds, maxEntries } = options.limits()
      if (ttlSeconds === 0 || maxEntries === 0 || options.isPersonal(question.text)) return { kind: 'bypass' }
      resize(cache, maxEntries)
      const claim = await claimFor(cache, `${question.scope}\u0000${options.keyOf(question.text)}`, signal)
      options.count(claim.kind === 'hit' ? 'hit' : 'miss')
      return claim
    },
    /** Drops everything, also what is being computed; returns how many replies were dropped. */
    clear(): number {
      cache.epoch += 1
      const dropped = countEntries(cache)
      cache.store.clear()
      return dropped
    },
    /** Drops what rests on another state than the present one, which would not be served anyway. */
    async sweep(): Promise<void> {
      const version = await options.version().catch(() => null)
      for (const [key, entry] of [...cache.store.entries()]) if (entry.version !== version) cache.store.delete(key)
    },
    entries: (): number => countEntries(cache),
  }
}

interface Cache<Reply> extends ReplyCacheOptions<Reply> {
  /** Computations under way, by the state that they saw and the question. */
  running: Map<string, Promise<Outcome>>
  /** Grows with every clearing: what was begun before must not be kept after it. */
  epoch: number
  capacity: number
  store: LRUCache<string, Entry<Reply>>
}

async function claimFor<Reply extends object>(
  cache: Cache<Reply>,
  key: string,
  signal: AbortSignal | undefined,
): Promise<Claim<Reply>> {
  const deadline = cache.clock.now() + (cache.maxWaitMs ?? DEFAULT_WAIT_MS)
  for (;;) {
    const version = await cache.version().catch(() => null)
    if (version === null) return { kind: 'bypass' }
    const reply = lookUp(cache, key, version)
    if (reply !== undefined) return { kind: 'hit', reply }
    // Only those who saw the same state may share: an answer from before a change is no answer after it.
    const flight = `${cache.epoch} ${version} ${key}`
    const ahead = cache.running.get(flight)
    if (!ahead) return lead(cache, key, version, flight)
    const outcome = await within(ahead, deadline - cache.clock.now(), signal)
    // The one who computes takes too long or is lost: the next to ask starts anew.
    if (outcome === 'late' && cache.running.get(flight) === ahead) cache.running.delete(flight)
    if (outcome === 'discarded' || outcome === 'late') return { kind: 'bypass' }
  }
}

/** Makes the caller the one who computes. */
function lead<Reply extends object>(
  cache: Cache<Reply>,
  key: string,
  version: string,
  flight: string,
): Extract<Claim<Reply>, { kind: 'compute' }> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const startedIn = cache.epoch
  cache.running.set(flight, promise)
  let isSettled = false
  const settle = (outcome: () => Outcome): void => {
    if (isSettled) return
    isSettled = true
    if (cache.running.get(flight) === promise) cache.running.delete(flight)
    resolve(outcome())
  }
  return {
    kind: 'compute',
    keep: (reply) => settle(() => (startedIn === cache.epoch ? keep(cache, key, { reply, version }) : 'failed')),
    discard: () => settle(() => 'discarded'),
    fail: () => settle(() => 'failed'),
  }
}

function keep<Reply extends object>(cache: Cache<Reply>, key: string, entry: Entry<Reply>): Outcome {
  const { ttlSeconds } = cache.limits()
  if (ttlSeconds === 0 || cache.isPersonal(cache.textOf(entry.reply))) return 'discarded'
  cache.store.set(key, entry, { ttl: ttlSeconds * 1_000 })
  // One that is too large is not taken.
  return cache.store.has(key) ? 'kept' : 'discarded'
}

function lookUp<Reply extends object>(cache: Cache<Reply>, key: string, version: string): Reply | undefined {
  const entry = cache.store.get(key)
  if (!entry || entry.version === version) return entry?.reply
  cache.store.delete(key)
  return undefined
}

function resize<Reply extends object>(cache: Cache<Reply>, maxEntries: number): void {
  if (cache.capacity === maxEntries) return
  cache.capacity = maxEntries
  cache.store = openStore(maxEntries, cache)
}

function countEntries<Reply extends object>({ store }: Cache<Reply>): number {
  store.purgeStale()
  return store.size
}

function openStore<Reply extends object>(
  maxEntries: number,
  { clock, count }: ReplyCacheOptions<Reply>,
): LRUCache<string, Entry<Reply>> {
  return new LRUCache({
    max: maxEntries,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_ENTRY_CHARACTERS,
    sizeCalculation: (entry) => JSON.stringify(entry).length,
    perf: clock,
    ttlResolution: 0,
    dispose: (_entry, _key, reason) => {
      if (reason === 'evict') count('eviction')
    },
  })
}

/** The result of `promise`, `late` after `waitMs`; rejects with the signal's reason when the caller leaves. */
async function within(promise: Promise<Outcome>, waitMs: number, signal?: AbortSignal): Promise<Outcome | 'late'> {
  signal?.throwIfAborted()
  const { promise: ended, resolve, reject } = Promise.withResolvers<Outcome | 'late'>()
  const onAbort = (): void => reject(signal?.reason)
  const timer = setTimeout(() => resolve('late'), Math.max(0, waitMs))
  signal?.addEventListener('abort', onAbort, { once: true })
  void promise.then(resolve)
  try {
    return await ended
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
