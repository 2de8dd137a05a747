import { readFileSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import { createAnalyser } from './ai/analysis/analyser.ts'
import { createLocalEmbedder } from './ai/embedder/local.ts'
import type { Config } from './config.ts'
import { agentAssistRoutes, createAgentAssist } from './features/agent-assist/index.ts'
import { healthRoutes } from './features/health/index.ts'
import { createKnowledge, DEFAULT_RETRIEVAL_PARAMETERS, knowledgeRoutes } from './features/knowledge/index.ts'
import { describeApi } from './http/openapi.ts'
import { type App, createHttpServer } from './http/server.ts'
import type { Database } from './platform/postgres/index.ts'

export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

const GROUPS = {
  chat: 'Customers ask, the assistant answers',
  'agent-assist': 'What people who answer customers work with',
  knowledge: 'Documents, their versions and quality',
  health: 'Liveness',
}

/** The whole program: every service in the order in which they need each other, then every group of endpoints. */
export async function createApp(config: Config, db: Database, logger: FastifyBaseLogger): Promise<App> {
  const analyser = createAnalyser({
    userDictionary: config.USER_DICTIONARY ? readFileSync(config.USER_DICTIONARY, 'utf8') : '',
  })
  const knowledge = await createKnowledge({
    db,
    analyser,
    embedders: [createLocalEmbedder({ analyser })],
    parameters: () => DEFAULT_RETRIEVAL_PARAMETERS,
    log: logger,
  })

  const agentAssist = createAgentAssist({ knowledge, log: logger })

  const app = createHttpServer({
    logger,
    apiKey: config.API_KEY,
    trustProxy: config.TRUST_PROXY,
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
  })
  await describeApi(app, { title: config.APP_NAME, version: VERSION, groups: GROUPS })
  healthRoutes(app, { name: config.APP_NAME, version: VERSION })
  agentAssistRoutes(app, { agentAssist })
  await app.register((scope) => knowledgeRoutes(scope, { knowledge, maxUploadMb: config.MAX_UPLOAD_MB }))

  app.addHook('onClose', () => knowledge.close())
  return app
}
