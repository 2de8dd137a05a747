import { AppError } from '../../kernel/errors.ts'
import type { Breaker, Permit } from '../../platform/breaker.ts'
import { isCircuitOpen } from '../../platform/breaker.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { backoffMs, sleep } from '../outbound.ts'
import { type Call, openCall } from './call.ts'
import { countsAgainstEndpoint, isRetryable, modelError, toModelError } from './failure.ts'
import type { ChatModel, ModelCall, ModelError, ModelEvent } from './port.ts'
import { type StreamPart, toCallOptions, toFinishReason, toUsage } from './prompt.ts'
import { type LanguageModel, loadProvider, type ModelConfig, modelNames } from './providers.ts'
import type { TierCounter } from './tiers.ts'
import { defaultTimeouts, type ModelTimeouts, type Watch, watchRequest } from './watch.ts'

export interface ChatModelOptions {
  config: ModelConfig
  /** The breaker `llm`. Every HTTP request counts, retries too. */
  breaker: Breaker
  timeouts?: Partial<ModelTimeouts>
  /** Further requests after the first one failed, and only before the first token. Default 2. */
  maxRetries?: number
  /** An endpoint that asks for a longer pause is not asked again. Default 10,000 ms. */
  maxRetryAfterMs?: number
  /** Counts calls that reached the endpoint. */
  tiers?: TierCounter
  /** Told once of every call, however it ended. Must not throw. */
  onCall?: (call: ModelCall) => void
  clock?: Clock
  fetch?: typeof globalThis.fetch
}

interface Context {
  breaker: Breaker
  timeouts: ModelTimeouts
  maxRetries: number
  maxRetryAfterMs: number
  tiers: TierCounter | undefined
  secrets: readonly (string | undefined)[]
  clock: Clock
  languageModel: (name: string) => Promise<LanguageModel>
}

/** A chat model behind any OpenAI-compatible endpoint or Anthropic's. Makes no request before the first call. */
export function createChatModel(options: ChatModelOptions): ChatModel {
  const { config, breaker, tiers, onCall = () => {}, clock = systemClock } = options
  const names = modelNames(config)
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const provider = loadProvider(config, options.fetch ?? globalThis.fetch)
  // Told by each call, as any other failure of the model.
  provider.catch(() => {})
  const context: Context = {
    breaker,
    timeouts,
    maxRetries: options.maxRetries ?? 2,
    maxRetryAfterMs: options.maxRetryAfterMs ?? 10_000,
    tiers,
    secrets: [config.apiKey],
    clock,
    languageModel: async (name) => (await provider)(name),
  }
  return {
    id: `${config.provider}:${config.model}`,
    modelOf: (tier) => names[tier],
    stream: (request, callerSignal) => {
      const tier = request.tier ?? 'standard'
      const model = request.model ?? names[tier]
      const totalMs = Math.min(timeouts.totalMs, request.timeoutMs ?? timeouts.totalMs)
      return streamCall(context, () => openCall({ request, tier, model, totalMs, clock, callerSignal, onCall }))
    },
  }
}

/** The whole call: attempts until one ends well, or something was said, or there is no sense in another. */
async function* streamCall(context: Context, open: () => Call): AsyncGenerator<ModelEvent, void> {
  const call = open()
  let said = false
  try {
    for (let attempt = 0; ; attempt += 1) {
      const events = streamAttempt(context, call)
      let failure: ModelError | null = null
      for await (const event of events) {
        if (event.type === 'error') failure = event.error
        else yield event
        said ||= event.type === 'text-delta' || event.type === 'tool-call'
      }
      if (!failure) return
      const pauseMs = said ? null : retryPauseMs(context, call, failure, attempt)
      if (pauseMs === null) return yield* failed(call, failure)
      const interrupted = await pauseOrError(context, call, pauseMs)
      if (interrupted) return yield* failed(call, interrupted)
    }
  } finally {
    call.close('aborted')
  }
}

function* failed(call: Call, error: ModelError): Generator<ModelEvent, void> {
  call.close(error.code)
  const usage = call.usage()
  if (usage) yield { type: 'usage', usage, model: call.model }
  yield { type: 'error', error }
}

/** How long to wait before the next attempt, in milliseconds; null when there should be none. */
function retryPauseMs(context: Context, call: Call, failure: ModelError, attempt: number): number | null {
  if (attempt >= context.maxRetries || !isRetryable(failure) || call.signal.aborted) return null
  const { retryAfterMs } = failure
  if ((retryAfterMs ?? 0) > context.maxRetryAfterMs) return null
  const pauseMs = backoffMs(attempt, { retryAfterMs })
  return pauseMs < call.remainingMs() ? pauseMs : null
}

async function pauseOrError(context: Context, call: Call, pauseMs: number): Promise<ModelError | null> {
  try {
    await sleep(pauseMs, call.signal)
    return null
  } catch (error) {
    return toModelError(error, context.secrets, context.clock.now())
  }
}

/** One HTTP request. Yields an `error` instead of throwing; what failed before the first token may be tried again. */
async function* streamAttempt(context: Context, call: Call): AsyncGenerator<ModelEvent, void> {
  if (call.signal.aborted) return yield { type: 'error', error: modelError('aborted') }
  const permit = acquireOrNull(context.breaker)
  if (!permit) return yield { type: 'error', error: modelError('circuit_open') }
  if (call.attempts() === 0) context.tiers?.count(call.tier)
  call.attempted()
  const watch = watchRequest(context.timeouts, call.signal)
  // A consumer that is busy, or never comes back, must not keep the breaker's probe: nobody waits for the endpoint.
  const releaseUnlessWaiting = (): void => void (watch.isWaiting() || permit.release())
  watch.signal.addEventListener('abort', releaseUnlessWaiting, { once: true })
  try {
    yield* readStream(context, call, watch, permit)
  } catch (error) {
    const failure = toModelError(error, context.secrets, context.clock.now())
    if (countsAgainstEndpoint(failure)) permit.fail(new AppError('unavailable', failure.code, failure.message))
    call.charge()
    yield { type: 'error', error: failure }
  } finally {
    permit.release()
    watch.stop()
  }
}

async function* readStream(
  context: Context,
  call: Call,
  watch: Watch,
  permit: Permit,
): AsyncGenerator<ModelEvent, void> {
  const model = await watch.wait(context.languageModel(call.model))
  const { stream } = await watch.wait(model.doStream(toCallOptions(call.request, watch.signal)))
  const reader = stream.getReader()
  for (;;) {
    const { done, value: part } = await watch.wait(reader.read())
    if (done) throw new Error('The stream ended without a finish reason')
    noteProgress(part, call, watch)
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta' && part.delta !== '') yield { type: 'text-delta', text: part.delta }
    if (part.type === 'tool-call') yield toolCallEvent(part)
    if (part.type !== 'finish') continue
    if (isBrokenOff(part)) throw new Error('The stream was broken off')
    permit.succeed()
    watch.release()
    drain(reader)
    return yield* finished(call, part)
  }
}

/** The endpoint's own word that something went wrong, where the library does not make an error of it. */
function isBrokenOff(part: Extract<StreamPart, { type: 'finish' }>): boolean {
  return part.finishReason.unified === 'error' || part.finishReason.unified === 'interrupted'
}

function noteProgress(part: StreamPart, call: Call, watch: Watch): void {
  const text = textWrittenIn(part)
  if (text === null) return
  watch.started()
  call.wrote(text)
}

/**
 * The text that the model wrote with this part, reasoning and arguments included; null when the part is mere protocol.
 */
function textWrittenIn(part: StreamPart): string | null {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta')
    return part.delta
  return part.type === 'tool-input-start' ? part.toolName : null
}

function toolCallEvent(part: Extract<StreamPart, { type: 'tool-call' }>): ModelEvent {
  return { type: 'tool-call', call: { id: part.toolCallId, name: part.toolName, arguments: part.input } }
}

function* finished(call: Call, part: Extract<StreamPart, { type: 'finish' }>): Generator<ModelEvent, void> {
  const usage = toUsage(part, call.request, call.written())
  call.charge(usage)
  call.close('ok')
  yield { type: 'usage', usage: call.usage() ?? usage, model: call.model }
  yield { type: 'finish', reason: toFinishReason(part) }
}

/** Lets the connection end by itself, so that the next call can use it; one that does not end within a second is cut. */
function drain(reader: ReadableStreamDefaultReader<StreamPart>): void {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), 1_000).unref()
  const next = (): Promise<void> => reader.read().then(({ done }) => (done ? undefined : next()))
  void next()
    .catch(() => {})
    .finally(() => clearTimeout(timer))
}

function acquireOrNull(breaker: Breaker): Permit | null {
  try {
    return breaker.acquire()
  } catch (error) {
    if (isCircuitOpen(error)) return null
    throw error
  }
}
