import { newUuid } from '../../kernel/ids.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Span, Trace, TraceSink } from '../../platform/tracing.ts'

const MAX_TEXT = 4_000
const MAX_MASKED = 20_000

type TraceEnd = Pick<Trace, 'status' | 'intent' | 'error' | 'escalated' | 'confidence' | 'cached'> & {
  subTasks: readonly { question: string; answer: string }[]
}

export interface TraceRecorder {
  readonly traceId: string
  /** Runs `work` and records how it went; `describe` says what came out of it. Rethrows what `work` throws. */
  span<T>(
    about: { agent: string; type: string; name: string; input: string; parentId?: string },
    work: (spanId: string) => Promise<T>,
    describe: (result: T) => string,
  ): Promise<T>
  /** Adds a span that was measured elsewhere. */
  add(span: Span): void
  /** Hands the whole trace to the sink; later calls do nothing. */
  end(about: TraceEnd): void
}

/** Collects the steps of one turn. Texts are masked before they are kept. */
export function startTrace(
  deps: { clock: Clock; mask: (text: string) => string; sink: TraceSink },
  about: { sessionId: string; channel: string },
): TraceRecorder {
  const { clock, sink } = deps
  const traceId = newUuid()
  const startedAt = clock.now()
  const spans: Span[] = []
  let ended = false
  // Masked before it is cut to its final length, so that no cut hides half a number from the mask.
  const shown = (text: string): string => deps.mask(text.slice(0, MAX_MASKED)).slice(0, MAX_TEXT).toWellFormed()

  return {
    traceId,
    async span({ agent, type, name, input, parentId }, work, describe) {
      const spanId = newUuid()
      const started = clock.now()
      const record = (status: Span['status'], output: string, error: string | null): void => {
        const durationMs = clock.now() - started
        const base = { spanId, parentId: parentId ?? null, agent, type, name, status, startedAt: started, durationMs }
        spans.push({ ...base, input: shown(input), output: shown(output), tokens: null, error })
      }
      try {
        const result = await work(spanId)
        record('ok', describe(result), null)
        return result
      } catch (error) {
        record('error', '', error instanceof Error ? shown(error.message) : 'failed')
        throw error
      }
    },
    add: (span) => spans.push(span),
    end({ subTasks, ...end }) {
      if (ended) return
      ended = true
      const durationMs = clock.now() - startedAt
      const masked = subTasks.map((task) => ({ ...task, question: shown(task.question), answer: shown(task.answer) }))
      sink.record({ traceId, ...about, ...end, startedAt, durationMs, spans, subTasks: masked })
    },
  }
}
