import { recalling } from '../../kernel/recalling.ts'
import type { Span, Trace } from '../../platform/tracing.ts'
import type { AgentCalls, Step, TokenCount, TraceRow } from './types.ts'

const MAX_STEPS = 200
const MAX_SUB_TASKS = 50
/** Masked first and cut then, so that no cut hides half a number from the mask. */
const MAX_MASKED_CHARACTERS = 20_000
const MAX_TEXT_CHARACTERS = 4_000
/** Of all texts of a trace; steps beyond keep their times and lose their texts. */
const MAX_TRACE_CHARACTERS = 64_000
const MAX_NAME_CHARACTERS = 200
/** Fields that name something and hold nothing that a person wrote. */
const NAMES = /(?:^|_)id$|^(?:agent|intent|status|source|version|type|scene)$/

/** Traces have the same few fields again and again. */
const FEW = { maxEntries: 200, maxLength: 50 }
const isName = recalling((field) => NAMES.test(field), FEW)
const inSnakeCase = recalling((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), FEW)

/** A trace as it is stored: bounded, without personal data. @param mask takes personal data out of a text */
export function toTraceRow(trace: Trace, mask: (text: string) => string): TraceRow {
  const spans = trace.spans.slice(0, MAX_STEPS)
  const clean = cleaner(mask)
  return {
    traceId: trace.traceId,
    sessionId: trace.sessionId,
    channel: trace.channel,
    status: trace.status,
    intent: name(trace.intent),
    startedAt: trace.startedAt,
    durationMs: trace.durationMs,
    inputTokens: sum(spans, ({ tokens }) => tokens?.inputTokens ?? 0),
    outputTokens: sum(spans, ({ tokens }) => tokens?.outputTokens ?? 0),
    tokensEstimated: spans.some(({ tokens }) => tokens?.estimated),
    error: trace.error === null ? null : clean(trace.error),
    escalated: trace.escalated ?? false,
    confidence: trace.confidence ?? null,
    cached: trace.cached ?? false,
    steps: spans.map((span) => toStep(span, clean)),
    subTasks: trace.subTasks.slice(0, MAX_SUB_TASKS).map((task) => cleanFields(task, clean) as object),
  }
}

/**
 * How often each agent was called in one trace or several: a span of type `agent` is a call, unless it lies within the
 * same agent's own span.
 */
export function agentCallsOf(spans: readonly Span[]): AgentCalls[] {
  const agentOf = new Map(spans.map(({ spanId, agent }) => [spanId, agent]))
  const calls = spans.filter(({ type, agent, parentId }) => type === 'agent' && agentOf.get(parentId ?? '') !== agent)
  return [...Map.groupBy(calls, ({ agent }) => agent)].map(([agent, own]) => {
    const last = own.reduce((a, b) => (b.startedAt >= a.startedAt ? b : a))
    return {
      agent: name(agent),
      calls: own.length,
      errors: own.filter(({ status }) => status === 'error').length,
      durationMs: sum(own, ({ durationMs }) => durationMs),
      lastCalledAt: iso(last.startedAt),
      lastFailed: last.status === 'error',
    }
  })
}

function toStep(span: Span, clean: (text: string) => string): Step {
  return {
    step_id: span.spanId,
    parent_id: span.parentId,
    agent: name(span.agent),
    type: name(span.type),
    name: name(span.name),
    status: span.status,
    started_at: iso(span.startedAt),
    duration_ms: span.durationMs,
    input: clean(span.input),
    output: clean(span.output),
    tokens: span.tokens && toTokenCount(span.tokens),
    error: span.error === null ? null : clean(span.error),
  }
}

export function toTokenCount(tokens: { inputTokens: number; outputTokens: number; estimated: boolean }): TokenCount {
  const { inputTokens, outputTokens, estimated } = tokens
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    estimated,
  }
}

/** Masks and shortens texts until the trace has as many characters as it may. */
function cleaner(mask: (text: string) => string): (text: string) => string {
  let room = MAX_TRACE_CHARACTERS
  return (text) => {
    const limit = Math.min(room, MAX_TEXT_CHARACTERS)
    if (limit <= 0) return ''
    const cleaned = mask(text.slice(0, MAX_MASKED_CHARACTERS)).slice(0, limit).toWellFormed()
    room -= cleaned.length
    return cleaned
  }
}

/** The same value with field names in snake case and every text but names cleaned. */
function cleanFields(value: unknown, clean: (text: string) => string, field = ''): unknown {
  if (typeof value === 'string') return isName(field) ? name(value) : clean(value)
  if (Array.isArray(value)) return value.slice(0, MAX_SUB_TASKS).map((each) => cleanFields(each, clean, field))
  if (typeof value !== 'object' || value === null) return value
  const cleaned: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(value)) {
    const snake = inSnakeCase(key)
    cleaned[snake] = cleanFields(each, clean, snake)
  }
  return cleaned
}

function name(text: string): string {
  return text.slice(0, MAX_NAME_CHARACTERS).toWellFormed()
}

let lastTime = { milliseconds: 0, text: new Date(0).toISOString() }

/** Most times of a trace, and of those stored with it, are the same millisecond. */
function iso(milliseconds: number): string {
  if (milliseconds !== lastTime.milliseconds) {
    lastTime = { milliseconds, text: new Date(milliseconds).toISOString() }
  }
  return lastTime.text
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}
