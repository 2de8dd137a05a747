import type { Reachability } from '../../../ai/probe.ts'
import type { BreakerRegistry } from '../../../platform/breaker.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { above, breakerFindingOf, endpointFindingOf } from './findings.ts'
import type { HealthCheck, HealthFinding } from './health.ts'
import { findDamage, hasVectorExtension, migrationStatus, ping } from './queries.ts'

export interface HealthSources {
  settings: { BUSINESS_CONFIG: string; ALERT_FREE_DISK_PERCENT: number }
  db: Database
  breakers: BreakerRegistry
  eventLoop: { delayMs(): number }
  /** How the endpoints are asked whether they are there; null: not configured. */
  probes: Record<'llm' | 'embedding' | 'rerank', (() => Promise<Reachability>) | null>
  /** 0..1 */
  freeDiskShare: () => Promise<number>
}

const MAX_LOOP_DELAY_MS = { degraded: 250, unhealthy: 1_000 }
/** Below, an embedded database may not be able to write. */
const MIN_FREE_DISK_PERCENT = 2

/** The checks of `GET /observability/health`, in its order. */
export function healthChecks(sources: HealthSources): HealthCheck[] {
  const { db, breakers, eventLoop, probes } = sources
  const dependency = (name: keyof typeof probes, standIn: HealthFinding): HealthCheck => {
    const probe = probes[name]
    return check(name, false, () => (probe ? endpointFindingOf(breakers.get(name).state(), probe) : standIn))
  }
  return [
    ...databaseChecks(db),
    // Stand-ins for these, where they are not configured, are part of the service itself.
    dependency('embedding', { status: 'healthy', message: 'Local embedder', zh: '内置向量' }),
    dependency('llm', { status: 'not_configured', message: 'Replies are extractive', zh: '回答取自知识库原文' }),
    dependency('rerank', { status: 'not_configured', message: 'Built-in ranking', zh: '内置排序' }),
    check('business', false, () => businessHealth(sources)),
    check('disk', db.kind === 'embedded', () => diskHealth(sources)),
    check('event_loop', false, () => {
      const delayMs = eventLoop.delayMs()
      return above(
        delayMs,
        MAX_LOOP_DELAY_MS,
        `Timers wait up to ${Math.round(delayMs)} ms`,
        `定时器最多延迟 ${Math.round(delayMs)} 毫秒`,
      )
    }),
  ]
}

function databaseChecks(db: Database): HealthCheck[] {
  return [
    check('database', true, async () => {
      await ping(db)
      const damage = await findDamage(db)
      if (damage !== null)
        return { status: 'unhealthy', message: `${damage}. Restore a backup`, zh: `${damage}。请恢复备份` }
      return db.kind === 'embedded'
        ? { status: 'healthy', message: 'Embedded', zh: '内嵌数据库' }
        : { status: 'healthy', message: 'Server', zh: '数据库服务器' }
    }),
    check('migrations', true, async () => {
      const { applied, expected } = await migrationStatus(db.executor)
      const message = `The database holds ${applied} of ${expected} migrations`
      const zh = `数据库已应用 ${applied} / ${expected} 个迁移`
      return { status: applied === expected ? 'healthy' : 'unhealthy', message, zh }
    }),
    check('extensions', true, async () => {
      const engine = db.lexicalEngine === 'pg_textsearch' ? 'BM25 by pg_textsearch' : 'Postgres’ own text search'
      const engineZh = db.lexicalEngine === 'pg_textsearch' ? 'pg_textsearch 的 BM25' : 'Postgres 自带的文本检索'
      const isThere = await hasVectorExtension(db.executor)
      if (!isThere) {
        return {
          status: 'unhealthy',
          message: 'The database lacks the pgvector extension',
          zh: '数据库缺少 pgvector 扩展',
        }
      }
      return { status: 'healthy', message: `pgvector; ${engine}`, zh: `pgvector；${engineZh}` }
    }),
  ]
}

/** Asking a shop's own systems could change something there, so they are judged by what their calls came to, the worst first. */
function businessHealth({ settings, breakers }: HealthSources): HealthFinding {
  const own = Object.entries(breakers.stats()).filter(([name]) => name === 'business' || name.startsWith('business:'))
  const worst = (['OPEN', 'HALF_OPEN'] as const).find((state) => own.some(([, stats]) => stats.state === state))
  const [message, zh] =
    settings.BUSINESS_CONFIG === ''
      ? ['Embedded records', '内置记录']
      : ['The shop’s own systems; not probed', '商店自己的系统，未探测']
  return breakerFindingOf(worst ?? 'CLOSED', true, message, zh)
}

async function diskHealth({ settings, freeDiskShare }: HealthSources): Promise<HealthFinding> {
  const usedPercent = 100 - (await freeDiskShare()) * 100
  const limits = { degraded: 100 - settings.ALERT_FREE_DISK_PERCENT, unhealthy: 100 - MIN_FREE_DISK_PERCENT }
  const free = Math.floor(100 - usedPercent)
  return above(usedPercent, limits, `${free} % of the disk is free`, `磁盘剩余 ${free}%`)
}

function check(name: string, critical: boolean, run: HealthCheck['run']): HealthCheck {
  return { name, critical, run }
}
