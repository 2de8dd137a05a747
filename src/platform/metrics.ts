import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Trace } from '../kernel/tracing.ts'
import type { BreakerState, BreakerStats } from './breaker.ts'

/** Numbers that Prometheus reads: of this process alone, since its start. */
export type Metrics = ReturnType<typeof createMetrics>

interface Call {
  model: string
  agent: string
  tier: string
  outcome: string
  durationMs: number
  usage: { inputTokens: number; outputTokens: number }
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

export function createMetrics(sources: MetricSources) {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name: `frontdesk_${name}_total`, help, labelNames, registers })
  const duration = <Label extends string>(name: string, help: string, labelNames: Label[]): Histogram<Label> =>
    new Histogram({
      name: `frontdesk_${name}_duration_seconds`,
      help,
      labelNames,
      buckets: DURATION_BUCKETS,
      registers,
    })

  const inProgress = new Gauge({ name: 'frontdesk_http_requests_in_progress', help: 'Requests under way', registers })
  const requests = counter('http_requests', 'Requests answered', ['method', 'route', 'status'])
  const requestTime = duration('http_request', 'From the arrival of a request to the end of its response', ['route'])
  const turns = counter('turns', 'Turns of conversations', ['channel', 'status', 'cached', 'escalated'])
  const turnTime = duration('turn', 'From a message to the end of its reply', ['channel'])
  const calls = counter('model_calls', 'Calls of language models', ['model', 'agent', 'tier', 'outcome'])
  const tokens = counter('model_tokens', 'Tokens of language models', ['model', 'agent', 'direction'])
  const callTime = duration('model_call', 'Whole calls of language models, retries included', ['model'])
  const routed = counter('routed', 'Replies and model calls by tier; extractive: composed without a model', ['tier'])
  const cache = counter('cache_events', 'Lookups and evictions of the reply cache', ['event'])
  watchSources(registry, sources)
  const all = Registry.merge([processMetrics(), registry])
  return {
    contentType: all.contentType,
    /** The text of https://prometheus.io/docs/instrumenting/exposition_formats/ */
    render: (): Promise<string> => all.metrics(),
    requestStarted: () => inProgress.inc(),
    requestEnded(request: { method: string; route: string; status: number; durationMs: number }): void {
      const { method, route, status, durationMs } = request
      inProgress.dec()
      requests.inc({ method, route, status })
      requestTime.observe({ route }, durationMs / 1_000)
    },
    record({ channel, status, cached = false, escalated = false, durationMs }: Trace): void {
      turns.inc({ channel, status, cached: String(cached), escalated: String(escalated) })
      turnTime.observe({ channel }, durationMs / 1_000)
    },
    modelCalled({ model, agent, tier, outcome, durationMs, usage }: Call): void {
      calls.inc({ model, agent, tier, outcome })
      tokens.inc({ model, agent, direction: 'input' }, usage.inputTokens)
      tokens.inc({ model, agent, direction: 'output' }, usage.outputTokens)
      callTime.observe({ model }, durationMs / 1_000)
    },
    replied: (tier: string) => routed.inc({ tier }),
    cacheLookedUp: (event: 'hit' | 'miss' | 'eviction') => cache.inc({ event }),
  }
}

/** Gauges that are read, not kept: also of what others count. */
function watchSources(registry: Registry, { breakers, queues, cacheEntries }: MetricSources): void {
  const gauge = (name: string, help: string, label: string, read: () => [label: string, value: number][]): void => {
    new Gauge({
      name: `frontdesk_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        for (const [of, value] of read()) this.set({ [label]: of }, value)
      },
    })
  }
  gauge('breaker_state', '0 closed, 1 half open, 2 open', 'name', () =>
    Object.entries(breakers()).map(([name, { state }]) => [name, BREAKER_VALUES[state]]),
  )
  gauge('queued_records', 'Records that wait to be written', 'queue', () =>
    Object.entries(queues()).map(([queue, { queued }]) => [queue, queued]),
  )
  const lost = 'Records dropped since the start because too many waited or they could not be written'
  gauge('dropped_records', lost, 'queue', () =>
    Object.entries(queues()).map(([queue, { dropped }]) => [queue, dropped]),
  )
  new Gauge({
    name: 'frontdesk_cache_entries',
    help: 'Replies in the cache',
    registers: [registry],
    collect() {
      this.set(cacheEntries())
    },
  })
}
