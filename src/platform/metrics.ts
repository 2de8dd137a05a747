import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { BreakerState, BreakerStats } from './breaker.ts'
import type { Trace, TraceSink } from './tracing.ts'

/** What Prometheus reads: of this process alone, since its start. */
export interface Metrics extends TraceSink {
  readonly contentType: string
  /** The text of https://prometheus.io/docs/instrumenting/exposition_formats/ */
  render(): Promise<string>
  requestStarted(): void
  requestEnded(request: { method: string; route: string; status: number; durationMs: number }): void
  modelCalled(call: {
    model: string
    agent: string
    tier: string
    outcome: string
    durationMs: number
    usage: { inputTokens: number; outputTokens: number }
  }): void
  replied(tier: string): void
  cacheLookedUp(result: 'hit' | 'miss' | 'eviction'): void
}

/** Read when the metrics are, so that nothing has to be kept up to date. */
export interface MetricSources {
  breakers: () => Record<string, Pick<BreakerStats, 'state'>>
  /** Buffered writers by name. */
  queues: () => Record<string, { queued: number; dropped: number }>
  cacheEntries: () => number
}

const DURATION_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const BREAKER_VALUES: Record<BreakerState, number> = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 }

let ofProcess: Registry | undefined

/** Memory, CPU and garbage collection: one set however many services a process runs. */
function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  const http = httpMetrics(registry)
  const turn = turnMetrics(registry)
  const model = modelMetrics(registry)
  const cache = new Counter({
    name: 'frontdesk_cache_events_total',
    help: 'Lookups and evictions of the reply cache',
    labelNames: ['event'],
    registers: [registry],
  })
  sourceMetrics(registry, sources)
  const all = Registry.merge([processMetrics(), registry])
  return {
    contentType: all.contentType,
    render: () => all.metrics(),
    ...http,
    ...turn,
    ...model,
    cacheLookedUp: (event) => cache.inc({ event }),
  }
}

function httpMetrics(registry: Registry): Pick<Metrics, 'requestStarted' | 'requestEnded'> {
  const registers = [registry]
  const inProgress = new Gauge({ name: 'frontdesk_http_requests_in_progress', help: 'Requests under way', registers })
  const requests = new Counter({
    name: 'frontdesk_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'frontdesk_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its response',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  return {
    requestStarted: () => inProgress.inc(),
    requestEnded({ method, route, status, durationMs }) {
      inProgress.dec()
      requests.inc({ method, route, status })
      duration.observe({ route }, durationMs / 1_000)
    },
  }
}

function turnMetrics(registry: Registry): TraceSink {
  const registers = [registry]
  const turns = new Counter({
    name: 'frontdesk_turns_total',
    help: 'Turns of conversations',
    labelNames: ['channel', 'status', 'cached', 'escalated'],
    registers,
  })
  const duration = new Histogram({
    name: 'frontdesk_turn_duration_seconds',
    help: 'From a message to the end of its reply',
    labelNames: ['channel'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  return {
    record({ channel, status, cached = false, escalated = false, durationMs }: Trace) {
      turns.inc({ channel, status, cached: String(cached), escalated: String(escalated) })
      duration.observe({ channel }, durationMs / 1_000)
    },
  }
}

function modelMetrics(registry: Registry): Pick<Metrics, 'modelCalled' | 'replied'> {
  const registers = [registry]
  const calls = new Counter({
    name: 'frontdesk_model_calls_total',
    help: 'Calls of language models',
    labelNames: ['model', 'agent', 'tier', 'outcome'],
    registers,
  })
  const tokens = new Counter({
    name: 'frontdesk_model_tokens_total',
    help: 'Tokens of language models',
    labelNames: ['model', 'agent', 'direction'],
    registers,
  })
  const duration = new Histogram({
    name: 'frontdesk_model_call_duration_seconds',
    help: 'Whole calls of language models, retries included',
    labelNames: ['model'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const replies = new Counter({
    name: 'frontdesk_routed_total',
    help: 'Replies and model calls by tier; extractive: composed without a model',
    labelNames: ['tier'],
    registers,
  })
  return {
    replied: (tier) => replies.inc({ tier }),
    modelCalled({ model, agent, tier, outcome, durationMs, usage }) {
      calls.inc({ model, agent, tier, outcome })
      tokens.inc({ model, agent, direction: 'input' }, usage.inputTokens)
      tokens.inc({ model, agent, direction: 'output' }, usage.outputTokens)
      duration.observe({ model }, durationMs / 1_000)
    },
  }
}

function sourceMetrics(registry: Registry, sources: MetricSources): void {
  const registers = [registry]
  new Gauge({
    name: 'frontdesk_breaker_state',
    help: '0 closed, 1 half open, 2 open',
    labelNames: ['name'],
    registers,
    collect() {
      for (const [name, { state }] of Object.entries(sources.breakers())) this.set({ name }, BREAKER_VALUES[state])
    },
  })
  new Gauge({
    name: 'frontdesk_queued_records',
    help: 'Records that wait to be written',
    labelNames: ['queue'],
    registers,
    collect() {
      for (const [queue, { queued }] of Object.entries(sources.queues())) this.set({ queue }, queued)
    },
  })
  // A counter that others keep: it is read, not counted, here.
  new Gauge({
    name: 'frontdesk_dropped_records',
    help: 'Records dropped since the start because too many waited or they could not be written',
    labelNames: ['queue'],
    registers,
    collect() {
      for (const [queue, { dropped }] of Object.entries(sources.queues())) this.set({ queue }, dropped)
    },
  })
  new Gauge({
    name: 'frontdesk_cache_entries',
    help: 'Replies in the cache',
    registers,
    collect() {
      this.set(sources.cacheEntries())
    },
  })
}
