import { acceptUploads, checkedByHandler, readForm } from '../../http/multipart.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { parseTimestamp } from '../../kernel/time.ts'
import { type ChosenColumns, TICKET_FIELDS } from './importing/columns.ts'
import { listRows, readTicketFile } from './importing/ticket-file.ts'
import { ImportBody, ImportResultBody, MiningRequest, ReportBody, ReportParams, StatusBody } from './schemas.ts'
import type { Mining } from './service.ts'
import type { MiningReport, TicketFilter } from './types.ts'

const tags = ['mining']
const MEGABYTE = 1_048_576

export async function miningRoutes(
  app: App,
  { mining, maxUploadMb }: { mining: Mining; maxUploadMb: number },
): Promise<void> {
  // Before running requests are waited for: a run would keep the service from ending for minutes.
  app.addHook('preClose', () => mining.close())
  await acceptUploads(app, maxUploadMb)
  reportRoute(app, mining)

  app.post(
    '/api/v1/mining/tickets/import',
    {
      bodyLimit: maxUploadMb * MEGABYTE,
      schema: {
        summary: 'Load past tickets',
        description:
          `A CSV, JSON, JSONL or XLSX file in the field \`file\`, up to ${maxUploadMb} MiB, or JSON with the list \`tickets\`. Common ` +
          'names of the columns are understood, in English and Chinese, and conversations inside a ticket; `content_column` and the ' +
          'like name others. A known `ticket_id` is updated. Personal data is masked.',
        tags,
        consumes: ['multipart/form-data', 'application/json'],
        body: ImportBody,
        response: { 200: ImportResultBody, ...errors(400, 401, 413, 415, 422, 503) },
      },
      validatorCompiler: checkedByHandler,
    },
    async (request) => {
      if (!request.isMultipart()) {
        const { tickets, chosen } = ticketsOf(request.body)
        return mining.importTickets(listRows(tickets), chosen)
      }
      const { file, fields } = await readForm(request)
      if (!file) throw invalid('file: is required')
      return mining.importTickets(readTicketFile(file.name, file.bytes), chosenColumns(fields))
    },
  )

  app.post(
    '/api/v1/mining/tickets',
    {
      schema: {
        summary: 'Find the frequent problems in past tickets',
        description:
          'Answers when the run is over. What the knowledge base does not answer yet enters the review queue of ' +
          '`/escalation/solutions`, once: running again updates it.',
        tags,
        body: MiningRequest,
        response: { 200: ReportBody, ...errors(401, 409, 422, 503) },
      },
    },
    async ({ body }) => present(await mining.run(toFilter(body))),
  )

  app.get(
    '/api/v1/mining/status',
    {
      schema: {
        summary: 'The latest report, and how far a running one is',
        description: 'Before any run the report is empty, with `total_tickets` 0.',
        tags,
        response: { 200: StatusBody, ...errors(401) },
      },
    },
    async () => {
      const { report, ...runs } = await mining.status()
      return toSnakeCase({ ...NO_REPORT, ...report, ...runs })
    },
  )
}

function reportRoute(app: App, mining: Mining): void {
  app.get(
    '/api/v1/mining/reports/:report_id',
    {
      schema: {
        summary: 'What a run found',
        description: 'Of the last 20.',
        tags,
        params: ReportParams,
        response: { 200: ReportBody, ...errors(401, 403, 404, 422, 503) },
      },
    },
    async ({ params }) => present(await mining.report(params.report_id)),
  )
}

/** The report of a service that has not run yet. */
const NO_REPORT = {
  reportId: null,
  startedAt: null,
  finishedAt: null,
  totalTickets: 0,
  ingested: 0,
  items: [],
  unclustered: null,
  errors: [],
}

const present = (report: MiningReport) => toSnakeCase({ ...report, unclustered: report.unclustered ?? null })

function ticketsOf(body: unknown): { tickets: unknown[]; chosen: ChosenColumns } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('body: must be an object')
  const { tickets, file } = body as { tickets?: unknown; file?: unknown }
  if (file !== undefined && file !== null) throw invalid('file: can only be sent as multipart/form-data')
  if (tickets === undefined || tickets === null) throw invalid('tickets: is required')
  if (!Array.isArray(tickets)) throw invalid('tickets: must be a list')
  return { tickets, chosen: chosenColumns(body as Record<string, unknown>) }
}

const MAX_COLUMN_NAME = 200

/** Empty means absent, as in the other fields. */
function chosenColumns(given: Record<string, unknown>): ChosenColumns {
  const chosen: ChosenColumns = {}
  for (const field of TICKET_FIELDS) {
    const name = given[`${field}_column`] ?? ''
    if (typeof name !== 'string' || name.length > MAX_COLUMN_NAME) {
      throw invalid(`${field}_column: must be text of at most ${MAX_COLUMN_NAME} characters`)
    }
    if (name.trim() !== '') chosen[field] = name
  }
  return chosen
}

interface Asked {
  start_time?: string
  end_time?: string
  status?: string
}

export function toFilter({ start_time, end_time, status = '' }: Asked): TicketFilter {
  const from = timeOf('start_time', start_time)
  const to = timeOf('end_time', end_time)
  if (from && to && from > to) throw invalid('start_time: must not be after end_time')
  return { from, to, status: status.trim().toLowerCase() || null }
}

const DATE_ALONE = /^\s*\d{4}-\d{2}-\d{2}\s*$/
const LAST_MOMENT = 'T23:59:59.999Z'

/** Empty means absent, as in the other fields. A date alone as the end takes its whole day in. */
function timeOf(field: 'start_time' | 'end_time', text = ''): Date | null {
  if (text.trim() === '') return null
  const isWholeDay = field === 'end_time' && DATE_ALONE.test(text)
  const time = parseTimestamp(isWholeDay ? `${text.trim()}${LAST_MOMENT}` : text)
  if (!time) throw invalid(`${field}: must be an ISO 8601 date or time`)
  return time
}

function invalid(message: string): AppError {
  return new AppError('invalid', 'validation', message)
}
