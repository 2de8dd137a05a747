import { type Prompt, parseOrUndefined, readAnthropicPrompt } from './prompt.ts'
import type { Protocol } from './protocol.ts'
import { type Answer, argumentsText, type Token } from './tokens.ts'

/** `POST /v1/messages`, https://docs.anthropic.com/en/api/messages-streaming */
export const anthropicProtocol: Protocol = {
  readPrompt: readAnthropicPrompt,
  opening: (prompt, answer) => [
    frame('message_start', {
      message: { ...messageOf(prompt), usage: { input_tokens: answer.usage.inputTokens, output_tokens: 1 } },
    }),
  ],
  token: (token, _prompt, previous) => blockFrames(token, previous),
  closing: (answer, _prompt, withUsage) => [
    ...(answer.tokens.length > 0 ? [frame('content_block_stop', { index: blockOf(answer.tokens.at(-1)!) })] : []),
    frame('message_delta', {
      delta: { stop_reason: stopReasonOf(answer), stop_sequence: null },
      usage: { output_tokens: withUsage ? answer.usage.outputTokens : 0 },
    }),
    frame('message_stop', {}),
  ],
  garbage: () => 'event: content_block_delta\ndata: {"type": "content_block_del\n\n',
  streamError: (message) => frame('error', { error: { type: 'overloaded_error', message } }),
  errorBody: (status, message) => ({ type: 'error', error: { type: `scripted_${status}`, message } }),
  whole: (answer, prompt) => ({
    ...messageOf(prompt),
    content: contentOf(answer),
    stop_reason: stopReasonOf(answer),
    usage: { input_tokens: answer.usage.inputTokens, output_tokens: answer.usage.outputTokens },
  }),
}

function frame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}

function messageOf(prompt: Prompt) {
  const base = { id: 'msg_scripted', type: 'message', role: 'assistant', model: prompt.model }
  return { ...base, content: [] as object[], stop_reason: null as string | null, stop_sequence: null }
}

/** Text is block 0; each tool call is a block of its own behind it. */
function blockOf(token: Token): number {
  return token.kind === 'text' ? 0 : token.index + 1
}

/** Blocks are opened and closed around their deltas; a token knows its block, so a change of block does both. */
function blockFrames(token: Token, previous: Token | undefined): string {
  const index = blockOf(token)
  const changes = !previous || blockOf(previous) !== index
  const stop = changes && previous ? frame('content_block_stop', { index: blockOf(previous) }) : ''
  if (token.kind === 'tool-start') {
    return (
      stop +
      frame('content_block_start', {
        index,
        content_block: { type: 'tool_use', id: token.id, name: token.name, input: {} },
      })
    )
  }
  const start = changes ? frame('content_block_start', { index, content_block: { type: 'text', text: '' } }) : ''
  const delta =
    token.kind === 'text'
      ? { type: 'text_delta', text: token.text }
      : { type: 'input_json_delta', partial_json: token.text }
  return stop + start + frame('content_block_delta', { index, delta })
}

function stopReasonOf(answer: Answer): string {
  return { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal', tool_calls: 'tool_use' }[answer.finish]
}

function contentOf(answer: Answer): object[] {
  const ids = answer.tokens.flatMap((token) => (token.kind === 'tool-start' ? [token.id] : []))
  const calls = answer.reply.toolCalls.map((call, index) => ({
    type: 'tool_use',
    id: ids[index],
    name: call.name,
    input: parseOrUndefined(argumentsText(call.arguments)) ?? {},
  }))
  return [...(answer.reply.text ? [{ type: 'text', text: answer.reply.text }] : []), ...calls]
}
