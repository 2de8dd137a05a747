/**
 * Computes when asked, at most once in `freshMs`, and for all who ask at the same time together: what strangers may ask for
 * as often as they like then costs what asking once costs. A failure is not kept.
 */
export function keptFresh<Result>(
  compute: () => Promise<Result>,
  { freshMs, now }: { freshMs: number; now: () => number },
): () => Promise<Result> {
  let latest: { result: Result; at: number } | null = null
  let running: Promise<Result> | null = null

  async function computeAnew(): Promise<Result> {
    try {
      const result = await compute()
      latest = { result, at: now() }
      return result
    } finally {
      running = null
    }
  }

  return () => {
    // A clock that was set back must not keep what is old for hours.
    if (latest && Math.abs(now() - latest.at) < freshMs) return Promise.resolve(latest.result)
    running ??= computeAnew()
    return running
  }
}
