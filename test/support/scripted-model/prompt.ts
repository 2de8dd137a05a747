/** The two chat protocols' requests, read into one shape. Lenient: this is a test server. */
export interface Prompt {
  messages: PromptMessage[]
  tools: PromptTool[]
  /** The last thing the customer's side said. */
  question: string
  wantsJson: boolean
  jsonSchema: JsonSchema | null
  /** False when tools are offered but may not be called. */
  mayCallTools: boolean
  model: string
  stream: boolean
  includeUsage: boolean
}

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  /** Names of the tools that an assistant message calls. */
  calls: string[]
}

export interface PromptTool {
  name: string
  parameters: JsonSchema
}

export type JsonSchema = { [key: string]: unknown }

type Loose = Record<string, unknown>

export function readOpenAiPrompt(body: unknown): Prompt {
  const request = asObject(body)
  const format = asObject(request.response_format)
  const messages = asArray(request.messages).map(readOpenAiMessage)
  const tools = asArray(request.tools).map((tool) => readTool(asObject(asObject(tool).function), 'parameters'))
  return {
    ...common(request, messages, tools),
    wantsJson: format.type === 'json_object' || format.type === 'json_schema',
    jsonSchema: schemaOf(asObject(format.json_schema).schema, messages),
    mayCallTools: tools.length > 0 && request.tool_choice !== 'none',
    includeUsage: request.stream !== true || asObject(request.stream_options).include_usage === true,
  }
}

export function readAnthropicPrompt(body: unknown): Prompt {
  const request = asObject(body)
  const system: PromptMessage = { role: 'system', text: textOf(request.system), calls: [] }
  const messages = [system, ...asArray(request.messages).flatMap(readAnthropicMessage)]
  const tools = asArray(request.tools).map((tool) => readTool(asObject(tool), 'input_schema'))
  const schema = asObject(asObject(asObject(request.output_config).format).schema)
  return {
    ...common(request, messages, tools),
    wantsJson: Object.keys(schema).length > 0,
    jsonSchema: schemaOf(schema, messages),
    mayCallTools: tools.length > 0 && asObject(request.tool_choice).type !== 'none',
    includeUsage: true,
  }
}

function common(request: Loose, messages: PromptMessage[], tools: PromptTool[]) {
  return {
    messages,
    tools,
    question: bareQuestion(messages.findLast((message) => message.role === 'user')?.text ?? ''),
    model: String(request.model ?? 'scripted'),
    stream: request.stream === true,
  }
}

export const questionLine = /^(question|customer|问题|用户)\s*[:：]/i

/** The customer's words alone, when passages or headings stand in the same message. */
function bareQuestion(text: string): string {
  const outsideTags = text.replace(/<(\w+)\b[^>]*>[^<]*<\/\1>/g, ' ')
  const lines = outsideTags.split('\n').filter((line) => line.trim() !== '' && !/^\[\d+\]/.test(line))
  const asked = lines.findLast((line) => questionLine.test(line))
  return (asked?.replace(/^[^:：]*[:：]/, '') ?? lines.join('\n')).trim() || text
}

function readOpenAiMessage(value: unknown): PromptMessage {
  const message = asObject(value)
  const calls = asArray(message.tool_calls).map((call) => String(asObject(asObject(call).function).name))
  return { role: roleOf(message.role), text: textOf(message.content), calls }
}

/** A tool's result is a block of a user message in this protocol; it becomes a message of its own. */
function readAnthropicMessage(value: unknown): PromptMessage[] {
  const message = asObject(value)
  const blocks = typeof message.content === 'string' ? [] : asArray(message.content).map(asObject)
  const results = blocks.filter((block) => block.type === 'tool_result')
  const calls = blocks.filter((block) => block.type === 'tool_use').map((block) => String(block.name))
  const text = typeof message.content === 'string' ? message.content : textOf(blocks)
  const own: PromptMessage = { role: roleOf(message.role), text, calls }
  const tools = results.map((block): PromptMessage => ({ role: 'tool', text: textOf(block.content), calls: [] }))
  return text === '' && calls.length === 0 ? tools : [...tools, own]
}

function readTool(tool: Loose, parametersKey: string): PromptTool {
  return { name: String(tool.name), parameters: asObject(tool[parametersKey]) }
}

/** The schema of the reply: the protocol's own field, or the first schema that stands in the system prompt. */
function schemaOf(given: unknown, messages: readonly PromptMessage[]): JsonSchema | null {
  if (Object.keys(asObject(given)).length > 0) return asObject(given)
  for (const message of messages) {
    if (message.role !== 'system') continue
    const found = jsonObjectsIn(message.text).find((object) => 'properties' in object)
    if (found) return found
  }
  return null
}

/** Every balanced `{…}` of a text that parses as JSON, outermost only. */
export function jsonObjectsIn(text: string): Loose[] {
  const found: Loose[] = []
  for (let start = text.indexOf('{'); start >= 0; ) {
    const end = balancedEnd(text, start)
    const parsed = end < 0 ? undefined : parseOrUndefined(text.slice(start, end))
    if (parsed) found.push(asObject(parsed))
    start = text.indexOf('{', parsed ? end : start + 1)
  }
  return found
}

function balancedEnd(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i += 1) {
    if (text[i] === '{') depth += 1
    if (text[i] === '}') depth -= 1
    if (depth === 0) return i + 1
  }
  return -1
}

export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = asArray(content).map((part) => asObject(part).text)
  return texts.filter((text) => typeof text === 'string').join('\n')
}

function roleOf(role: unknown): PromptMessage['role'] {
  return role === 'assistant' || role === 'tool' || role === 'system' ? role : role === 'developer' ? 'system' : 'user'
}

export function asObject(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {}
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
