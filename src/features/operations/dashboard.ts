import { maskText } from '../../business/masking/index.ts'
import { resting } from '../../kernel/shared-reading.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { averageTurnMs, countSessions, frequentQuestions } from './queries.ts'
import type { AskedQuestion, Dashboard, HotQuestion } from './types.ts'

export interface DashboardOptions {
  db: Database
  clock: Clock
  /** The same for questions that ask the same. */
  keyOf: (question: string) => string
  /** Sessions that must have asked a question before it is shown to everybody. */
  minSessions: number
}

/** Read at most every 30 seconds unless forced, by one computation at a time. */
export interface DashboardReader {
  read(options: { forceRefresh: boolean }): Promise<Dashboard>
  /** What was read last is not shown again, nor what is being read. */
  forget(): void
}

const FRESH_MS = 30_000
const HOT_QUESTIONS = 10
/** Where questions are looked for: about two days of a busy service, and bounded for a busier one. */
const RECENT_MESSAGES = 20_000
const CANDIDATES = 500

export function createDashboard(options: DashboardOptions): DashboardReader {
  const { clock } = options
  const collectRested = resting(() => collect(options))
  let latest: Dashboard | null = null
  /** Grows when what was read is to be forgotten: what is being read then is not kept either. */
  let era = 0
  let running: Promise<Dashboard> | null = null
  let next: Promise<Dashboard> | null = null

  function compute(): Promise<Dashboard> {
    const begunIn = era
    running ??= collectRested()
      .then((dashboard) => {
        if (begunIn === era) latest = dashboard
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
    forget() {
      era += 1
      latest = null
    },
  }
}

async function collect({ db, clock, keyOf, minSessions }: DashboardOptions): Promise<Dashboard> {
  const collectedAt = new Date(clock.now())
  const [{ sessions, escalated, resolved }, avgResponseTimeMs, asked] = await Promise.all([
    countSessions(db.executor),
    averageTurnMs(db.executor),
    frequentQuestions(db.executor, { messages: RECENT_MESSAGES, limit: CANDIDATES, withSessions: minSessions > 1 }),
  ])
  return {
    totalSessions: sessions,
    escalationRate: sessions === 0 ? 0 : escalated / sessions,
    resolutionRate: sessions === 0 ? 0 : resolved / sessions,
    avgResponseTimeMs,
    hotQuestions: mergeQuestions(asked, keyOf)
      .filter(({ sessions }) => minSessions <= 1 || sessions.size >= minSessions)
      .slice(0, HOT_QUESTIONS)
      .map(({ question, count }) => ({ question, count })),
    collectedAt,
  }
}

interface MergedQuestion extends HotQuestion {
  sessions: Set<string>
}

/** Questions that ask the same as one, in their most frequent wording, without personal data, the most frequent first. */
function mergeQuestions(asked: readonly AskedQuestion[], keyOf: (question: string) => string): MergedQuestion[] {
  const merged = new Map<string, MergedQuestion>()
  for (const { question, count, sessions } of asked) {
    const shown = maskText(question)
    const key = keyOf(shown)
    const known = merged.get(key)
    if (known) known.count += count
    for (const session of known ? sessions : []) known?.sessions.add(session)
    if (!known) merged.set(key, { question: shown, count, sessions: new Set(sessions) })
  }
  return [...merged.values()].sort((a, b) => b.count - a.count)
}
