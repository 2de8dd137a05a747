import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Work that somebody waits for, so that work which nobody waits for can give way to it. */
export interface Foreground {
  /** Call it when such work begins, and what it returns when that ends. */
  begin(): () => void
  /** Resolves when none is under way, and after a tenth of a second at the latest: background work must end as well. */
  giveWay(): Promise<void>
}

const LONGEST_MS = 100
const POLL_MS = 5

export function createForeground(): Foreground {
  let running = 0
  return {
    begin() {
      running += 1
      let ended = false
      return () => {
        if (ended) return
        ended = true
        running -= 1
      }
    },
    async giveWay() {
      await nextTurn()
      for (let waitedMs = 0; running > 0 && waitedMs < LONGEST_MS; waitedMs += POLL_MS) await sleep(POLL_MS)
    },
  }
}
