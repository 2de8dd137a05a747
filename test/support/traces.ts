import type { Span, Trace } from '../../src/kernel/tracing.ts'

let serial = 0

/** A finished span with nothing special about it. */
export function span(changes: Partial<Span> = {}): Span {
  return {
    spanId: `span-${++serial}`,
    parentId: null,
    agent: 'knowledge',
    type: 'agent',
    name: 'knowledge',
    status: 'ok',
    startedAt: Date.UTC(2026, 0, 1),
    durationMs: 10,
    input: 'in',
    output: 'out',
    tokens: null,
    error: null,
    ...changes,
  }
}

/** A finished turn with nothing special about it. */
export function trace(changes: Partial<Trace> = {}): Trace {
  return {
    traceId: `trace-${++serial}`,
    sessionId: 'session-1',
    channel: 'web',
    status: 'ok',
    intent: 'faq',
    startedAt: Date.UTC(2026, 0, 1),
    durationMs: 100,
    error: null,
    spans: [],
    subTasks: [],
    ...changes,
  }
}
