import type { Static, TSchema } from 'typebox'
import type { Spans } from '../../kernel/tracing.ts'
import type { ChatMessage, FinishReason, ModelError, ModelTier, TokenUsage } from '../model/port.ts'

/** A tool that an agent may offer to the model. `execute` may throw: the error becomes the tool's result. */
export interface AgentTool<Parameters extends TSchema = TSchema> {
  name: string
  description: string
  /** An object at the top. Arguments that do not fit never reach `execute`; nothing is coerced. */
  parameters: Parameters
  /** The result is given to the model as JSON, a string as it is. */
  execute(args: Static<Parameters>, context: ToolContext): Promise<unknown>
}

export interface ToolContext {
  /** Aborted when the customer leaves or the agent's time is up. */
  signal: AbortSignal
  toolCallId: string
  /** Where the tool records what it does. */
  spans: Spans
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
  /** Characters of a result that reach the model. Default 12,000. */
  maxToolResultLength: number
}

export type AgentEvent =
  | { type: 'step-start'; step: number }
  /** Words of the model as they come. Those of a step that goes on to call tools are a preamble, see `step-end`. */
  | { type: 'text-delta'; step: number; text: string }
  | { type: 'tool-start'; step: number; toolCallId: string; name: string }
  | { type: 'tool-end'; step: number; toolCallId: string; name: string; ok: boolean }
  | { type: 'step-end'; step: number; calledTools: boolean }

export interface ToolOutcome {
  toolCallId: string
  name: string
  /** The checked arguments; null when they did not fit. */
  arguments: unknown
  ok: boolean
  /** The value that the tool resolved to; for a failure, the text that the model was told. */
  result: unknown
}

export type StopReason = 'answer' | 'step_limit' | 'token_limit' | 'time_limit' | 'aborted' | 'error'

export interface AgentResult {
  /** The words of the model in the last step: the answer, or with another `stopReason` what there is of one. */
  text: string
  stopReason: StopReason
  /** How the last step ended; `length` means that the text is cut short. Null when it broke off. */
  finishReason: FinishReason | null
  /** With `error` and `aborted`. */
  error: ModelError | null
  steps: number
  toolOutcomes: readonly ToolOutcome[]
  /** Messages that the run adds to the conversation, tool calls and results included. */
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
  /** Instead of the tier's. */
  model?: string
  maxOutputTokens?: number
  temperature?: number
  limits?: Partial<AgentLimits>
}
