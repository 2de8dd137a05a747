import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 20

export interface EventLoopMonitor {
  /** How long the event loop kept timers waiting, 99th percentile since the last `reset`, in milliseconds. */
  delayMs(): number
  reset(): void
  stop(): void
}

export function watchEventLoop(): EventLoopMonitor {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return {
    // What is measured is the time between two ticks of a timer, which an idle loop keeps too.
    delayMs: () => Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS),
    reset: () => histogram.reset(),
    stop: () => void histogram.disable(),
  }
}
