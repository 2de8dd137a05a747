import { newUuid } from '../../../kernel/ids.ts'
import { recordSpans, type Span, type Spans, type Trace, type TraceSink } from '../../../kernel/tracing.ts'

export interface TurnTrace extends Spans {
  readonly traceId: string
  /** Hands the whole trace to the sink. */
  end(about: Omit<Trace, 'traceId' | 'sessionId' | 'channel' | 'startedAt' | 'durationMs' | 'spans'>): void
}

/** Collects the steps of one turn. */
export function startTrace(now: () => number, sink: TraceSink, about: Pick<Trace, 'sessionId' | 'channel'>): TurnTrace {
  const traceId = newUuid()
  const startedAt = now()
  const spans: Span[] = []
  return {
    traceId,
    ...recordSpans(now, (span) => spans.push(span)),
    end: (end) => sink.record({ traceId, ...about, ...end, startedAt, durationMs: now() - startedAt, spans }),
  }
}
