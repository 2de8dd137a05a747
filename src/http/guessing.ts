import { LRUCache } from 'lru-cache'
import type { Log } from '../kernel/log.ts'

export interface GuessWatchOptions {
  /** Milliseconds, as of `performance.now()`. */
  now?: () => number
  log: Log
}

const ONE_MINUTE_MS = 60_000
/** Lines within a minute: of one address, and of all of them, since guessers have many. */
const MAX_LINES = 3
const MAX_LINES_OF_ALL = 60
/** Addresses remembered; those that have been quiet longest are forgotten first. */
const MAX_ADDRESSES = 10_000

interface Seen {
  minute: number
  lines: number
  suppressed: number
}

/** Writes wrong keys to the log by address, a few lines a minute, each with how many were left out before it. */
export function watchGuesses({ log, now = () => performance.now() }: GuessWatchOptions): (address: string) => void {
  const byAddress = new LRUCache<string, Seen>({ max: MAX_ADDRESSES })
  const all: Seen = { minute: 0, lines: 0, suppressed: 0 }
  return (address) => {
    const minute = Math.floor(now() / ONE_MINUTE_MS)
    const own = byAddress.get(address) ?? { minute, lines: 0, suppressed: 0 }
    byAddress.set(address, own)
    for (const seen of [own, all]) if (seen.minute !== minute) Object.assign(seen, { minute, lines: 0 })
    if (own.lines >= MAX_LINES || all.lines >= MAX_LINES_OF_ALL) {
      own.suppressed += 1
      all.suppressed += 1
      return
    }
    own.lines += 1
    all.lines += 1
    const details = { address, suppressed: own.suppressed, suppressed_of_all: all.suppressed }
    own.suppressed = 0
    all.suppressed = 0
    log.warn(details, 'A wrong API key was sent')
  }
}
