import type { FastifyBaseLogger } from 'fastify'
import { GROUPS, VERSION } from './about.ts'
import { openAnalyser } from './analysing.ts'
import { DEFAULT_POLICY } from './business/policy.ts'
import { type Config, listOfHosts, listOfPaths, readEnvironment } from './config.ts'
import { createConversing } from './conversing.ts'
import { createEmbedders } from './embedders.ts'
import { createEvaluating } from './evaluating.ts'
import { businessRoutes, createBusiness } from './features/business/index.ts'
import { type CachedReply, chatRoutes, loadUnderstand, rewriteFollowUp } from './features/chat/index.ts'
import { healthRoutes } from './features/health/index.ts'
import { createKeys, keyRoutes } from './features/keys/index.ts'
import { createKnowledge, findServedEmbedder, knowledgeRoutes, readQualityLists } from './features/knowledge/index.ts'
import { privacyRoutes } from './features/privacy/index.ts'
import { createTuner } from './features/tuner/index.ts'
import { createUpdates, updateRoutes } from './features/updates/index.ts'
import { drainLimitMs } from './http/closing.ts'
import { replayRepeats } from './http/idempotency.ts'
import { watchRequests } from './http/metrics.ts'
import { describeApi } from './http/openapi.ts'
import { type App, createHttpServer } from './http/server.ts'
import { createKeeping } from './keeping.ts'
import { isLoopback } from './kernel/hosts.ts'
import { createModel } from './model.ts'
import { createPeople } from './people.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { createExclusiveJob } from './platform/exclusive-job.ts'
import { createFiles } from './platform/files.ts'
import { createLiveEvents } from './platform/live-events.ts'
import { createIdempotencyStore } from './platform/postgres/idempotency-queries.ts'
import type { Database } from './platform/postgres/index.ts'
import { createReranker } from './reranking.ts'
import { openWatch, startWatching } from './watching.ts'
import { answerThresholds, retrievalParameters } from './wiring.ts'

/** The whole program: every service in the order in which they need each other, then every group of endpoints. */
export async function createApp(
  config: Config,
  db: Database,
  logger: FastifyBaseLogger,
  clock: Clock = systemClock,
): Promise<App> {
  const { analyser, userDictionary } = openAnalyser(config)
  const watch = openWatch({ config, db, clock, version: VERSION, log: logger })
  const { breakers, alerts } = watch
  const tuner = await createTuner({ db, log: logger })
  const knowledge = await createKnowledge({
    db,
    analyser,
    embedders: await createEmbedders({
      config,
      analyser,
      breaker: breakers.get('embedding'),
      served: await findServedEmbedder(db.executor),
      log: logger,
    }),
    reranker: createReranker({ config, breaker: breakers.get('rerank'), log: logger }),
    parameters: () => retrievalParameters(tuner.current().params),
    qualityLists: readQualityLists({
      glossary: config.GLOSSARY_FILE,
      sensitiveWords: listOfPaths(config.SENSITIVE_WORDS_FILES),
      userDictionary,
    }),
    log: logger,
  })

  const live = await createLiveEvents(db)
  const watching = await startWatching<CachedReply>(watch, { tuner, knowledge, analyser })
  const { tiers, onCall } = watching
  const model = createModel({ config, breaker: breakers.get('llm'), tiers, onCall, budget: watching.tokenBudget })
  const business = createBusiness({
    db,
    configPath: config.BUSINESS_CONFIG,
    environment: readEnvironment(),
    breakers,
    policy: DEFAULT_POLICY,
    clock,
    log: logger,
  })
  const understand = await loadUnderstand()
  const shared = { db, live, knowledge, tuner, understand, clock, log: logger }
  const maxTokensPerReply = config.MAX_TOKENS_PER_REPLY
  const chat = createConversing({
    ...shared,
    identity: config.SESSION_IDENTITY,
    analyser,
    business,
    model,
    maxTokensPerReply,
    watching,
  })
  const updates = createUpdates({
    db,
    knowledge,
    files: createFiles(listOfPaths(config.FILE_ROOTS)),
    job: createExclusiveJob(db, 'update', logger),
    maxFileBytes: config.MAX_UPLOAD_MB * 1_048_576,
    log: logger,
  })
  const evaluating = createEvaluating({
    config,
    db,
    knowledge,
    tuner,
    understand,
    rewriteFollowUp,
    terms: analyser,
    log: logger,
  })
  const people = createPeople({
    config,
    db,
    live,
    clock,
    breakers,
    alerts,
    knowledge,
    business,
    chat,
    understand,
    terms: analyser,
    userDictionary,
    thresholds: () => answerThresholds(tuner.current().params),
    addEvaluationCase: (executor, { query, source, category }) =>
      evaluating.evaluation.testsets.addCase(executor, { query, expectedSources: [source], category }),
    log: logger,
  })

  const privacy = await createKeeping({ config, db, clock, forget: watching.forget, log: logger })
  const keys = await createKeys({
    db,
    clock,
    path: config.API_KEYS_FILE,
    hasApiKey: config.API_KEY !== '',
    log: logger,
  })
  const app = createHttpServer({
    logger,
    apiKey: config.API_KEY,
    keys: keys.ring,
    onKeyUsed: keys.used,
    onWrongKey: watching.wrongKey,
    trustProxy: config.TRUST_PROXY,
    isLoopback: isLoopback(config.host),
    allowedHosts: listOfHosts(config.ALLOWED_HOSTS),
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    rateLimits: {
      perAddress: config.RATE_LIMIT_PER_MINUTE,
      perUser: config.RATE_LIMIT_PER_USER_PER_MINUTE,
      perSession: config.RATE_LIMIT_PER_SESSION_PER_MINUTE,
    },
    drainTimeoutMs: drainLimitMs(config.SHUTDOWN_TIMEOUT_MS),
  })
  watchRequests(app, watching.beginRequest, evaluating.beginRequest)
  replayRepeats(app, createIdempotencyStore(db))
  await describeApi(app, { title: config.APP_NAME, version: VERSION, groups: GROUPS })
  healthRoutes(app, { name: config.APP_NAME, version: VERSION })
  await evaluating.routes(app)
  chatRoutes(app, { chat })
  await people.routes(app)
  watching.routes(app, { keys, latestEvaluation: evaluating.evaluation.latest })
  await app.register((scope) => knowledgeRoutes(scope, { knowledge, maxUploadMb: config.MAX_UPLOAD_MB }))
  updateRoutes(app, { updates })
  keyRoutes(app, { keys })
  await app.register((scope) => businessRoutes(scope, { business, maxUploadMb: config.MAX_UPLOAD_MB }))
  privacyRoutes(app, { privacy })

  app.addHook('onClose', async () => {
    await privacy.close()
    await Promise.all([people.close(), evaluating.close()])
    await Promise.all([knowledge.close(), tuner.close(), live.close(), business.close(), keys.close()])
    await watching.close()
  })
  return app
}
