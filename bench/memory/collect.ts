import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into the service that is measured: each of its threads collects its garbage at intervals, and the main one
 * prints what is left. Left alone, it lets some hundred megabytes gather between two collections where the machine has
 * them, and that hides a slope.
 */
const COLLECT_EVERY_MS = 5_000

export interface Collected {
  /** Seconds since the start of the process. */
  collectedAt: number
  heapBytes: number
  residentBytes: number
}

const { gc } = globalThis
if (gc) setInterval(collect, COLLECT_EVERY_MS).unref()

function collect(): void {
  gc?.()
  if (!isMainThread) return
  const { heapUsed, rss } = process.memoryUsage()
  const line: Collected = { collectedAt: process.uptime(), heapBytes: heapUsed, residentBytes: rss }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** What a service with this preloaded has printed so far. */
export function collectedIn(output: string): Collected[] {
  return output
    .split('\n')
    .flatMap((line) => (line.startsWith('{"collectedAt"') ? [JSON.parse(line) as Collected] : []))
}
