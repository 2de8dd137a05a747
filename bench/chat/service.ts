import fastify from 'fastify'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Knowledge } from '../../src/features/knowledge/index.ts'
import type { App } from '../../src/http/server.ts'
import { createLog } from '../../src/platform/log.ts'
import { openDatabase } from '../../src/platform/postgres/index.ts'
import { knowledgeOver } from '../scale/knowledge.ts'

export interface Service {
  app: App
  /** The same search over the same database, without chat and HTTP. */
  knowledge: Knowledge
  port: number
  close(): Promise<void>
}

/** The whole program in this process, without a model. `databaseUrl` undefined: the embedded database in `dataDir`. */
export async function startService(dataDir: string, databaseUrl: string | undefined): Promise<Service> {
  const log = createLog('error')
  const config = readConfig({}, { DATA_DIR: dataDir, LOG_LEVEL: 'error', TRACE_MAX_COUNT: '1000000' }, '/nonexistent')
  const db = await openDatabase({ dataDir, databaseUrl, log })
  const app = await createApp(config, db, log)
  const knowledge = await knowledgeOver(db)
  await knowledge.settled()
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    knowledge,
    port: Number(new URL(address).port),
    async close() {
      await app.close()
      await knowledge.close()
      await db.close()
    },
  }
}

/** What Fastify can do at most: takes the same request and answers with bytes that are ready. */
export async function startBare(answer: string): Promise<{ port: number; close(): Promise<void> }> {
  const app = fastify()
  app.post('/api/v1/chat', async (_request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8')
    return answer
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: Number(new URL(address).port), close: () => app.close() }
}
