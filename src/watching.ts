import { readFileSync } from 'node:fs'
import { createTokenBudget } from './ai/model/token-limits.ts'
import type { Config } from './config.ts'
import { createMonitoring, monitoringRoutes } from './features/monitoring/index.ts'
import {
  createAlerts,
  createObservability,
  createUsage,
  createWebhook,
  NO_PRICES,
  observabilityRoutes,
  parsePrices,
  prometheusRoutes,
} from './features/observability/index.ts'
import {
  createDashboard,
  createExperiments,
  type Experiments,
  operationsRoutes,
  runChecklist,
} from './features/operations/index.ts'
import {
  countOf,
  createPerformance,
  type EndRequest,
  type Performance,
  performanceRoutes,
} from './features/performance/index.ts'
import { findProblems, type Tuner } from './features/tuner/index.ts'
import type { WatchedRequest } from './http/metrics.ts'
import type { App } from './http/server.ts'
import { AppError } from './kernel/errors.ts'
import { sharedReading } from './kernel/shared-reading.ts'
import { type BatchWriterOptions, createBatchWriter } from './platform/batch-writer.ts'
import { createBreakerRegistry } from './platform/breaker.ts'
import type { Clock } from './platform/clock.ts'
import { diskSpace } from './platform/disk.ts'
import { watchEventLoop } from './platform/event-loop.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { createOtlpExporter } from './platform/otlp.ts'
import { every } from './platform/periodic.ts'
import { type Database, ping } from './platform/postgres/index.ts'
import { openPseudonyms } from './platform/pseudonyms.ts'
import { combineSinks, createTraceSink } from './platform/trace-sink.ts'
import { createProbes, type Probes } from './probing.ts'
import {
  alertThresholds,
  healthChecks,
  type LatestEvaluation,
  type NamedKeys,
  releaseChecksOf,
} from './watching-checks.ts'

/** How the service watches itself: traces, counts, breakers, alerts, health, usage, experiments. */

export interface WatchOptions {
  config: Config
  db: Database
  clock: Clock
  version: string
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
}

export type Watch = ReturnType<typeof openWatch>

const DAY_MS = 86_400_000
const EVALUATE_MS = 60_000
const PING_MS = 10_000

/** What everything else needs from the start: breakers that raise alerts, and where usage and traces go. */
export function openWatch(options: WatchOptions) {
  const { config, db, clock, log } = options
  const writer = <T>(name: string, extra: Partial<BatchWriterOptions<T>> = {}) => {
    return (write: BatchWriterOptions<T>['write']) => createBatchWriter<T>({ name, write, log, ...extra })
  }
  const breakers = createBreakerRegistry({ clock, onChange: (change) => alerts.breakerChanged(change) })
  const webhook =
    config.ALERT_WEBHOOK_URL === ''
      ? null
      : createWebhook({ url: config.ALERT_WEBHOOK_URL, breaker: breakers.get('alert_webhook'), log })
  const alerts = createAlerts({
    db,
    clock,
    // One at a time, or a step that has to wait would let later ones overtake it.
    openWriter: writer('alerts', { maxBatch: 1, maxQueued: 1_000 }),
    send: (message) => webhook?.send(message),
  })
  const usage = createUsage({ db, clock, openWriter: writer('model_calls'), prices: readPrices(config.PRICES_FILE) })
  const monitoring = createMonitoring({
    db,
    clock,
    openSink: (store) => createTraceSink({ name: 'traces', store, log }),
    retentionMs: config.TRACE_RETENTION_DAYS * DAY_MS,
  })
  return { ...options, breakers, alerts, usage, monitoring, webhook, writer, otlp: openOtlp(options) }
}

function readPrices(path: string) {
  if (path === '') return NO_PRICES
  try {
    return parsePrices(readFileSync(path, 'utf8'))
  } catch (cause) {
    const [reason = ''] = (cause as Error).message.split('\n')
    const named = reason.startsWith('PRICES_FILE') ? reason : `PRICES_FILE: ${reason}`
    throw new AppError('invalid', 'prices', named, { cause })
  }
}

function openOtlp({ config, version, log }: WatchOptions) {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return null
  return createOtlpExporter({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: config.APP_NAME,
    serviceVersion: version,
    log,
  })
}

/** What the rest of the service is watched through. */
export interface Watched {
  tuner: Tuner
  knowledge: { onChange(listener: (docId: string) => void): void }
  analyser: { words(text: string): string[] }
}

export type Watching<Reply extends { reply: string }> = Awaited<ReturnType<typeof startWatching<Reply>>>

/** Starts counting and judging. `routes` registers the open groups of endpoints, `close` writes what still waits. */
export async function startWatching<Reply extends { reply: string }>(watch: Watch, watched: Watched) {
  const { config, db, clock, breakers, alerts, usage, monitoring, otlp } = watch
  const counting = await startCounting<Reply>(watch, watched)
  const { metrics, performance, experiments } = counting
  const tokenBudget = createTokenBudget({
    tokensPerDay: config.DAILY_TOKEN_BUDGET,
    readUsed: async () => (await usage.report('day')).total.totalTokens,
  })
  await tokenBudget.refresh()
  const probes = createProbes(config, clock)
  const { observability, stop } = await startJudging(watch, { ...counting, probes }, tokenBudget.refresh)
  const pseudonym = await openPseudonyms(db)
  const dashboard = createDashboard({
    db,
    clock,
    keyOf: performance.keyOf,
    minSessions: config.HOT_QUESTION_MIN_SESSIONS,
  })
  const sinks = [metrics, monitoring.sink, experiments.sink, ...(otlp ? [otlp] : [])]

  return {
    /** Of every finished turn. */
    traces: combineSinks(...sinks),
    /** Of every reply: which tier made it. */
    tiers: performance.tiers,
    replyCache: performance.cache,
    /** Drops what this replica remembers of conversations: replies, and questions that were shown. */
    forget(): void {
      performance.forget()
      dashboard.forget()
    },
    experiments,
    /** Both for the chat model: what it may use, and what it used. */
    tokenBudget,
    onCall: (call: Parameters<typeof usage.onCall>[0]): void => {
      usage.onCall(call)
      tokenBudget.add(call)
      metrics.modelCalled(call)
    },
    /** For the HTTP server: a wrong key was sent. */
    wrongKey: (): void => performance.counters.add('key', 'wrong'),
    /** For the HTTP server. */
    beginRequest: (request: WatchedRequest) => beginRequest(request, { clock, metrics, performance }),
    evaluate: observability.evaluate,

    routes(app: App, more: { keys: NamedKeys; latestEvaluation: LatestEvaluation }): void {
      const checks = releaseChecksOf({ config, db, clock, breakers, alerts, probes, ...more })
      performanceRoutes(app, { performance, windowMs: config.METRICS_WINDOW_SECONDS * 1_000 })
      observabilityRoutes(app, { observability, pseudonym })
      monitoringRoutes(app, { monitoring, pseudonym })
      operationsRoutes(app, {
        operations: { experiments, dashboard, releaseChecklist: sharedReading(() => runChecklist(checks)) },
      })
      prometheusRoutes(app, { metrics })
    },

    async close(): Promise<void> {
      await stop()
      await Promise.all([performance.close(), experiments.close(), monitoring.close()])
      await Promise.all([usage.close(), alerts.close(), otlp?.close()])
      await watch.webhook?.close()
    },
  }
}

/** What counts and keeps: metrics, the reply cache, experiments. */
async function startCounting<Reply extends { reply: string }>(watch: Watch, { tuner, knowledge, analyser }: Watched) {
  const { config, db, clock, log, breakers, usage, monitoring, otlp } = watch
  const metrics = createMetrics({
    breakers: () => breakers.stats(),
    queues: () => ({
      traces: monitoring.queue(),
      model_calls: usage.queue(),
      experiments: experiments.queue(),
      ...(otlp ? { otlp: otlp.stats() } : {}),
    }),
    cacheEntries: () => performance.cache.entries(),
  })
  const performance = await createPerformance<Reply>({
    db,
    clock,
    analyser,
    tuner,
    knowledge,
    textOf: ({ reply }) => reply,
    windowMs: config.METRICS_WINDOW_SECONDS * 1_000,
    log,
    onCache: metrics.cacheLookedUp,
    onTier: metrics.replied,
  })
  const experiments = await createExperiments({
    db,
    clock,
    openWriter: watch.writer('experiments'),
    findParameterProblems: (params) => findProblems(params, tuner.current().params),
    log,
  })
  return { metrics, performance, experiments }
}

/** What looks at the counts from time to time: alert rules, health. */
async function startJudging(watch: Watch, { performance, experiments, probes }: Judged, refresh: () => Promise<void>) {
  const { config, db, clock, log, breakers, alerts, usage, monitoring } = watch
  const eventLoop = watchEventLoop()
  const observability = await createObservability({
    db,
    clock,
    breakers,
    alerts,
    usage,
    async readings(windowMs) {
      const [counts, turns, { freeBytes, totalBytes }] = await Promise.all([
        performance.counters.window(windowMs),
        monitoring.turnStats(windowMs),
        diskSpace(config.DATA_DIR),
      ])
      const requests = { done: countOf(counts, 'request', 'done'), failed: countOf(counts, 'request', 'failed') }
      return { requests, turns, wrongKeys: countOf(counts, 'key', 'wrong'), freeDiskShare: freeBytes / totalBytes }
    },
    thresholds: alertThresholds(config),
    windowMs: config.ALERT_WINDOW_MINUTES * 60_000,
    intervalMs: EVALUATE_MS,
    checks: healthChecks({ config, db, breakers, eventLoop, probes }),
    log,
  })
  const tasks = [
    every(EVALUATE_MS, () => observability.evaluate().finally(eventLoop.reset), log),
    every(EVALUATE_MS, refresh, log),
    every(EVALUATE_MS, () => experiments.settle(), log),
    every(PING_MS, () => breakers.get('database').run(() => ping(db)), log),
  ]
  async function stop(): Promise<void> {
    await Promise.all(tasks.map((task) => task.stop()))
    eventLoop.stop()
    await observability.close()
  }
  return { observability, stop }
}

interface Judged {
  performance: Counted
  experiments: Pick<Experiments, 'settle'>
  probes: Probes
}

type Counted = Pick<Performance<{ reply: string }>, 'counters' | 'beginRequest'>

/** Counts a request; the returned function ends it. */
function beginRequest(
  request: WatchedRequest,
  { clock, metrics, performance }: { clock: Clock; metrics: Metrics; performance: Counted },
): EndRequest {
  // Event streams stay open for hours: they are no requests under way.
  const isOwnWork = !request.isOpen && !request.route.endsWith('/events')
  const end = isOwnWork ? performance.beginRequest(request) : () => {}
  const startedAt = clock.now()
  metrics.requestStarted()
  return (status) => {
    end(status)
    metrics.requestEnded({ ...request, status, durationMs: clock.now() - startedAt })
  }
}
