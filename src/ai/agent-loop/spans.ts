import { newUuid } from '../../kernel/ids.ts'
import type { Clock } from '../../platform/clock.ts'
import type { TokenUsage } from '../model/port.ts'
import type { AgentSpan } from './types.ts'

export interface SpanSink {
  clock: Clock
  /** Takes personal data out of a text; applied to everything that a span carries. */
  mask: (text: string) => string
  record: (span: AgentSpan) => void
}

export interface SpanEnd {
  status: AgentSpan['status']
  output: string
  tokens?: TokenUsage | null
  error?: string | null
}

const maskedLength = 20_000
const keptLength = 4_000

/** Starts a span; the returned `end` records it. */
export function startSpan(
  sink: SpanSink,
  about: Pick<AgentSpan, 'agent' | 'type' | 'name' | 'parentId'> & { input: string },
): { spanId: string; end: (end: SpanEnd) => void } {
  const spanId = newUuid()
  const startedAt = sink.clock.now()
  const end = ({ status, output, tokens = null, error = null }: SpanEnd): void =>
    sink.record({
      ...about,
      spanId,
      status,
      startedAt,
      durationMs: sink.clock.now() - startedAt,
      input: presentable(about.input, sink.mask),
      output: presentable(output, sink.mask),
      tokens,
      error: error === null ? null : presentable(error, sink.mask),
    })
  return { spanId, end }
}

/** Masked before it is cut to its final length, so that no cut hides half a number from the mask. */
function presentable(text: string, mask: SpanSink['mask']): string {
  return mask(text.slice(0, maskedLength)).slice(0, keptLength).toWellFormed()
}
