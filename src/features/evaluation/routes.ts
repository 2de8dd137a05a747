import { acceptUploads } from '../../http/multipart.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { presentComparison, presentReport, presentSummary } from './present.ts'
import {
  CompareQuery,
  CompareWithQuery,
  ComparisonBody,
  ReportBody,
  ReportList,
  ReportParams,
  ReportsQuery,
  RunRequest,
  StatusBody,
} from './schemas.ts'
import type { Evaluation } from './service.ts'
import { testsetRoutes } from './testset-routes.ts'

const tags = ['evaluation']

type EvaluationPort = Pick<Evaluation, 'run' | 'running' | 'reports' | 'report' | 'compare' | 'testsets'>

export async function evaluationRoutes(
  app: App,
  { evaluation, maxUploadMb }: { evaluation: EvaluationPort; maxUploadMb: number },
): Promise<void> {
  await acceptUploads(app, maxUploadMb)
  testsetRoutes(app, { testsets: evaluation.testsets })
  reportRoutes(app, evaluation)

  app.post(
    '/api/v1/evaluation/run',
    {
      schema: {
        summary: 'Ask questions with known answers',
        description:
          'Without a body: the 30 built-in cases about the sample shop. Answers when all are asked and keeps the report, ' +
          'also for a caller who left. One run at a time.',
        tags,
        body: RunRequest,
        response: { 200: ReportBody, ...errors(400, 401, 404, 409, 422, 503) },
      },
    },
    async ({ body }) => {
      const { testset_path: path, testset: name, top_k: topK } = body
      return presentReport(
        await evaluation.run({ path: path || undefined, name: name || undefined, topK }, app.closing),
      )
    },
  )

  app.get(
    '/api/v1/evaluation/status',
    { schema: { summary: 'How far a run is', tags, response: { 200: StatusBody, ...errors(401, 503) } } },
    async () => {
      const [running, [last]] = [await evaluation.running(), await evaluation.reports({ limit: 1, offset: 0 })]
      return {
        running: running && {
          testset: running.subject,
          done: running.done,
          total: running.total,
          started_at: running.startedAt.toISOString(),
        },
        last_report: last ? presentSummary(last) : null,
      }
    },
  )
}

function compareRoute(app: App, evaluation: EvaluationPort): void {
  app.get(
    '/api/v1/evaluation/reports/:report_id/compare',
    {
      schema: {
        summary: 'What changed from another report to this one',
        description: 'As `/evaluation/compare`, `a` being the other one and `b` this one.',
        tags,
        params: ReportParams,
        querystring: CompareWithQuery,
        response: { 200: ComparisonBody, ...errors(401, 403, 404, 422, 503) },
      },
    },
    async ({ params, query }) => presentComparison(await evaluation.compare(query.with, params.report_id)),
  )
}

function reportRoutes(app: App, evaluation: EvaluationPort): void {
  compareRoute(app, evaluation)
  app.get(
    '/api/v1/evaluation/reports',
    {
      schema: {
        summary: 'Reports, newest first, without their cases',
        tags,
        querystring: ReportsQuery,
        response: { 200: ReportList, ...errors(401, 422, 503) },
      },
    },
    async ({ query }) => (await evaluation.reports(query)).map(presentSummary),
  )

  app.get(
    '/api/v1/evaluation/reports/:report_id',
    {
      schema: {
        summary: 'One report with its cases',
        tags,
        params: ReportParams,
        response: { 200: ReportBody, ...errors(401, 404, 422, 503) },
      },
    },
    async ({ params }) => presentReport(await evaluation.report(params.report_id)),
  )

  app.get(
    '/api/v1/evaluation/compare',
    {
      schema: {
        summary: 'What changed from one report to another',
        description:
          'Differences with their 95 % bootstrap intervals over the cases that both have, and the cases that flipped.',
        tags,
        querystring: CompareQuery,
        response: { 200: ComparisonBody, ...errors(401, 404, 422, 503) },
      },
    },
    async ({ query }) => presentComparison(await evaluation.compare(query.a, query.b)),
  )
}
