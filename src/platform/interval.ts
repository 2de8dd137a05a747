import type { Log } from '../kernel/log.ts'

export type PeriodicTask = ReturnType<typeof every>

/** Runs `work` again and again, each time `intervalMs` after the start of the last. A failure is logged. */
export function every(intervalMs: number, work: () => Promise<unknown>, log: Log) {
  let running: Promise<void> | null = null
  const once = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, 'A periodic task failed')
    }
  }
  /** Runs it now; resolves when that run has ended. One run at a time: a second call joins the one under way. */
  const run = (): Promise<void> => {
    running ??= once().finally(() => {
      running = null
    })
    return running
  }
  const timer = setInterval(() => void run(), intervalMs)
  timer.unref()
  return {
    run,
    /** No further run starts; resolves when the one under way has ended. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
