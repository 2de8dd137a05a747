import { AppError } from '../../../kernel/errors.ts'

export interface Limits {
  timeoutMs: number
  /** Said of a check that took longer. */
  late: string
  /** Said of a check that broke by something that is not written for the public, which reads all reports. */
  broken: string
}

/** Makes a check within its time: what it found, or why it found nothing, fit for anyone's eyes. */
export async function attempt<Found>(
  run: (signal: AbortSignal) => Found | Promise<Found>,
  { timeoutMs, late, broken }: Limits,
): Promise<{ found: Found } | { failure: string }> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<{ failure: string }>((resolve) => {
    timer = setTimeout(() => {
      resolve({ failure: late })
      controller.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([(async () => ({ found: await run(controller.signal) }))(), timeout])
  } catch (error) {
    return { failure: error instanceof AppError ? error.message : broken }
  } finally {
    clearTimeout(timer)
  }
}
