import { hash } from 'node:crypto'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { AppError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { Span, Trace, TraceSink } from '../kernel/tracing.ts'
import { type BatchWriter, createBatchWriter } from './batch-writer.ts'
import { FRONTDESK, GEN_AI, OPERATIONS } from './gen-ai-attributes.ts'

export interface OtlpOptions {
  /** Base URL as in OTEL_EXPORTER_OTLP_ENDPOINT; `/v1/traces` is appended. */
  endpoint: string
  /** As in OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`, values URL-encoded. */
  headers?: string
  serviceName: string
  serviceVersion: string
  /** One request, in milliseconds. Default 10,000. */
  timeoutMs?: number
  /** Default 5,000. */
  intervalMs?: number
  /** Traces that may wait; further ones are dropped and counted. Default 2,000. */
  maxQueued?: number
  log: Log
  fetch?: typeof globalThis.fetch
}

export interface OtlpExporter extends TraceSink, Omit<BatchWriter<Trace>, 'push'> {}

/** Answers after which the same request may work later. https://opentelemetry.io/docs/specs/otlp/#failures-1 */
const PASSING = new Set([429, 502, 503, 504])

/**
 * Sends finished traces as OTLP/HTTP with JSON, without what people wrote: names, times, tokens and outcomes only.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export function createOtlpExporter(options: OtlpOptions): OtlpExporter {
  const { endpoint, serviceName, serviceVersion, timeoutMs = 10_000, intervalMs = 5_000, maxQueued = 2_000 } = options
  const { log, fetch = globalThis.fetch } = options
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const headers = { ...parseHeaders(options.headers ?? ''), 'content-type': 'application/json' }
  let refused = 0

  async function write(traces: readonly Trace[]): Promise<void> {
    const body = JSON.stringify(toOtlp(traces, serviceName, serviceVersion))
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' }).catch(
      (cause: unknown) => {
        throw new AppError('unavailable', 'otlp', 'The OTLP endpoint cannot be reached', { cause })
      },
    )
    await response.body?.cancel()
    if (response.ok) return
    if (PASSING.has(response.status)) throw new AppError('unavailable', 'otlp', 'The OTLP endpoint is busy')
    refused += traces.length
    log.warn({ status: response.status, count: traces.length }, 'The OTLP endpoint refused traces')
  }

  const { push, stats, ...writer } = createBatchWriter<Trace>({
    name: 'otlp',
    write,
    maxQueued,
    maxBatch: 100,
    intervalMs,
    log,
  })
  return {
    ...writer,
    record: push,
    stats: () => ({ queued: stats().queued, dropped: stats().dropped + refused }),
  }
}

/** Pairs that cannot be read are left out. */
function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at).trim().toLowerCase(), decode(pair.slice(at + 1).trim())]]
  })
  return Object.fromEntries(pairs)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto */
function toOtlp(traces: readonly Trace[], serviceName: string, serviceVersion: string) {
  const resource = { attributes: toAttributes({ 'service.name': serviceName, 'service.version': serviceVersion }) }
  const scope = { name: 'frontdesk', version: serviceVersion }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: traces.flatMap(toSpans) }] }] }
}

function toSpans(trace: Trace) {
  const { traceId, startedAt, durationMs, error } = trace
  const root = {
    traceId: hex(traceId, 32),
    spanId: hex(`${traceId} root`, 16),
    name: 'turn',
    // The protocol counts kinds from 1; 0 is "unspecified".
    kind: SpanKind.SERVER + 1,
    ...timesOf(startedAt, durationMs),
    attributes: toAttributes({
      [GEN_AI.conversation]: trace.sessionId,
      [FRONTDESK.channel]: trace.channel,
      [FRONTDESK.intent]: trace.intent,
      [FRONTDESK.status]: trace.status,
      [FRONTDESK.cached]: trace.cached ?? false,
      [FRONTDESK.escalated]: trace.escalated ?? false,
    }),
    status: statusOf(trace.status === 'error' || error !== null),
  }
  return [root, ...trace.spans.map((span) => toSpan(span, trace, root.spanId))]
}

function toSpan(span: Span, { traceId, sessionId }: Trace, rootId: string) {
  const { parentId, type, name, tokens } = span
  const operation = OPERATIONS[type] ?? type
  return {
    traceId: hex(traceId, 32),
    spanId: hex(`${traceId} ${span.spanId}`, 16),
    parentSpanId: parentId === null ? rootId : hex(`${traceId} ${parentId}`, 16),
    name: `${operation} ${name}`,
    kind: (type === 'model' ? SpanKind.CLIENT : SpanKind.INTERNAL) + 1,
    ...timesOf(span.startedAt, span.durationMs),
    attributes: toAttributes({
      [GEN_AI.operation]: operation,
      [GEN_AI.agent]: span.agent,
      [GEN_AI.conversation]: sessionId,
      ...(type === 'tool' ? { [GEN_AI.tool]: name } : {}),
      ...(type === 'model' ? { [FRONTDESK.tier]: name } : {}),
      ...(tokens ? { [GEN_AI.inputTokens]: tokens.inputTokens, [GEN_AI.outputTokens]: tokens.outputTokens } : {}),
    }),
    status: statusOf(span.status === 'error'),
  }
}

function statusOf(failed: boolean) {
  return { code: failed ? SpanStatusCode.ERROR : SpanStatusCode.OK }
}

function timesOf(startedAt: number, durationMs: number) {
  return { startTimeUnixNano: nanoseconds(startedAt), endTimeUnixNano: nanoseconds(startedAt + durationMs) }
}

/** A number of nanoseconds since 1970 has more digits than a double holds; whole microseconds fit. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1_000)}000`
}

/** Ids of the protocol are 16 and 8 random bytes; ours are text. */
function hex(id: string, digits: number): string {
  return hash('sha256', id).slice(0, digits)
}

function toAttributes(values: Record<string, string | number | boolean>) {
  return Object.entries(values).map(([key, value]) => {
    if (typeof value === 'string') return { key, value: { stringValue: value } }
    // 64-bit integers are text in the protocol's JSON.
    return { key, value: typeof value === 'boolean' ? { boolValue: value } : { intValue: String(value) } }
  })
}
