import { readFile } from 'node:fs/promises'
import type { Config } from './config.ts'
import {
  type Alerts,
  above,
  breakerFindingOf,
  endpointFindingOf,
  findingOf,
  type HealthCheck,
  type HealthFinding,
  hasVectorExtension,
  type Thresholds,
} from './features/observability/index.ts'
import { releaseChecks } from './features/operations/index.ts'
import type { BreakerRegistry } from './platform/breaker.ts'
import type { Clock } from './platform/clock.ts'
import { diskSpace } from './platform/disk.ts'
import type { EventLoopMonitor } from './platform/event-loop.ts'
import { type Database, findDamage, migrationStatus, ping } from './platform/postgres/index.ts'
import type { Probe, Probes } from './probing.ts'

/** What is checked by the health report and before a release, and from which values on an alert is raised. */

/** Undefined: there is no file of them. */
export interface NamedKeys {
  ring?: { list(): readonly { expiresAt: Date | null }[] } | undefined
}

export type LatestEvaluation = () => Promise<{ recallAt5: number; createdAt: Date } | null>

export function alertThresholds(config: Config): Thresholds {
  return {
    minSamples: config.ALERT_MIN_SAMPLES,
    errorRate: config.ALERT_ERROR_RATE_PERCENT / 100,
    p95LatencyMs: config.ALERT_LATENCY_MS,
    escalationRate: config.ALERT_ESCALATION_RATE_PERCENT / 100,
    lowConfidenceRate: config.ALERT_LOW_CONFIDENCE_RATE_PERCENT / 100,
    wrongKeys: config.ALERT_WRONG_KEYS,
    freeDiskShare: config.ALERT_FREE_DISK_PERCENT / 100,
    queueAgeSeconds: config.ALERT_QUEUE_AGE_SECONDS,
    tokensPerDay: config.DAILY_TOKEN_BUDGET,
  }
}

const MAX_LOOP_DELAY_MS = { degraded: 250, unhealthy: 1_000 }
/** Below, an embedded database may not be able to write. */
const MIN_FREE_DISK_PERCENT = 2

interface HealthSources {
  config: Config
  db: Database
  breakers: BreakerRegistry
  eventLoop: EventLoopMonitor
  probes: Probes
}

export function healthChecks({ config, db, breakers, eventLoop, probes }: HealthSources): HealthCheck[] {
  const dependency = (name: string, probe: Probe | null, standIn: HealthFinding): HealthCheck => ({
    name,
    critical: false,
    run: () => (probe ? endpointFindingOf(breakers.get(name).state(), probe) : standIn),
  })
  return [
    ...databaseHealth(db),
    // What stands in for these when they are not configured is part of the service itself.
    dependency('embedding', probes.embedding, { status: 'healthy', message: 'Local embedder' }),
    dependency('llm', probes.llm, { status: 'not_configured', message: 'Replies are extractive' }),
    dependency('rerank', probes.rerank, { status: 'not_configured', message: 'Built-in ranking' }),
    { name: 'business', critical: false, run: () => businessHealth(config, breakers) },
    { name: 'disk', critical: db.kind === 'embedded', run: () => diskHealth(config) },
    {
      name: 'event_loop',
      critical: false,
      run: () =>
        above(eventLoop.delayMs(), MAX_LOOP_DELAY_MS, `Timers wait up to ${Math.round(eventLoop.delayMs())} ms`),
    },
  ]
}

/** Asking a shop's own systems could change something there, so they are judged by what their calls came to, the worst first. */
function businessHealth({ BUSINESS_CONFIG }: Config, breakers: BreakerRegistry): HealthFinding {
  const own = Object.entries(breakers.stats()).filter(([name]) => name === 'business' || name.startsWith('business:'))
  const worst = (['OPEN', 'HALF_OPEN'] as const).find((state) => own.some(([, stats]) => stats.state === state))
  const message = BUSINESS_CONFIG === '' ? 'Embedded records' : 'The shop’s own systems; not probed'
  return breakerFindingOf(worst ?? 'CLOSED', true, message)
}

function databaseHealth(db: Database): HealthCheck[] {
  return [
    {
      name: 'database',
      critical: true,
      async run() {
        await ping(db)
        const damage = await findDamage(db)
        if (damage !== null) return { status: 'unhealthy', message: `${damage}. Restore a backup` }
        return { status: 'healthy', message: db.kind === 'embedded' ? 'Embedded' : 'Server' }
      },
    },
    {
      name: 'migrations',
      critical: true,
      async run() {
        const { applied, expected } = await migrationStatus(db.executor)
        const message = `${applied} of ${expected} applied`
        return { status: applied === expected ? 'healthy' : 'unhealthy', message }
      },
    },
    {
      name: 'extensions',
      critical: true,
      async run() {
        const engine = db.lexicalEngine === 'pg_textsearch' ? 'BM25 by pg_textsearch' : 'Postgres’ own text search'
        const isThere = await hasVectorExtension(db.executor)
        if (!isThere) return { status: 'unhealthy', message: 'pgvector is missing' }
        return { status: 'healthy', message: `pgvector; ${engine}` }
      },
    },
  ]
}

async function diskHealth(config: Config): Promise<ReturnType<typeof above>> {
  const usedPercent = 100 - (await freeDiskShare(config)) * 100
  const limits = { degraded: 100 - config.ALERT_FREE_DISK_PERCENT, unhealthy: 100 - MIN_FREE_DISK_PERCENT }
  return above(usedPercent, limits, `${Math.floor(100 - usedPercent)} % free`)
}

async function freeDiskShare(config: Config): Promise<number> {
  const { freeBytes, totalBytes } = await diskSpace(config.DATA_DIR)
  return freeBytes / totalBytes
}

interface ReleaseSources {
  config: Config
  db: Database
  clock: Clock
  breakers: BreakerRegistry
  alerts: Alerts
  probes: Probes
  keys: NamedKeys
  latestEvaluation: LatestEvaluation
}

export function releaseChecksOf(sources: ReleaseSources) {
  const { config, db, clock, breakers, alerts, probes, keys, latestEvaluation } = sources
  return releaseChecks({
    db,
    clock,
    pingDatabase: () => ping(db),
    migrationStatus: () => migrationStatus(db.executor),
    hasVectorExtension: () => hasVectorExtension(db.executor),
    apiKey: config.API_KEY,
    countNamedKeys: () => countValid(keys, clock.now()),
    fileRoots: config.FILE_ROOTS,
    hotQuestionMinSessions: config.HOT_QUESTION_MIN_SESSIONS,
    conversationRetentionDays: config.CONVERSATION_RETENTION_DAYS,
    probeModel: probes.llm && (async () => findingOf(await (probes.llm as Probe)())),
    breakers: () => breakers.stats(),
    latestEvaluation,
    countCriticalAlerts: () => alerts.countOpen('critical'),
    freeDiskShare: () => freeDiskShare(config),
    minFreeDiskShare: config.ALERT_FREE_DISK_PERCENT / 100,
    backupDocument: config.BACKUP_DOCUMENT,
    readDocument: (path) => readFile(path, 'utf8'),
  })
}

function countValid({ ring }: NamedKeys, now: number): number | null {
  if (!ring) return null
  return ring.list().filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > now).length
}
