import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { parseJsonOrNothing } from '../../kernel/json.ts'
import { modelError } from './failure.ts'
import {
  addUsage,
  type ChatMessage,
  type ChatRequest,
  type ModelError,
  noUsage,
  type StreamFunction,
  type TokenUsage,
} from './port.ts'

export interface StructuredRequest<Schema extends TSchema> {
  messages: readonly ChatMessage[]
  /** An object at the top. */
  schema: Schema
  /** Letters, digits and underscores. */
  name: string
  /** The answer by rules, when the model's is not to be had. */
  fallback: () => Static<Schema>
  tier?: ChatRequest['tier']
  agent?: string
  maxOutputTokens?: number
  /** For all tries together, in milliseconds; default 8,000. */
  timeoutMs?: number
  /** How often the model may correct an answer that does not fit; default 1. */
  repairs?: number
}

export interface StructuredResult<Value> {
  value: Value
  source: 'model' | 'fallback'
  /** Why the fallback was taken; null with `source: model`. */
  error: ModelError | null
  usage: TokenUsage
}

const longestReply = 100_000

/**
 * Asks for one JSON object and checks it against the schema; what does not fit is never returned.
 * Does not throw: no model, a slow one, or one that writes nonsense means the fallback.
 */
export async function generateStructured<Schema extends TSchema>(
  stream: StreamFunction,
  request: StructuredRequest<Schema>,
  signal?: AbortSignal,
): Promise<StructuredResult<Static<Schema>>> {
  const { schema, fallback, repairs = 1, timeoutMs = 8_000 } = request
  const deadline = performance.now() + timeoutMs
  let usage: TokenUsage = noUsage
  let messages = withSchema(request)
  let error: ModelError | null = null
  for (let attempt = 0; attempt <= repairs; attempt += 1) {
    const remainingMs = deadline - performance.now()
    // A correction that gets too little time would only make a healthy endpoint look slow to the breaker.
    if (attempt > 0 && remainingMs < timeoutMs / 2) break
    const { text, failure, spent } = await readReply(stream(requestOf(request, messages, remainingMs), signal))
    usage = addUsage(usage, spent)
    if (failure) {
      error = failure
      break
    }
    const value = parseObject(text)
    if (Value.Check(schema, value)) return { value, source: 'model', error: null, usage }
    const faults = faultsOf(schema, value)
    error = modelError('bad_response', `structured: ${faults}`)
    messages = [...messages, { role: 'assistant', content: text }, { role: 'user', content: correction(faults) }]
  }
  return { value: fallback(), source: 'fallback', error, usage }
}

function requestOf(
  request: StructuredRequest<TSchema>,
  messages: readonly ChatMessage[],
  timeoutMs: number,
): ChatRequest {
  const { tier = 'light', agent = 'unknown', maxOutputTokens = 1_024, name, schema } = request
  const responseFormat = { name, schema }
  return { messages, tier, agent, maxOutputTokens, temperature: 0, responseFormat, timeoutMs }
}

/** The schema is also said in words: many endpoints know only that JSON is wanted, and some not even that. */
function withSchema({ messages, schema }: StructuredRequest<TSchema>): readonly ChatMessage[] {
  const rule = `Answer with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema)}`
  const [first, ...rest] = messages
  if (first?.role === 'system') return [{ role: 'system', content: `${first.content}\n\n${rule}` }, ...rest]
  return [{ role: 'system', content: rule }, ...messages]
}

function correction(faults: string): string {
  return `That does not fit the schema: ${faults}. Answer again with one JSON object that fits, and nothing else.`
}

async function readReply(events: ReturnType<StreamFunction>) {
  let spent: TokenUsage = noUsage
  let text = ''
  let failure: ModelError | null = null
  for await (const event of events) {
    if (event.type === 'text-delta') text += event.text
    if (event.type === 'usage') spent = event.usage
    if (event.type === 'error') failure = event.error
    if (text.length > longestReply)
      return { text: '', failure: modelError('bad_response', 'structured: endless reply'), spent }
  }
  return { text, failure, spent }
}

/** The JSON object of a reply, with or without code fences or words around it; undefined when there is none. */
export function parseObject(text: string): unknown {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  return start < 0 || end < start ? undefined : parseJsonOrNothing(text.slice(start, end + 1))
}

/** The faults of a value, in the words that help a model to mend it. */
export function faultsOf(schema: TSchema, value: unknown): string {
  if (value === undefined) return 'it is not a JSON object'
  const faults = [...Value.Errors(schema, value)].slice(0, 5)
  return faults.map(({ instancePath, message }) => `${instancePath || 'the object'} ${message}`).join('; ')
}
