/**
 * `work`, each run of which begins when the one before has ended: of several that read the same, the last to end is the
 * last to have begun, and nothing older replaces what it found. A run that fails does not stop the next.
 */
export function inTurn<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const run = last.then(work)
    last = run.catch(() => {})
    return run
  }
}
