import { type Prompt, readOpenAiPrompt } from './prompt.ts'
import type { Protocol } from './protocol.ts'
import { type Answer, argumentsText, type Token } from './tokens.ts'

/** `POST /v1/chat/completions`, https://platform.openai.com/docs/api-reference/chat */
export const openAiProtocol: Protocol = {
  readPrompt: readOpenAiPrompt,
  opening: (prompt) => [frame(chunk(prompt, { role: 'assistant', content: '' }))],
  token: (token, prompt) => frame(chunk(prompt, deltaOf(token))),
  closing: (answer, prompt, withUsage) => [
    frame(chunk(prompt, {}, answer.finish)),
    ...(withUsage && prompt.includeUsage ? [frame({ ...chunk(prompt), choices: [], usage: usageOf(answer) })] : []),
    'data: [DONE]\n\n',
  ],
  garbage: () => 'data: {"choices": [{"delta": {"conte\n\n',
  streamError: (message) => frame({ error: { message, type: 'server_error', code: 'scripted' } }),
  errorBody: (status, message) => ({ error: { message, type: 'scripted', param: null, code: String(status) } }),
  whole: (answer, prompt, withUsage) => ({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: prompt.model,
    choices: [{ index: 0, finish_reason: answer.finish, message: messageOf(answer) }],
    ...(withUsage ? { usage: usageOf(answer) } : {}),
  }),
}

function frame(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function chunk(prompt: Prompt, delta: object = {}, finishReason: string | null = null) {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: prompt.model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  }
}

function deltaOf(token: Token): object {
  if (token.kind === 'text') return { content: token.text }
  if (token.kind === 'tool-arguments') {
    return { tool_calls: [{ index: token.index, function: { arguments: token.text } }] }
  }
  const start = { index: token.index, id: token.id, type: 'function', function: { name: token.name, arguments: '' } }
  return { tool_calls: [start] }
}

function messageOf(answer: Answer): object {
  const calls = answer.reply.toolCalls.map((call, index) => ({
    id: answer.tokens.flatMap((token) => (token.kind === 'tool-start' ? [token.id] : []))[index],
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call.arguments) },
  }))
  return { role: 'assistant', content: answer.reply.text || null, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}

function usageOf({ usage }: Answer): object {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  }
}
