import { asArray, asObject, type JsonSchema, type Prompt, parseOrUndefined, questionLine } from './prompt.ts'
import type { ScriptedToolCall } from './script.ts'

export interface Reply {
  text: string
  toolCalls: readonly ScriptedToolCall[]
}

/** A model's stand-in for use by hand: looks things up when it may, then answers from the passages it was given. */
export function plausibleReply(prompt: Prompt): Reply {
  if (prompt.wantsJson)
    return { text: JSON.stringify(instanceOf(prompt.jsonSchema ?? {}, prompt.question)), toolCalls: [] }
  const tool = prompt.mayCallTools && prompt.messages.at(-1)?.role === 'user' ? lookupTool(prompt) : undefined
  if (tool)
    return { text: '', toolCalls: [{ name: tool.name, arguments: instanceOf(tool.parameters, prompt.question) }] }
  return { text: answerFrom(passagesIn(prompt), prompt.question), toolCalls: [] }
}

function lookupTool(prompt: Prompt) {
  return prompt.tools.find((tool) => /search|retrieve|look_?up|find|knowledge/i.test(tool.name)) ?? prompt.tools[0]
}

interface Passage {
  label: string
  text: string
}

/** Passages as prompts usually carry them: `<passage id="1">…</passage>`, `[1] …` paragraphs, or JSON tool results. */
function passagesIn(prompt: Prompt): Passage[] {
  const found: Passage[] = []
  for (const { role, text } of prompt.messages) {
    if (role === 'assistant') continue
    const parsed = role === 'tool' ? parseOrUndefined(text) : undefined
    if (parsed !== undefined) found.push(...passagesOfJson(parsed))
    else found.push(...taggedPassages(text), ...numberedPassages(text))
  }
  return found
}

function taggedPassages(text: string): Passage[] {
  const tags = /<(passage|document|doc|source|chunk)\b([^>]*)>([^<]*)<\/\1>/g
  return [...text.matchAll(tags)].map((match, index) => ({
    label: /\b(?:id|index|n)="?(\w+)/.exec(match[2] ?? '')?.[1] ?? String(index + 1),
    text: (match[3] ?? '').trim(),
  }))
}

function numberedPassages(text: string): Passage[] {
  const lines = text.split('\n').filter((line) => !questionLine.test(line))
  return lines
    .join('\n')
    .split(/^(?=\[\d+\])/m)
    .flatMap((part) => {
      const label = /^\[(\d+)\]/.exec(part)?.[1]
      return label ? [{ label, text: part.slice(label.length + 2).trim() }] : []
    })
}

function passagesOfJson(value: unknown): Passage[] {
  if (Array.isArray(value)) return value.flatMap((item) => passagesOfJson(item))
  const object = asObject(value)
  const text = object.content ?? object.text ?? object.answer ?? object.snippet
  if (typeof text === 'string') {
    return [{ label: String(object.id ?? object.index ?? object.n ?? object.citation ?? 1), text }]
  }
  const nested = Object.values(object).flatMap((item) => passagesOfJson(item))
  if (nested.length > 0 || Object.keys(object).length === 0) return nested
  const facts = Object.entries(object).filter(([, fact]) => typeof fact !== 'object')
  return [{ label: '', text: facts.map(([key, fact]) => `${key}: ${fact}`).join(', ') }]
}

function answerFrom(passages: readonly Passage[], question: string): string {
  const wanted = termsOf(question)
  const ranked = passages
    .map((passage) => ({ passage, hits: termsOf(passage.text).filter((term) => wanted.includes(term)).length }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits)
  const best = ranked[0]?.passage
  if (!best) return isChinese(question) ? '抱歉，我没有找到相关的信息。' : 'I could not find this.'
  const sentences = best.text.match(/[^.!?。！？\n]+[.!?。！？]?/g) ?? [best.text]
  const text = sentences.slice(0, 3).join('').trim()
  return best.label === '' ? text : `${text} [${best.label}]`
}

function termsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []
  const characters = text.match(/[\u3400-\u9fff]/g) ?? []
  return [...words, ...characters.slice(1).map((character, i) => `${characters[i]}${character}`)]
}

function isChinese(text: string): boolean {
  return /[\u3400-\u9fff]/.test(text)
}

/** The simplest value that a JSON schema allows; texts are filled with the question, choices by what it mentions. */
export function instanceOf(schema: JsonSchema, question: string): unknown {
  if ('const' in schema) return schema.const
  const choices = [...asArray(schema.enum), ...asArray(schema.anyOf).map((one) => asObject(one).const)]
  const named = choices.filter((choice) => choice !== undefined)
  if (named.length > 0) return named.find((choice) => question.toLowerCase().includes(String(choice))) ?? named[0]
  const first = asArray(schema.anyOf)[0]
  if (first) return instanceOf(asObject(first), question)
  return valueOfType(schema, question)
}

function valueOfType(schema: JsonSchema, question: string): unknown {
  if (schema.type === 'string') return question.slice(0, Number(schema.maxLength ?? 200))
  if (schema.type === 'number' || schema.type === 'integer') return Number(schema.minimum ?? 0)
  if (schema.type === 'boolean') return false
  if (schema.type === 'array')
    return Number(schema.minItems ?? 0) > 0 ? [instanceOf(asObject(schema.items), question)] : []
  if (schema.type === 'null') return null
  const required = asArray(schema.required).map(String)
  const properties = Object.entries(asObject(schema.properties)).filter(([name]) => required.includes(name))
  return Object.fromEntries(properties.map(([name, property]) => [name, instanceOf(asObject(property), question)]))
}
