import type { Static } from 'typebox'
import type { Knowledge } from '../features/knowledge/index.ts'
import { createOutbound } from '../features/orders/index.ts'
import { type RunKind, runRoutes } from '../features/runs/index.ts'
import { createWebsiteImports, WebsiteBody, type WebsiteImports, websiteRoutes } from '../features/website/index.ts'
import type { App } from '../http/server.ts'
import { createExclusiveJob } from '../platform/exclusive-job.ts'
import type { Ground } from './module.ts'

const MAX_PAGE_BYTES = 5 * 1_048_576
const PAUSE_MS = 100

/** Pages of websites, which are read by the rules for everything that leaves the service. */
export function openWebsite({ config, db, log }: Ground, { knowledge }: { knowledge: Knowledge }) {
  const allowHosts = config.WEBSITE_IMPORT_HOSTS.split(',').map((host) => host.trim().toLowerCase())
  const outbound = createOutbound({ allowHosts: allowHosts.filter(Boolean), maxBytes: MAX_PAGE_BYTES })
  const website = createWebsiteImports({
    db,
    fetch: outbound.fetch,
    ingest: knowledge.ingest,
    job: createExclusiveJob(db, 'website import', log),
    pauseMs: PAUSE_MS,
    log,
  })
  return {
    routes(app: App): void {
      app.addHook('preClose', () => website.close())
      runRoutes(app, websiteRuns(website))
      websiteRoutes(app, { website })
    },
    close: outbound.close,
  }
}

function websiteRuns(website: WebsiteImports): RunKind {
  return {
    path: '/api/v1/knowledge/import/website',
    tag: 'knowledge',
    what: 'an import of a website',
    body: WebsiteBody,
    stages: ['reading'],
    resultPath: (reportId) => `/api/v1/knowledge/import/website/reports/${reportId}`,
    runs: website.runs,
    start: (body, by) => {
      const { url, sitemap = null, limit, path_prefix: pathPrefix = '/' } = body as Static<typeof WebsiteBody>
      return website.start({ url, sitemap, limit, pathPrefix }, by)
    },
  }
}
