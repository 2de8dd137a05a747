import type { TSchema } from 'typebox'

/** Which of the configured models does a step: the cheap and fast one, the usual one, the careful one. */
export type ModelTier = 'light' | 'standard' | 'strong'

/** The tiers of the router statistics: replies composed without a model count as a tier of their own. */
export type RouterTier = ModelTier | 'extractive'

export interface ToolCall {
  id: string
  name: string
  /** The arguments as the model wrote them: JSON if all is well. The runner of the tool parses and checks them. */
  arguments: string
}

export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: readonly ToolCall[] }
  | { role: 'tool'; toolCallId: string; toolName: string; content: string; failed?: boolean }

export interface ToolDefinition {
  name: string
  description: string
  /** JSON Schema of the arguments, an object at the top. */
  parameters: TSchema
}

export interface ChatRequest {
  messages: readonly ChatMessage[]
  tools?: readonly ToolDefinition[]
  /** Default `auto` when there are tools. */
  toolChoice?: 'auto' | 'none' | 'required'
  /** Default `standard`. */
  tier?: ModelTier
  /** Instead of the tier's. */
  model?: string
  /** Default 2,048. */
  maxOutputTokens?: number
  /** 0 to 2; left to the model when absent. */
  temperature?: number
  /** Ask for one JSON object of this schema; the reply must still be checked (see `generateStructured`). */
  responseFormat?: { name: string; schema: TSchema }
  /** Limit of this call with its retries, in milliseconds; the model's own limit when that is shorter. */
  timeoutMs?: number
  /** Who asks, for the usage statistics; default `unknown`. */
  agent?: string
}

export interface TokenUsage {
  inputTokens: number
  outputTokens: number
  /** True when the endpoint reported no usage and the numbers are our estimate. */
  estimated: boolean
}

export const noUsage: Readonly<TokenUsage> = { inputTokens: 0, outputTokens: 0, estimated: false }

export function addUsage(one: Readonly<TokenUsage>, other: Readonly<TokenUsage>): TokenUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    estimated: one.estimated || other.estimated,
  }
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'other'

export type ModelErrorCode =
  | 'aborted' // the caller left
  | 'circuit_open' // the breaker refused; no request was made
  | 'over_budget' // more tokens than the operator allows; no request was made
  | 'timeout' // no first token, a gap between tokens, or the whole call took too long
  | 'rate_limited'
  | 'unauthorized'
  | 'rejected' // the endpoint understood and refuses this request: too long, unknown model, bad parameter
  | 'unavailable' // 5xx, overloaded
  | 'connection' // refused, reset, no such host
  | 'bad_response' // not the protocol, or a stream that ends too early

export interface ModelError {
  code: ModelErrorCode
  /** Fit for anyone's eyes. */
  message: string
  /** For the log: what the endpoint said, shortened, without keys. */
  detail: string
  /** HTTP status, when there was one. */
  status: number | null
  /** How long the endpoint asked to be left alone, in milliseconds. */
  retryAfterMs: number | null
}

/**
 * The events of a call: `text-delta` and `tool-call` in the order of the model, then at most one `usage`, then exactly
 * one `finish` or `error`.
 */
export type ModelEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'tool-call'; call: ToolCall }
  | { type: 'usage'; usage: TokenUsage; model: string }
  | { type: 'finish'; reason: FinishReason }
  | { type: 'error'; error: ModelError }

/** One call in the books. Reported exactly once for every call, also for those that failed or whose caller left. */
export interface ModelCall {
  agent: string
  tier: ModelTier
  model: string
  usage: TokenUsage
  /** HTTP requests made; 0 when the breaker refused. */
  attempts: number
  /** From the start of the call, in milliseconds; null when nothing came. */
  firstTokenMs: number | null
  durationMs: number
  outcome: 'ok' | ModelErrorCode
}

/** Never throws: failures are events. Aborting `signal`, or leaving the iteration, ends the HTTP request at once. */
export type StreamFunction = (request: ChatRequest, signal?: AbortSignal) => AsyncIterable<ModelEvent>

export interface ChatModel {
  /** Provider and model, for health reports. */
  readonly id: string
  /** The name of the model that a tier uses. */
  modelOf(tier: ModelTier): string
  stream: StreamFunction
}
