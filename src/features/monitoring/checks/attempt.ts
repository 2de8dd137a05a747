import { AppError } from '../../../kernel/errors.ts'

/** The same in both languages. */
export interface Words {
  en: string
  zh: string
}

export interface Limits {
  timeoutMs: number
  /** Said of a check that took longer. */
  late: Words
  /** Said of a check that broke by something that is not written for the public, which reads all reports. */
  broken: Words
}

/** Makes a check within its time: what it found, or why it found nothing, fit for anyone's eyes. */
export async function attempt<Found>(
  run: (signal: AbortSignal) => Found | Promise<Found>,
  { timeoutMs, late, broken }: Limits,
): Promise<{ found: Found } | { failure: Words }> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<{ failure: Words }>((resolve) => {
    timer = setTimeout(() => {
      resolve({ failure: late })
      controller.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([(async () => ({ found: await run(controller.signal) }))(), timeout])
  } catch (error) {
    if (!(error instanceof AppError)) return { failure: broken }
    return { failure: { en: error.message, zh: error.zh ?? error.message } }
  } finally {
    clearTimeout(timer)
  }
}
