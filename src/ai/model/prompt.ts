import { parseJsonOrNothing } from '../../kernel/json.ts'
import type { ChatMessage, ChatRequest, FinishReason, TokenUsage } from './port.ts'
import type { LanguageModel } from './providers.ts'
import { estimateTokens } from './tokens.ts'

type CallOptions = Parameters<LanguageModel['doStream']>[0]
type PromptMessage = CallOptions['prompt'][number]
export type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never
type FinishPart = Extract<StreamPart, { type: 'finish' }>

const defaultMaxOutputTokens = 2_048

/** Our request in the words of the provider interface. */
export function toCallOptions(request: ChatRequest, abortSignal: AbortSignal): CallOptions {
  const { tools = [], toolChoice = 'auto', temperature, responseFormat } = request
  return {
    prompt: request.messages.map(toPromptMessage),
    maxOutputTokens: request.maxOutputTokens ?? defaultMaxOutputTokens,
    abortSignal,
    ...(temperature === undefined ? {} : { temperature }),
    ...(tools.length === 0 ? {} : { tools: tools.map(toFunctionTool), toolChoice: { type: toolChoice } }),
    ...(responseFormat ? { responseFormat: toJsonFormat(responseFormat) } : {}),
  }
}

function toPromptMessage(message: ChatMessage): PromptMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.content }] }
    case 'assistant':
      return { role: 'assistant', content: assistantContent(message) }
    case 'tool':
      return { role: 'tool', content: [toolResult(message)] }
  }
}

function assistantContent(message: Extract<ChatMessage, { role: 'assistant' }>) {
  const calls = (message.toolCalls ?? []).map((call) => ({
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: call.name,
    // Arguments that were no JSON, or null, go back as an empty object: the result beside them says what was wrong.
    input: parseJsonOrNothing(call.arguments) ?? {},
  }))
  const text = message.content === '' ? [] : [{ type: 'text' as const, text: message.content }]
  return [...text, ...calls]
}

function toolResult(message: Extract<ChatMessage, { role: 'tool' }>) {
  const output = { type: message.failed ? ('error-text' as const) : ('text' as const), value: message.content }
  return { type: 'tool-result' as const, toolCallId: message.toolCallId, toolName: message.toolName, output }
}

function toFunctionTool(tool: NonNullable<ChatRequest['tools']>[number]) {
  const inputSchema = tool.parameters as Record<string, never>
  return { type: 'function' as const, name: tool.name, description: tool.description, inputSchema }
}

function toJsonFormat({ name, schema }: NonNullable<ChatRequest['responseFormat']>) {
  return { type: 'json' as const, name, schema: schema as Record<string, never> }
}

export function toFinishReason(part: FinishPart): FinishReason {
  const reason = part.finishReason.unified
  return reason === 'error' || reason === 'interrupted' ? 'other' : reason
}

/** The reported usage, or an estimate where the endpoint reports none. */
export function toUsage(part: FinishPart, request: ChatRequest, written: string): TokenUsage {
  const inputTokens = part.usage.inputTokens.total
  const outputTokens = part.usage.outputTokens.total
  if (inputTokens === undefined || outputTokens === undefined) return estimateUsage(request, written)
  return { inputTokens, outputTokens, estimated: false }
}

export function estimateUsage(request: ChatRequest, written: string): TokenUsage {
  const tools = request.tools ? JSON.stringify(request.tools) : ''
  const inputTokens = request.messages.reduce((sum, message) => sum + estimateTokens(message.content), 0)
  return { inputTokens: inputTokens + estimateTokens(tools), outputTokens: estimateTokens(written), estimated: true }
}
