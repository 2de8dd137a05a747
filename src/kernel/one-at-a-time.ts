/** Runs `work` when all that was handed over before has ended. Settles as `work` does; a failure stops nothing. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Lets pieces of work run one at a time, first come, first served: of several that read the same, the last to end is the
 * last to have begun, and nothing older replaces what it found.
 */
export function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = last.then(work)
    last = run.catch(() => {})
    return run
  }
}
