import type { Clock } from '../../platform/clock.ts'
import { TimeLimit } from './failure.ts'
import { addUsage, type ChatRequest, type ModelCall, type ModelTier, noUsage, type TokenUsage } from './port.ts'
import { estimateUsage } from './prompt.ts'

/** The books of one call, over all its attempts. */
export type Call = ReturnType<typeof openCall>

export interface CallOptions {
  request: ChatRequest
  tier: ModelTier
  model: string
  totalMs: number
  clock: Clock
  callerSignal: AbortSignal | undefined
  onCall: (call: ModelCall) => void
}

export function openCall(options: CallOptions) {
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

  /** Ends the attempt's account: with the reported usage, or an estimate if anything was written. */
  function charge(reported?: TokenUsage): void {
    const spent = reported ?? (written === null ? null : estimateUsage(request, written))
    written = null
    if (spent) usage = addUsage(usage ?? noUsage, spent)
  }

  /** Ends the call and reports it; only the first end counts. */
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
    /** Aborted when the caller leaves or the whole call takes too long. */
    signal: controller.signal,
    /** Milliseconds until the limit of the whole call. */
    remainingMs: (): number => startedAt + totalMs - clock.now(),
    /** A new HTTP request begins. */
    attempted(): void {
      attempts += 1
    },
    attempts: (): number => attempts,
    /** The endpoint wrote something; `text` is what of it the estimate of the usage needs. */
    wrote(text: string): void {
      firstTokenMs ??= clock.now() - startedAt
      written = (written ?? '') + text
    },
    /** The text of this attempt so far, for the estimate. */
    written: (): string => written ?? '',
    charge,
    /** All attempts together; null while nothing was charged. */
    usage: (): TokenUsage | null => usage,
    close,
  }
}
