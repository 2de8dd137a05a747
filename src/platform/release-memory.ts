import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Collects this thread's garbage and gives the free pages back to the system, some tenths of a second during which the
 * thread does nothing else: for the end of a start, whose garbage is a quarter of the heap. Left alone the engine keeps it
 * for new objects.
 */
export function releaseMemory(): void {
  const collect = globalThis.gc ?? findCollector()
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

function findCollector(): Collect {
  // A context that is made while this is set has the engine's own function. Compiled code is kept with a hash of such
  // settings, so it is taken back.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return collect
}
