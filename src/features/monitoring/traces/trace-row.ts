import { snakeName, toSnakeCase } from '../../../kernel/snake-case.ts'
import type { Span, Trace } from '../../../kernel/tracing.ts'
import type { Step, TraceRow } from './types.ts'

const MAX_STEPS = 200
const MAX_SUB_TASKS = 50
/** Masked first and cut then, so that no cut hides half a number from the mask. */
const MAX_MASKED_CHARACTERS = 20_000
const MAX_TEXT_CHARACTERS = 4_000
/** Of all texts of a trace; steps beyond keep their times and lose their texts. */
const MAX_TRACE_CHARACTERS = 64_000
const MAX_NAME_CHARACTERS = 200
const MAX_QUESTION_CHARACTERS = 300
/** Fields that name something and hold nothing that a person wrote. */
const NAMES = /(?:^|_)id$|^(?:agent|intent|status|source|version|type|scene)$/

/** A trace as it is stored: bounded, without personal data. @param mask takes personal data out of a text */
export function toTraceRow({ spans, ...trace }: Trace, mask: (text: string) => string): TraceRow {
  const steps = inOrder(spans).slice(0, MAX_STEPS)
  const tokens = tokensOf(spans)
  const clean = cleaner(mask)
  const cleaned = steps.map((span) => toStep(span, clean))
  return {
    ...trace,
    messageId: trace.messageId ?? null,
    question: questionOf(cleaned),
    agents: [...new Set(spans.map(({ agent }) => name(agent)))],
    intent: name(trace.intent),
    inputTokens: sum(tokens, ({ inputTokens }) => inputTokens),
    outputTokens: sum(tokens, ({ outputTokens }) => outputTokens),
    tokensEstimated: tokens.some(({ estimated }) => estimated),
    error: trace.error === null ? null : clean(trace.error),
    escalated: trace.escalated ?? false,
    confidence: trace.confidence ?? null,
    cached: trace.cached ?? false,
    steps: cleaned,
    subTasks: trace.subTasks.slice(0, MAX_SUB_TASKS).map((task) => cleanFields(task, clean) as object),
  }
}

/** The beginning of what the customer wrote: the first that a turn does is to read it. */
function questionOf(steps: readonly Step[]): string {
  const read = steps.find(({ type }) => type === 'understanding')
  return (read?.input ?? '').slice(0, MAX_QUESTION_CHARACTERS).toWellFormed()
}

/** Each span after the one that it belongs to; those that belong to one in the order in which they began. */
function inOrder(spans: readonly Span[]): Span[] {
  const known = new Set(spans.map(({ spanId }) => spanId))
  const within = Map.groupBy(spans, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null))
  const from = (parent: string | null): Span[] =>
    (within.get(parent) ?? [])
      .toSorted((a, b) => a.startedAt - b.startedAt)
      .flatMap((span) => [span, ...from(span.spanId)])
  return from(null)
}

/** Each token once: what lies around a span with tokens, an agent say, sums them up for itself. */
function tokensOf(spans: readonly Span[]): NonNullable<Span['tokens']>[] {
  const parentOf = new Map(spans.map(({ spanId, parentId }) => [spanId, parentId]))
  const counted = spans.filter(({ tokens }) => tokens !== null)
  const around = new Set<string>()
  for (const { parentId } of counted) {
    for (let id: string | null | undefined = parentId; id && !around.has(id); id = parentOf.get(id)) around.add(id)
  }
  return counted.flatMap(({ spanId, tokens }) => (tokens && !around.has(spanId) ? [tokens] : []))
}

/** The share of some traces in an agent's counts. */
export type AgentCalls = ReturnType<typeof agentCallsOf>[number]

/**
 * How often each agent was called in some traces: a span of type `agent` is a call, unless it lies within the same
 * agent's own span.
 */
export function agentCallsOf(traces: readonly Pick<Trace, 'spans'>[]) {
  const calls = traces.flatMap(({ spans }) => {
    const agentOf = new Map(spans.map(({ spanId, agent }) => [spanId, agent]))
    return spans.filter(({ type, agent, parentId }) => type === 'agent' && agentOf.get(parentId ?? '') !== agent)
  })
  return [...Map.groupBy(calls, ({ agent }) => agent)].map(([agent, own]) => {
    const last = own.reduce((a, b) => (b.startedAt >= a.startedAt ? b : a))
    return {
      agent: name(agent),
      calls: own.length,
      errors: own.filter(({ status }) => status === 'error').length,
      durationMs: sum(own, ({ durationMs }) => durationMs),
      lastCalledAt: new Date(last.startedAt).toISOString(),
      lastFailed: last.status === 'error',
    }
  })
}

function toStep(span: Span, clean: (text: string) => string): Step {
  return {
    step_id: span.spanId,
    parent_id: span.parentId,
    agent: name(span.agent),
    type: span.type,
    name: name(span.name),
    status: span.status,
    started_at: new Date(span.startedAt).toISOString(),
    duration_ms: span.durationMs,
    input: clean(span.input),
    output: clean(span.output),
    tokens: span.tokens && toTokenCount(span.tokens),
    error: span.error === null ? null : clean(span.error),
  }
}

export function toTokenCount(tokens: NonNullable<Span['tokens']>) {
  return toSnakeCase({ ...tokens, totalTokens: tokens.inputTokens + tokens.outputTokens })
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
  if (typeof value === 'string') return NAMES.test(field) ? name(value) : clean(value)
  if (Array.isArray(value)) return value.slice(0, MAX_SUB_TASKS).map((each) => cleanFields(each, clean, field))
  if (typeof value !== 'object' || value === null) return value
  const cleaned: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(value)) {
    const snake = snakeName(key)
    cleaned[snake] = cleanFields(each, clean, snake)
  }
  return cleaned
}

function name(text: string): string {
  return text.slice(0, MAX_NAME_CHARACTERS).toWellFormed()
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}
