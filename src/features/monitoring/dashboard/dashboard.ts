import { sharedReading } from '../../../kernel/shared-reading.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { maskText } from '../../../privacy/index.ts'
import { type AskedQuestion, countSessions, frequentQuestions } from './queries.ts'

export interface DashboardOptions {
  db: Database
  clock: Clock
  /** Over the turns whose trace is kept, also those that wait to be stored. */
  averageTurnMs: () => Promise<number>
  /** The same for questions that ask the same. */
  keyOf: (question: string) => string
  /** Sessions that must have asked a question before it is shown to everybody. */
  minSessions: number
}

type Dashboard = Awaited<ReturnType<typeof collect>>
export type DashboardReader = ReturnType<typeof createDashboard>

const FRESH_MS = 30_000
const HOT_QUESTIONS = 10
/** Where questions are looked for: about two days of a busy service, and bounded for a busier one. */
const RECENT_MESSAGES = 20_000
const CANDIDATES = 500

/** Read at most every 30 seconds unless forced, by one computation at a time. */
export function createDashboard(options: DashboardOptions) {
  const { clock } = options
  // Begins after all who wait for it asked, so that none is shown what was read before its last change.
  const collectAnew = sharedReading(() => collect(options))
  let latest: Dashboard | null = null
  /** Grows when what was read is to be forgotten: what is being read then is not kept either. */
  let version = 0
  let running: Promise<Dashboard> | null = null

  async function compute(): Promise<Dashboard> {
    const begunIn = version
    const dashboard = await collectAnew()
    if (begunIn === version) latest = dashboard
    return dashboard
  }

  return {
    async read({ forceRefresh }: { forceRefresh: boolean }): Promise<Dashboard> {
      if (forceRefresh) return compute()
      // A clock that was set back must not keep what is old until its time has come again.
      const isFresh = latest !== null && Math.abs(clock.now() - latest.collectedAt.getTime()) < FRESH_MS
      if (isFresh && latest) return latest
      running ??= compute().finally(() => {
        running = null
      })
      return running
    },
    /** The last reading is not shown again, nor one that is under way. */
    forget(): void {
      version += 1
      latest = null
    },
  }
}

async function collect({ db, clock, averageTurnMs, keyOf, minSessions }: DashboardOptions) {
  const collectedAt = new Date(clock.now())
  const [{ sessions, escalated, resolved }, avgResponseTimeMs, asked] = await Promise.all([
    countSessions(db.executor),
    averageTurnMs(),
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

interface MergedQuestion extends Omit<AskedQuestion, 'sessions'> {
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
