export interface PeriodicTask {
  /** Runs it now; resolves when that run has ended. One run at a time: a second call joins the one under way. */
  run(): Promise<void>
  /** No further run starts; resolves when the one under way has ended. */
  stop(): Promise<void>
}

/** Runs `work` again and again, each time `intervalMs` after the start of the last. A failure is logged. */
export function every(
  intervalMs: number,
  work: () => Promise<unknown>,
  log: { warn(details: object, message: string): void },
): PeriodicTask {
  let running: Promise<void> | null = null
  const once = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, 'A periodic task failed')
    }
  }
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
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
