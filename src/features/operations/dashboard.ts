import { maskText } from '../../business/masking/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { averageTurnMs, countSessions, frequentQuestions } from './queries.ts'
import type { AskedQuestion, Dashboard } from './types.ts'

export interface DashboardOptions {
  db: Database
  clock: Clock
  /** The same for questions that ask the same. */
  keyOf: (question: string) => string
}

/** Read at most every 30 seconds unless forced, by one computation at a time. */
export interface DashboardReader {
  read(options: { forceRefresh: boolean }): Promise<Dashboard>
}

const FRESH_MS = 30_000
const HOT_QUESTIONS = 10
/** Where questions are looked for: about two days of a busy service, and bounded for a busier one. */
const RECENT_MESSAGES = 20_000
const CANDIDATES = 500

export function createDashboard(options: DashboardOptions): DashboardReader {
  const { clock } = options
  let latest: Dashboard | null = null
  let running: Promise<Dashboard> | null = null
  let next: Promise<Dashboard> | null = null

  function compute(): Promise<Dashboard> {
    running ??= collect(options)
      .then((dashboard) => {
        latest = dashboard
        return dashboard
      })
      .finally(() => {
        running = null
      })
    return running
  }

  /** One that begins from now on: what runs already may have read before the caller's last change. */
  function computeAnew(): Promise<Dashboard> {
    if (!running) return compute()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        return compute()
      })
    return next
  }

  return {
    async read({ forceRefresh }) {
      if (forceRefresh) return computeAnew()
      // A clock that was set back must not keep what is old until its time has come again.
      const isFresh = latest !== null && Math.abs(clock.now() - latest.collectedAt.getTime()) < FRESH_MS
      return isFresh && latest ? latest : compute()
    },
  }
}

async function collect({ db, clock, keyOf }: DashboardOptions): Promise<Dashboard> {
  const collectedAt = new Date(clock.now())
  const [{ sessions, escalated, resolved }, avgResponseTimeMs, asked] = await Promise.all([
    countSessions(db.executor),
    averageTurnMs(db.executor),
    frequentQuestions(db.executor, { messages: RECENT_MESSAGES, limit: CANDIDATES }),
  ])
  return {
    totalSessions: sessions,
    escalationRate: sessions === 0 ? 0 : escalated / sessions,
    resolutionRate: sessions === 0 ? 0 : resolved / sessions,
    avgResponseTimeMs,
    hotQuestions: mergeQuestions(asked, keyOf),
    collectedAt,
  }
}

/** Questions that ask the same as one, in their most frequent wording, without personal data. */
function mergeQuestions(asked: readonly AskedQuestion[], keyOf: (question: string) => string): AskedQuestion[] {
  const merged = new Map<string, AskedQuestion>()
  for (const { question, count } of asked) {
    const shown = maskText(question)
    const key = keyOf(shown)
    const known = merged.get(key)
    if (known) known.count += count
    else merged.set(key, { question: shown, count })
  }
  return [...merged.values()].sort((a, b) => b.count - a.count).slice(0, HOT_QUESTIONS)
}
