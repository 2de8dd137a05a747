import { readFileSync } from 'node:fs'
import { createTokenBudget } from '../ai/model/token-limits.ts'
import { openReplyCache } from '../features/chat/index.ts'
import { createExperiments, experimentRoutes } from '../features/experiments/index.ts'
import {
  createAlerts,
  createDashboard,
  createHealth,
  createMonitoring,
  createPerformance,
  createSeries,
  createUsage,
  createWebhook,
  type EndRequest,
  evaluateAlerts,
  type HealthSources,
  healthChecks,
  type LatestEvaluation,
  monitoringRoutes,
  NO_PRICES,
  type Performance,
  parsePrices,
  releaseChecks,
  runChecklist,
  shareBreakers,
} from '../features/monitoring/index.ts'
import type { Tuner } from '../features/tuning/index.ts'
import type { WatchedRequest } from '../http/metrics.ts'
import type { App } from '../http/server.ts'
import { AppError } from '../kernel/errors.ts'
import { sharedReading } from '../kernel/shared-reading.ts'
import { type BatchWriterOptions, createBatchWriter } from '../platform/batch-writer.ts'
import { createBreakerRegistry } from '../platform/breaker.ts'
import type { Clock } from '../platform/clock.ts'
import { diskSpace } from '../platform/disk.ts'
import { watchEventLoop } from '../platform/event-loop.ts'
import { every } from '../platform/interval.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { createOtlpExporter } from '../platform/otlp.ts'
import { ping } from '../platform/postgres/index.ts'
import { openPseudonyms } from '../platform/pseudonyms.ts'
import { combineSinks, createTraceSink } from '../platform/trace-sink.ts'
import type { Ground } from './module.ts'
import { createProbes } from './probing.ts'

/** How the service watches itself: traces, counts, breakers, alerts, health, usage, experiments. */

export interface TelemetryOptions extends Ground {
  version: string
}

export type Telemetry = ReturnType<typeof openTelemetry>

const DAY_MS = 86_400_000
const EVALUATE_MS = 60_000
const PING_MS = 10_000

/** Things that everything else needs from the start: breakers that raise alerts, and where usage and traces go. */
export function openTelemetry(options: TelemetryOptions) {
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
  const prices = readPrices(config.PRICES_FILE)
  const usage = createUsage({ db, clock, openWriter: writer('model_calls'), prices })
  const monitoring = createMonitoring({
    db,
    clock,
    openSink: (store) => createTraceSink({ name: 'traces', store, log }),
    retentionMs: config.TRACE_RETENTION_DAYS * DAY_MS,
  })
  const series = createSeries({
    db,
    clock,
    prices,
    flush: async () => void (await Promise.all([monitoring.flush(), usage.flush()])),
  })
  const probes = createProbes(config, clock)
  return { ...options, probes, breakers, alerts, usage, monitoring, series, webhook, writer, otlp: openOtlp(options) }
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

function openOtlp({ config, version, log }: TelemetryOptions) {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return null
  return createOtlpExporter({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: config.APP_NAME,
    serviceVersion: version,
    log,
  })
}

/** The means by which the rest of the service is watched. */
export interface MonitoringOptions {
  tuner: Tuner
  assistant: Parameters<typeof openReplyCache>[0]['assistant']
  knowledge: { onChange(listener: (docId: string) => void): void }
  analyser: { words(text: string): string[] }
}

export type MonitoringModule<Reply extends { reply: string }> = Awaited<ReturnType<typeof openMonitoring<Reply>>>

/** Named keys as far as the release checklist asks for them; no ring: there is no file of them. */
interface NamedKeys {
  ring?: { list(): readonly { expiresAt: Date | null }[] } | undefined
}

/** Starts counting and judging. `routes` registers the open groups of endpoints, `close` writes what still waits. */
export async function openMonitoring<Reply extends { reply: string }>(
  telemetry: Telemetry,
  options: MonitoringOptions,
) {
  const { config, db, clock, alerts, usage, monitoring, series, otlp } = telemetry
  const { metrics, performance, replyCache, experiments } = await startCounting<Reply>(telemetry, options)
  const tokenBudget = createTokenBudget({
    tokensPerDay: config.DAILY_TOKEN_BUDGET,
    readUsed: async () => (await usage.report('day')).total.totalTokens,
  })
  await tokenBudget.refresh()
  const periodic = [tokenBudget.refresh, experiments.settle, series.refresh]
  const { health, evaluate, stop } = startJudging(telemetry, performance, periodic)
  const unused = new Set(unusedBreakers(telemetry))
  const sharedBreakers = await shareBreakers(db, telemetry.breakers, (name) => !unused.has(name))
  const pseudonym = await openPseudonyms(db)
  const dashboard = createDashboard({
    db,
    clock,
    averageTurnMs: async () => (await monitoring.overview()).avgDurationMs,
    keyOf: replyCache.keyOf,
    minSessions: config.HOT_QUESTION_MIN_SESSIONS,
  })
  const sinks = [metrics, monitoring.sink, experiments.sink, ...(otlp ? [otlp] : [])]

  return {
    /** Of every finished turn. */
    traces: combineSinks(...sinks),
    /** Of every reply: which tier made it. */
    tiers: performance.tiers,
    replyCache,
    /** Drops what this replica remembers of conversations: replies, and questions that were shown. */
    forget(): void {
      replyCache.clear()
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
    evaluate,

    routes(app: App, others: { keys: NamedKeys; latestEvaluation: LatestEvaluation }): void {
      monitoringRoutes(app, {
        ...looksOf(telemetry, health, others),
        pseudonym,
        performance,
        invalidateCache: replyCache.invalidate,
        breakers: sharedBreakers,
        dashboard,
        metrics,
      })
      experimentRoutes(app, { experiments })
    },

    async close(): Promise<void> {
      await stop()
      await Promise.all([sharedBreakers.close(), replyCache.close(), experiments.close(), monitoring.close()])
      await Promise.all([performance.close(), usage.close(), alerts.close(), otlp?.close()])
      await telemetry.webhook?.close()
    },
  }
}

/** Names of breakers before which nobody has set anything up. */
function unusedBreakers({ config, probes }: Telemetry): string[] {
  const { BUSINESS_CONFIG, WECHAT_TOKEN, DINGTALK_APP_SECRET } = config
  const isSet = {
    ...Object.fromEntries(Object.entries(probes).map(([name, probe]) => [name, probe !== null])),
    business: BUSINESS_CONFIG !== '',
    wechat: WECHAT_TOKEN !== '',
    dingtalk: DINGTALK_APP_SECRET !== '',
  }
  return Object.entries(isSet).flatMap(([name, isThere]) => (isThere ? [] : [name]))
}

/** The parts of the endpoints that were there from the start, and the checks that look at all of them. */
function looksOf(
  { config, db, clock, breakers, alerts, usage, monitoring, series }: Telemetry,
  health: ReturnType<typeof healthChecks>,
  { keys, latestEvaluation }: { keys: NamedKeys; latestEvaluation: LatestEvaluation },
) {
  const namedKeys = () => keys.ring?.list()
  const checks = releaseChecks({ settings: config, db, clock, health, namedKeys, breakers, alerts, latestEvaluation })
  return {
    monitoring,
    alerts,
    usage,
    series,
    clock,
    seriesDays: config.SERIES_RETENTION_DAYS,
    health: createHealth(health, clock),
    releaseChecklist: sharedReading(() => runChecklist(checks)),
  }
}

/** Parts that count and keep: metrics, the reply cache, experiments. */
async function startCounting<Reply extends { reply: string }>(
  telemetry: Telemetry,
  { tuner, assistant, knowledge, analyser }: MonitoringOptions,
) {
  const { config, db, clock, log, breakers, usage, monitoring, otlp } = telemetry
  const metrics = createMetrics({
    breakers: () => breakers.stats(),
    queues: () => ({
      traces: monitoring.queue(),
      model_calls: usage.queue(),
      experiments: experiments.queue(),
      ...(otlp ? { otlp: otlp.stats() } : {}),
    }),
    cacheEntries: () => replyCache.entries(),
  })
  const performance = createPerformance({
    db,
    clock,
    log,
    windowMs: config.METRICS_WINDOW_SECONDS * 1_000,
    cache() {
      const { cache_max_entries: capacity, cache_ttl_seconds: ttlSeconds } = tuner.current().params
      return { entries: replyCache.entries(), capacity, ttlSeconds }
    },
    onTier: metrics.replied,
  })
  const replyCache = await openReplyCache<Reply>({
    db,
    clock,
    analyser,
    tuner,
    assistant,
    knowledge,
    textOf: ({ reply }) => reply,
    count(event) {
      performance.counters.add('cache', event)
      metrics.cacheLookedUp(event)
    },
  })
  const experiments = await createExperiments({ db, clock, openWriter: telemetry.writer('experiments'), tuner, log })
  return { metrics, performance, replyCache, experiments }
}

/** Parts that look at the counts from time to time: alert rules, health. */
function startJudging(telemetry: Telemetry, { counters }: Performance, more: (() => Promise<void>)[]) {
  const { config, db, clock, log, breakers, alerts, usage, monitoring } = telemetry
  const eventLoop = watchEventLoop()
  async function freeDiskShare(): Promise<number> {
    const { freeBytes, totalBytes } = await diskSpace(config.DATA_DIR)
    return freeBytes / totalBytes
  }
  const evaluate = () =>
    evaluateAlerts({
      db,
      clock,
      breakers,
      alerts,
      async readings(windowMs) {
        const [{ count }, turns, freeShare, { total }] = await Promise.all([
          counters.window(windowMs),
          monitoring.turnStats(windowMs),
          freeDiskShare(),
          usage.report('day'),
        ])
        const requests = { done: count('request', 'done'), failed: count('request', 'failed') }
        const wrongKeys = count('key', 'wrong')
        return { requests, turns, wrongKeys, freeDiskShare: freeShare, tokensPerDay: total.totalTokens }
      },
      thresholds: config,
      windowMs: config.ALERT_WINDOW_MINUTES * 60_000,
      intervalMs: EVALUATE_MS,
    })
  const tasks = [
    every(EVALUATE_MS, () => evaluate().finally(eventLoop.reset), log),
    ...more.map((work) => every(EVALUATE_MS, work, log)),
    every(PING_MS, () => breakers.get('database').run(() => ping(db)), log),
  ]
  async function stop(): Promise<void> {
    await Promise.all(tasks.map((task) => task.stop()))
    eventLoop.stop()
  }
  const sources: HealthSources = {
    settings: config,
    db,
    breakers,
    eventLoop,
    probes: telemetry.probes,
    freeDiskShare,
  }
  return { health: healthChecks(sources), evaluate, stop }
}

/** Counts a request; the returned function ends it. */
function beginRequest(
  request: WatchedRequest,
  { clock, metrics, performance }: { clock: Clock; metrics: Metrics; performance: Performance },
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
