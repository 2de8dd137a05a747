const PROBE_MS = 5

/**
 * Watches how long the main thread cannot turn to anybody else. `heldUpMs` is by the clock, so on a busy machine it counts what
 * others do as well; `workMs` is the most processor time that the thread took between two turns.
 */
export function watchMainThread(): () => { heldUpMs: number; workMs: number } {
  const longest = { heldUpMs: 0, workMs: 0 }
  let [at, used] = [performance.now(), workSoFar()]
  const probe = setInterval(() => {
    const [now, work] = [performance.now(), workSoFar()]
    longest.heldUpMs = Math.max(longest.heldUpMs, now - at - PROBE_MS)
    longest.workMs = Math.max(longest.workMs, work - used)
    at = now
    used = work
  }, PROBE_MS)
  return () => {
    clearInterval(probe)
    return longest
  }
}

function workSoFar(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
