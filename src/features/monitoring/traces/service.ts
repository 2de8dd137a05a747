import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../../kernel/errors.ts'
import { memoize } from '../../../kernel/memoize.ts'
import { sharedReading } from '../../../kernel/shared-reading.ts'
import type { Trace, TraceSink } from '../../../kernel/tracing.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { BufferedTraceSink } from '../../../platform/trace-sink.ts'
import { maskText } from '../../../privacy/index.ts'
import {
  countActiveSessions,
  findStoredIds,
  findTrace,
  insertTraces,
  listActiveSessions,
  listTraces,
  readAgents,
  readOverview,
  readTurnStats,
} from './queries.ts'
import { agentCallsOf, toTraceRow } from './trace-row.ts'
import type {
  ActiveSession,
  AgentRow,
  Overview,
  StoredTrace,
  TraceFilter,
  TraceRow,
  TraceSummary,
  TurnStats,
} from './types.ts'

export interface MonitoringOptions {
  db: Database
  clock: Clock
  /** Makes the buffer in front of the database. */
  openSink: (store: (traces: readonly Trace[]) => Promise<void>) => BufferedTraceSink
  /** Traces are kept this long. */
  retentionMs: number
}

export type Monitoring = ReturnType<typeof createMonitoring>

/** The agents of the assistant, in the order in which a message meets them. */
const AGENTS: Readonly<Record<string, string>> = {
  router: 'Reads what a message is about, splits it into questions and decides who answers which',
  knowledge: 'Finds passages of the knowledge base and answers from them',
  business: 'Looks up orders, deliveries, refunds and accounts in the shop’s own systems',
  chitchat: 'Answers greetings, thanks and small talk',
  escalation: 'Decides when a person is needed and writes the card for them',
  composer: 'Writes the reply from what the others found, where a language model is configured',
}

const ACTIVE_SESSION_MS = 30 * 60_000
const ACTIVE_AGENT_MS = 5 * 60_000
const MAX_SESSIONS = 1_000
/** Longest work at a stretch while others wait. */
const MAX_STRETCH_MS = 0.5

/** The work of turns, agents and sessions, over all replicas. */
export function createMonitoring({ db, clock, openSink, retentionMs }: MonitoringOptions) {
  const { record, flush, close, stats } = openSink((traces) => store(db, traces))
  const before = (ageMs: number): Date => new Date(clock.now() - ageMs)

  return {
    sink: { record } satisfies TraceSink,
    /** Traces that wait to be stored, and those that were dropped since the start. */
    queue: stats,

    /** Of the traces that are kept. */
    overview: sharedReading(async (): Promise<Overview & { activeSessions: number }> => {
      await flush()
      const [turns, activeSessions] = await Promise.all([
        readOverview(db.executor, before(retentionMs)),
        countActiveSessions(db.executor, before(ACTIVE_SESSION_MS)),
      ])
      return { ...turns, activeSessions }
    }),

    async turnStats(windowMs: number): Promise<TurnStats> {
      await flush()
      return readTurnStats(db.executor, before(windowMs))
    },

    /** Newest first. */
    async traces(filter: TraceFilter): Promise<TraceSummary[]> {
      await flush()
      // After a trace that is gone there would be nothing, which looks like the end of the list.
      if (filter.before !== null && (await findStoredIds(db.executor, [filter.before])).size === 0) {
        throw unknownTrace(filter.before)
      }
      return listTraces(db.executor, filter)
    },

    async trace(traceId: string): Promise<StoredTrace> {
      await flush()
      const trace = await findTrace(db.executor, traceId)
      if (!trace) throw unknownTrace(traceId)
      return trace
    },

    /** Every agent there is, also those never called, then any other that was. Counts since the first start. */
    async agents() {
      await flush()
      const rows = new Map((await readAgents(db.executor)).map((row) => [row.agent, row]))
      const names = new Set([...Object.keys(AGENTS), ...rows.keys()])
      return [...names].map((agent) => describeAgent(agent, rows.get(agent), before(ACTIVE_AGENT_MS)))
    },

    /** Active in the last half hour, the last active first; user ids are masked where they are personal data. */
    sessions: sharedReading(async (): Promise<ActiveSession[]> => {
      const sessions = await listActiveSessions(db.executor, before(ACTIVE_SESSION_MS), MAX_SESSIONS)
      return sessions.map((session) => ({ ...session, userId: maskText(session.userId) }))
    }),

    flush,
    close,
  }
}

function unknownTrace(traceId: string): AppError {
  return new AppError('not_found', 'trace', `No trace has the trace_id ${traceId}`)
}

/** A trace that is there already, because nobody learned that it was stored, counts nothing again. */
async function store(db: Database, traces: readonly Trace[]): Promise<void> {
  if (await insert(db, traces)) return
  const ids = traces.map(({ traceId }) => traceId)
  const stored = await findStoredIds(db.executor, ids)
  const isStored = await insert(
    db,
    traces.filter(({ traceId }) => !stored.has(traceId)),
  )
  if (!isStored) throw new AppError('conflict', 'trace', 'Traces of one batch have the same trace_id')
}

async function insert({ executor }: Database, traces: readonly Trace[]): Promise<boolean> {
  return insertTraces(executor, await toRows(traces), agentCallsOf(traces))
}

/** The message that a turn stored: new each time, and no person wrote it. */
const OWN_ID = /^msg_[\da-f]{12}7[\da-f]{19}$/

/** Frequent questions and their answers come again in every trace; what is personal is not remembered. */
const maskOften = memoize((text) => (OWN_ID.test(text) ? text : maskText(text)), {
  maxEntries: 1_000,
  maxLength: 4_000,
  keep: (text, masked) => text === masked,
})

/** Masking a new text can take half a millisecond: streams get their turn in between. */
async function toRows(traces: readonly Trace[]): Promise<TraceRow[]> {
  const rows: TraceRow[] = []
  let since = performance.now()
  for (const trace of traces) {
    rows.push(toTraceRow(trace, maskOften))
    if (performance.now() - since < MAX_STRETCH_MS) continue
    await nextTurn()
    since = performance.now()
  }
  return rows
}

/** `idle`: never called, or not for five minutes. `failing`: its last call failed. */
function describeAgent(agent: string, row: AgentRow | undefined, activeSince: Date) {
  const { callCount = 0, errorCount = 0, durationMs = 0, lastCalledAt = null, lastFailed = false } = row ?? {}
  const isActive = lastCalledAt !== null && lastCalledAt >= activeSince
  return {
    agent,
    description: AGENTS[agent] ?? 'An agent of another release',
    status: isActive ? (lastFailed ? ('failing' as const) : ('active' as const)) : ('idle' as const),
    callCount,
    errorCount,
    avgDurationMs: callCount === 0 ? 0 : durationMs / callCount,
    lastCalledAt,
  }
}
