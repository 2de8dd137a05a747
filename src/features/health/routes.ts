import { Type } from 'typebox'
import { open } from '../../http/auth.ts'
import { Timestamp } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'

const HealthResponse = Type.Object({
  status: Type.String({ examples: ['ok'] }),
  app: Type.String(),
  version: Type.String(),
  timestamp: Timestamp,
})

/** Liveness only: it answers while the process can answer, whatever its dependencies do. */
export function healthRoutes(app: App, about: { name: string; version: string }): void {
  const schema = { summary: 'Liveness probe', tags: ['health'], response: { 200: HealthResponse } }
  app.get('/api/v1/health', { schema, config: open }, async () => ({
    status: 'ok',
    app: about.name,
    version: about.version,
    timestamp: new Date().toISOString(),
  }))
}
