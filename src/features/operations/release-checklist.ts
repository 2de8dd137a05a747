import { AppError } from '../../kernel/errors.ts'

/** One thing that must be right before customers come. */
export interface ReleaseCheck {
  name: string
  /** Resolves when it is right; rejects with an `AppError` or a `CheckFailure` whose message says what is wrong. */
  run(signal: AbortSignal): Promise<void> | void
}

export interface ReleaseReport {
  total: number
  passed: number
  failed: number
  checks: { name: string; status: 'passed' | 'failed'; error?: string }[]
}

/** What is wrong, in words for the operator. */
export class CheckFailure extends Error {}

const CHECK_TIMEOUT_MS = 5_000

/** Runs every check by itself, all at the same time, each within its time limit. */
export async function runChecklist(
  checks: readonly ReleaseCheck[],
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<ReleaseReport> {
  const results = await Promise.all(checks.map((check) => runCheck(check, timeoutMs)))
  const passed = results.filter(({ status }) => status === 'passed').length
  return { total: results.length, passed, failed: results.length - passed, checks: results }
}

async function runCheck(check: ReleaseCheck, timeoutMs: number): Promise<ReleaseReport['checks'][number]> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new CheckFailure(`The check took longer than ${timeoutMs / 1_000} s`))
      controller.abort()
    }, timeoutMs)
  })
  try {
    await Promise.race([(async () => check.run(controller.signal))(), late])
    return { name: check.name, status: 'passed' }
  } catch (error) {
    return { name: check.name, status: 'failed', error: explain(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** The checklist is readable without a key: what is not written for the public stays inside. */
function explain(error: unknown): string {
  if (error instanceof CheckFailure || error instanceof AppError) return error.message
  return 'The check itself failed'
}
