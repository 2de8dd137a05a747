import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { ReportBody, ReportParams } from './schemas.ts'
import type { WebsiteImports } from './service.ts'

/** Findings of an import; the runs themselves are shown like those of other jobs. */
export function websiteRoutes(app: App, { website }: { website: WebsiteImports }): void {
  app.get(
    '/api/v1/knowledge/import/website/reports/:report_id',
    {
      schema: {
        summary: 'What an import of a website did',
        tags: ['knowledge'],
        params: ReportParams,
        response: { 200: ReportBody, ...errors(401, 404, 422) },
      },
    },
    async ({ params }) => toSnakeCase(await website.report(params.report_id)),
  )
}
