import type { Static, TSchema } from 'typebox'
import type { ChatMessage, FinishReason, ModelError, ModelTier, TokenUsage } from '../model/port.ts'

/** A tool that an agent may offer to the model. `execute` may throw: the error becomes the tool's result. */
export interface AgentTool<Parameters extends TSchema = TSchema> {
  name: string
  description: string
  /** An object at the top. Arguments that do not fit never reach `execute`; nothing is coerced. */
  parameters: Parameters
  /** What it resolves to is given to the model as JSON, a string as it is. */
  execute(args: Static<Parameters>, context: ToolContext): Promise<unknown>
}

export interface ToolContext {
  /** Aborted when the customer leaves or the agent's time is up. */
  signal: AbortSignal
  toolCallId: string
}

export interface AgentLimits {
  /** Model calls; the last one gets no tools, so that it has to answer. Default 4. */
  maxSteps: number
  /** Input and output of all steps together. Default 24,000. */
  maxTokens: number
  /** Default 30,000 ms. */
  maxDurationMs: number
  /** Calls in one step; further ones are refused. Default 8. */
  maxToolCallsPerStep: number
  /** One tool call, in milliseconds. Default 10,000. */
  toolTimeoutMs: number
  /** What of a result reaches the model, in characters. Default 12,000. */
  maxToolResultLength: number
}

export type AgentEvent =
  | { type: 'step-start'; step: number }
  /** Words of the model as they come. Those of a step that goes on to call tools are a preamble, see `step-end`. */
  | { type: 'text-delta'; step: number; text: string }
  | { type: 'tool-start'; step: number; toolCallId: string; name: string }
  | { type: 'tool-end'; step: number; toolCallId: string; name: string; ok: boolean }
  | { type: 'step-end'; step: number; calledTools: boolean }

/** One finished piece of work, for traces. Texts are masked already. */
export interface AgentSpan {
  spanId: string
  parentId: string | null
  agent: string
  type: 'agent' | 'model' | 'tool'
  /** The agent's, model tier's or tool's name. */
  name: string
  status: 'ok' | 'error' | 'aborted'
  /** Milliseconds since the epoch. */
  startedAt: number
  durationMs: number
  input: string
  output: string
  tokens: TokenUsage | null
  error: string | null
}

export interface ToolOutcome {
  toolCallId: string
  name: string
  /** The checked arguments; null when they did not fit. */
  arguments: unknown
  ok: boolean
  /** What the tool resolved to; for a failure, what the model was told. */
  result: unknown
}

export type StopReason = 'answer' | 'step_limit' | 'token_limit' | 'time_limit' | 'aborted' | 'error'

export interface AgentResult {
  /** What the model said in the last step: the answer, or with another `stopReason` what there is of one. */
  text: string
  stopReason: StopReason
  /** How the last step ended; `length` means that the text is cut short. Null when it broke off. */
  finishReason: FinishReason | null
  /** With `error` and `aborted`. */
  error: ModelError | null
  steps: number
  toolOutcomes: readonly ToolOutcome[]
  /** What the run adds to the conversation, tool calls and results included. */
  messages: readonly ChatMessage[]
  usage: TokenUsage
}

export interface AgentRun {
  agent: string
  messages: readonly ChatMessage[]
  /** All tools there are. */
  tools?: readonly AgentTool[]
  /** The names of those that this agent may use; a call to any other is refused, known or not. */
  allowedTools?: readonly string[]
  tier?: ModelTier
  maxOutputTokens?: number
  temperature?: number
  limits?: Partial<AgentLimits>
}
