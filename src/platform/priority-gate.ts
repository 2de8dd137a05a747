import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

const LONGEST_MS = 100
const POLL_MS = 5

/** Work that somebody waits for, so that work which nobody waits for can give way to it. */
export function createPriorityGate() {
  let running = 0
  return {
    /** Call it when such work begins, and what it returns when that ends. */
    begin(): () => void {
      running += 1
      let ended = false
      return () => {
        if (ended) return
        ended = true
        running -= 1
      }
    },
    /** Resolves when none is under way, and after a tenth of a second at the latest: background work must end as well. */
    async giveWay(): Promise<void> {
      await nextTurn()
      for (let waitedMs = 0; running > 0 && waitedMs < LONGEST_MS; waitedMs += POLL_MS) await sleep(POLL_MS)
    },
  }
}
