import { attempt } from './attempt.ts'

/** One thing that must be right before customers come. */
export interface ReleaseCheck {
  name: string
  /** Resolves when it is right; rejects with an `AppError` whose message says to the operator what is wrong. */
  run(signal: AbortSignal): Promise<void> | void
}

const CHECK_TIMEOUT_MS = 5_000

/** Runs every check by itself, all at the same time, each within its time limit. */
export async function runChecklist(checks: readonly ReleaseCheck[], timeoutMs = CHECK_TIMEOUT_MS) {
  const late = `The check took longer than ${timeoutMs / 1_000} s`
  const results = await Promise.all(
    checks.map(async ({ name, run }) => {
      const result = await attempt(run, { timeoutMs, late, broken: 'The check itself failed' })
      return 'found' in result ? { name, status: 'passed' } : { name, status: 'failed', error: result.failure }
    }),
  )
  const passed = results.filter(({ status }) => status === 'passed').length
  return { total: results.length, passed, failed: results.length - passed, checks: results }
}
