/** One finished piece of work within a turn. Texts are masked before they get here. */
export interface Span {
  spanId: string
  parentId: string | null
  agent: string
  /** `agent`, `model`, `tool`, `retrieval`, `understanding`, … */
  type: string
  name: string
  status: 'ok' | 'error' | 'aborted'
  /** Milliseconds since the epoch. */
  startedAt: number
  durationMs: number
  input: string
  output: string
  tokens: { inputTokens: number; outputTokens: number; estimated: boolean } | null
  error: string | null
}

/** One turn of a conversation, with every step that it took. */
export interface Trace {
  traceId: string
  sessionId: string
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
