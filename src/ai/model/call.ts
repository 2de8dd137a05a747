import type { Clock } from '../../platform/clock.ts'
import { TimeLimit } from './failure.ts'
import type { ChatRequest, ModelCall, ModelTier, TokenUsage } from './port.ts'
import { estimateUsage } from './prompt.ts'

/** The books of one call, over all its attempts. */
export interface Call {
  request: ChatRequest
  tier: ModelTier
  model: string
  /** Aborted when the caller leaves or the whole call takes too long. */
  signal: AbortSignal
  /** Milliseconds until the limit of the whole call. */
  remainingMs(): number
  /** A new HTTP request begins. */
  attempted(): void
  attempts(): number
  /** The endpoint wrote something; `text` is what of it the estimate of the usage needs. */
  wrote(text: string): void
  /** What this attempt wrote so far, for the estimate. */
  written(): string
  /** Ends the attempt's account: with the reported usage, or an estimate if anything was written. */
  charge(reported?: TokenUsage): void
  /** All attempts together; null while nothing was charged. */
  usage(): TokenUsage | null
  /** Ends the call and reports it; only the first end counts. */
  close(outcome: ModelCall['outcome']): void
}

export interface CallOptions {
  request: ChatRequest
  tier: ModelTier
  model: string
  totalMs: number
  clock: Clock
  callerSignal: AbortSignal | undefined
  onCall: (call: ModelCall) => void
}

export function openCall(options: CallOptions): Call {
  const { request, tier, model, totalMs, clock, callerSignal, onCall } = options
  const startedAt = clock.now()
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new TimeLimit('the whole call', totalMs)), totalMs)
  let attempts = 0
  let written: string | null = null
  let usage: TokenUsage | null = null
  let firstTokenMs: number | null = null
  let closed = false

  const onCallerLeft = (): void => {
    controller.abort(new DOMException('The caller left', 'AbortError'))
    close('aborted')
  }
  if (callerSignal?.aborted) controller.abort(new DOMException('The caller left', 'AbortError'))
  else callerSignal?.addEventListener('abort', onCallerLeft, { once: true })

  function charge(reported?: TokenUsage): void {
    const spent = reported ?? (written === null ? null : estimateUsage(request, written))
    written = null
    if (spent) usage = usage ? sumOf(usage, spent) : spent
  }

  function close(outcome: ModelCall['outcome']): void {
    if (closed) return
    closed = true
    clearTimeout(timer)
    callerSignal?.removeEventListener('abort', onCallerLeft)
    charge()
    const agent = request.agent ?? 'unknown'
    const durationMs = clock.now() - startedAt
    onCall({ agent, tier, model, usage: usage ?? noUsage, attempts, firstTokenMs, durationMs, outcome })
  }

  return {
    request,
    tier,
    model,
    signal: controller.signal,
    remainingMs: () => startedAt + totalMs - clock.now(),
    attempted: () => {
      attempts += 1
    },
    attempts: () => attempts,
    wrote: (text) => {
      firstTokenMs ??= clock.now() - startedAt
      written = (written ?? '') + text
    },
    written: () => written ?? '',
    charge,
    usage: () => usage,
    close,
  }
}

const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, estimated: false }

function sumOf(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    estimated: a.estimated || b.estimated,
  }
}
