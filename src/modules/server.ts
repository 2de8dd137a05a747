import type { FastifyBaseLogger } from 'fastify'
import { GROUPS, VERSION } from '../about.ts'
import { listOfNames } from '../config.ts'
import { drainLimitMs } from '../http/closing.ts'
import { replayRepeats } from '../http/idempotency.ts'
import { watchRequests } from '../http/metrics.ts'
import { describeApi } from '../http/openapi.ts'
import { type App, createHttpServer } from '../http/server.ts'
import { isLoopback } from '../kernel/hosts.ts'
import { createIdempotencyStore } from '../platform/postgres/idempotency-queries.ts'
import type { openEvaluation } from './evaluation.ts'
import type { openKeys } from './keys.ts'
import type { Ground } from './module.ts'
import type { MonitoringModule } from './monitoring.ts'
import type { openPeople } from './people.ts'

export interface ServerModuleOptions {
  logger: FastifyBaseLogger
  keys: Awaited<ReturnType<typeof openKeys>>['service']
  people: Awaited<ReturnType<typeof openPeople>>['service']
  monitoring: Pick<MonitoringModule<{ reply: string }>, 'wrongKey' | 'beginRequest'>
  evaluation: Pick<ReturnType<typeof openEvaluation>, 'beginRequest'>
  /** Whether pages of an origin may ask what is for pages of others. */
  isListedOrigin(origin: string): boolean
}

/** The HTTP server, before any endpoint. */
export async function openServer(
  { config, db }: Ground,
  { logger, keys, people, monitoring, evaluation, isListedOrigin }: ServerModuleOptions,
): Promise<App> {
  const app = createHttpServer({
    logger,
    apiKey: config.API_KEY,
    keys: keys.ring,
    onKeyUsed: keys.used,
    logIns: people.logIns,
    storeChange: people.record,
    areGroupsOpen: config.OPEN_GROUPS || config.isKeyless,
    onWrongKey: monitoring.wrongKey,
    hasPublicListener: config.PUBLIC_PORT > 0,
    isListedOrigin,
    trustProxy: config.TRUST_PROXY,
    isLoopback: isLoopback(config.host),
    allowedHosts: listOfNames(config.ALLOWED_HOSTS),
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    rateLimits: {
      perAddress: config.RATE_LIMIT_PER_MINUTE,
      perUser: config.RATE_LIMIT_PER_USER_PER_MINUTE,
      perSession: config.RATE_LIMIT_PER_SESSION_PER_MINUTE,
    },
    drainTimeoutMs: drainLimitMs(config.SHUTDOWN_TIMEOUT_MS),
  })
  watchRequests(app, monitoring.beginRequest, evaluation.beginRequest)
  replayRepeats(app, createIdempotencyStore(db))
  await describeApi(app, { title: config.APP_NAME, version: VERSION, groups: GROUPS })
  return app
}
