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
  const seconds = timeoutMs / 1_000
  const late = { en: `The check took longer than ${seconds} s`, zh: `检查超过 ${seconds} 秒仍未完成` }
  const broken = { en: 'The check itself failed', zh: '检查本身出错' }
  const results = await Promise.all(
    checks.map(async ({ name, run }) => {
      const result = await attempt(run, { timeoutMs, late, broken })
      if ('found' in result) return { name, status: 'passed' }
      return { name, status: 'failed', error: result.failure.en, words: result.failure }
    }),
  )
  const passed = results.filter(({ status }) => status === 'passed').length
  return { total: results.length, passed, failed: results.length - passed, checks: results }
}
