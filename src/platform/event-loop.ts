import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 20

export function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return {
    /**
     * How long the event loop kept timers waiting, 99th percentile since the last `reset`, in milliseconds: less the
     * time between two ticks of a timer, which an idle loop keeps too.
     */
    delayMs: (): number => Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS),
    reset: (): void => histogram.reset(),
    stop: (): void => void histogram.disable(),
  }
}
