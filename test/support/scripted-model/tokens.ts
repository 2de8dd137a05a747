import { obedientReply } from './obedient.ts'
import { plausibleReply, type Reply } from './plausible.ts'
import type { Prompt } from './prompt.ts'
import type { Behaviour } from './script.ts'

/** One piece of an answer as a model would send it. */
export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'tool-start'; index: number; id: string; name: string }
  | { kind: 'tool-arguments'; index: number; text: string }

export interface Answer {
  reply: Reply
  tokens: Token[]
  finish: 'stop' | 'length' | 'content_filter' | 'tool_calls'
  usage: { inputTokens: number; outputTokens: number }
}

let lastCallId = 0

/** Decides what is said to a prompt and cuts it into tokens. */
export function composeAnswer(prompt: Prompt, behaviour: Behaviour): Answer {
  const reply = replyTo(prompt, behaviour)
  const tokens = [...piecesOf(reply.text).map((text): Token => ({ kind: 'text', text })), ...toolTokens(reply)]
  const inputCharacters = prompt.messages.reduce((sum, message) => sum + message.text.length, 0)
  return {
    reply,
    tokens,
    finish: behaviour.finishReason ?? (reply.toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: behaviour.usage ?? { inputTokens: Math.ceil(inputCharacters / 4), outputTokens: tokens.length },
  }
}

function replyTo(prompt: Prompt, behaviour: Behaviour): Reply {
  const { text, toolCalls } = behaviour
  if (text !== undefined || toolCalls !== undefined) return { text: text ?? '', toolCalls: toolCalls ?? [] }
  return behaviour.obedient ? obedientReply(prompt) : plausibleReply(prompt)
}

/** Words with the space before them; two characters at a time where a script has no spaces. */
export function piecesOf(text: string): string[] {
  return text.match(/[\u3400-\u9fff]{1,2}|\s*[^\s\u3400-\u9fff]+|\s+/gu) ?? []
}

function toolTokens(reply: Reply): Token[] {
  return reply.toolCalls.flatMap((call, index): Token[] => {
    lastCallId += 1
    const text = argumentsText(call.arguments)
    const half = Math.ceil(text.length / 2)
    const start: Token = { kind: 'tool-start', index, id: `call_${lastCallId}`, name: call.name }
    return [
      start,
      { kind: 'tool-arguments', index, text: text.slice(0, half) },
      { kind: 'tool-arguments', index, text: text.slice(half) },
    ]
  })
}

export function argumentsText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {})
}
