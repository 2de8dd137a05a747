import { open } from '../../http/auth.ts'
import type { App } from '../../http/server.ts'

/** What Prometheus reads, of this replica alone: it asks each one itself. */
export function prometheusRoutes(
  app: App,
  { metrics }: { metrics: { readonly contentType: string; render(): Promise<string> } },
): void {
  app.get('/metrics', { config: open, schema: { hide: true } }, async (_request, reply) => {
    const text = await metrics.render()
    return reply.type(metrics.contentType).send(text)
  })
}
