/** Kinds of work, as traces name them. */
export const SPAN_TYPES = [
  'understanding',
  'agent',
  'agents',
  'cache',
  'retrieval',
  'model',
  'guard',
  'tool',
  'decision',
  'render',
  'store',
] as const
export type SpanType = (typeof SPAN_TYPES)[number]

/** One finished piece of work within a turn. Texts are as they were written: sinks mask what they keep or show. */
export interface Span {
  /** Within its trace. */
  spanId: string
  parentId: string | null
  agent: string
  type: SpanType
  name: string
  /** `aborted` also while it goes on. */
  status: 'ok' | 'error' | 'aborted'
  /** Milliseconds since the epoch. */
  startedAt: number
  durationMs: number
  input: string
  output: string
  /** Of model calls alone, so that the sum over all spans counts each token once. */
  tokens: { inputTokens: number; outputTokens: number; estimated: boolean } | null
  error: string | null
}

/** One turn of a conversation, with every step that it took, in the order in which they began. */
export interface Trace {
  traceId: string
  sessionId: string
  /** The reply that the turn stored; absent: none was. */
  messageId?: string
  channel: string
  status: 'ok' | 'error' | 'interrupted'
  intent: string
  startedAt: number
  durationMs: number
  error: string | null
  /** Was a person called in this turn? Absent: no. */
  escalated?: boolean
  /** How sure the knowledge base's answer was; absent where none was looked for. */
  confidence?: 'sure' | 'close' | 'none'
  /** The reply came from the cache. Absent: no. */
  cached?: boolean
  spans: readonly Span[]
  subTasks: readonly object[]
}

/** Takes a trace at once and never throws or waits: a reply is not slowed by being watched. */
export interface TraceSink {
  record(trace: Trace): void
}

type About = Pick<Span, 'agent' | 'type' | 'name' | 'input'>
/** How a span ended; as a mere text: well, with this output. */
export type SpanEnd = string | (Pick<Span, 'output'> & Partial<Pick<Span, 'status' | 'tokens' | 'error'>>)

/** Records pieces of work. */
export interface Spans {
  /** Runs `work`; what that records by `within` are parts of it. Rethrows what `work` throws. */
  span<T>(about: About, work: (within: Spans) => Promise<T>, describe: (result: T) => SpanEnd): Promise<T>
  /** Adds work that was measured elsewhere and has just ended. */
  ended(about: About & Pick<Span, 'durationMs' | 'output'>): void
}

/** Traces wait in memory for a moment, and a text of a model's context can be long. */
const MAX_TEXT = 20_000

/** @param record takes each span as it begins, which fills it as it ends */
export function recordSpans(now: () => number, record: (span: Span) => void): Spans {
  let count = 0
  const nextId = (): string => `step_${++count}`
  const within = (parentId: string | null): Spans => ({
    async span({ input, ...about }, work, describe) {
      const startedAt = now()
      const rest = { startedAt, durationMs: 0, input: bounded(input), output: '', tokens: null, error: null }
      const span: Span = { spanId: nextId(), parentId, ...about, status: 'aborted', ...rest }
      record(span)
      const end = (how: Partial<Span>): void => void Object.assign(span, how, { durationMs: now() - startedAt })
      try {
        const result = await work(within(span.spanId))
        const described = describe(result)
        const how = typeof described === 'string' ? { output: described } : described
        end({ status: 'ok', ...how, output: bounded(how.output) })
        return result
      } catch (error) {
        end({ status: 'error', error: error instanceof Error ? bounded(error.message) : 'failed' })
        throw error
      }
    },
    ended({ input, output, durationMs, ...about }) {
      // Whole milliseconds, as the clock tells them: parts never take longer than the whole.
      const whole = Math.floor(durationMs)
      const times = { startedAt: now() - whole, durationMs: whole }
      const texts = { input: bounded(input), output: bounded(output), tokens: null, error: null }
      record({ spanId: nextId(), parentId, ...about, status: 'ok', ...times, ...texts })
    },
  })
  return within(null)
}

function bounded(text: string): string {
  return text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT)
}
