import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { noteChange } from '../../http/changes.ts'
import { errors, eventStream } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { clientSignal, type SseEvent, sendEvents } from '../../http/sse.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import type { RunRow } from '../../platform/exclusive-job.ts'
import { RunParams, RunsQuery, runBody, runEvents } from './schemas.ts'

/** One kind of run, as its feature knows it. */
export interface RunKind {
  /** Such as `/api/v1/evaluation/runs`. */
  path: string
  tag: string
  /** In sentences: "an evaluation". */
  what: string
  /** Contents of the request. */
  body: TSchema
  /** Parts that the work is made of. */
  stages: readonly string[]
  /** Where what a run found is shown. */
  resultPath: (resultId: string) => string
  runs: RunPort
  /** Resolves with the run's id once it is under way; throws what is wrong with the request, and conflict while another runs. */
  start(body: unknown, by: string | null, closing: AbortSignal): Promise<string>
}

/** Runs of one job. */
interface RunPort {
  runs(page: { limit: number; before: string | null }): Promise<RunRow[]>
  find(runId: string): Promise<RunRow>
  cancel(runId: string, by: string | null): Promise<RunRow>
}

/** Between two looks at a run that is followed. */
const LOOK_MS = 500

export function runRoutes(app: App, kind: RunKind): void {
  const body = runBody(kind.stages)
  startRoute(app, kind, body)
  readRoutes(app, kind, body)
  cancelRoute(app, kind, body)
  eventsRoute(app, kind)
}

function startRoute(app: App, kind: RunKind, body: ReturnType<typeof runBody>): void {
  app.post(
    kind.path,
    {
      schema: {
        summary: `Start ${kind.what}`,
        description: 'Answers as soon as it is under way. One at a time over all replicas: else 409.',
        tags: [kind.tag],
        body: kind.body,
        response: { 202: body, ...errors(400, 401, 403, 404, 409, 422, 503) },
      },
    },
    async (request, reply) => {
      const runId = await kind.start(request.body, authorOf(request), app.closing)
      noteChange(request, { subject: `run:${runId}` })
      return reply.code(202).send(present(kind, await kind.runs.find(runId)))
    },
  )
}

function readRoutes(app: App, kind: RunKind, body: ReturnType<typeof runBody>): void {
  app.get(
    kind.path,
    {
      schema: {
        summary: `The last 200 runs of ${kind.what}, newest first`,
        tags: [kind.tag],
        querystring: RunsQuery,
        response: { 200: Type.Object({ runs: Type.Array(body) }), ...errors(401, 403, 404, 422, 503) },
      },
    },
    async ({ query: { limit, before = null } }) => {
      const runs = await kind.runs.runs({ limit, before })
      return { runs: runs.map((run) => present(kind, run)) }
    },
  )

  app.get(
    `${kind.path}/:run_id`,
    {
      schema: {
        summary: `How far ${kind.what} is, or what became of it`,
        tags: [kind.tag],
        params: RunParams,
        response: { 200: body, ...errors(401, 403, 404, 422, 503) },
      },
    },
    async ({ params }) => present(kind, await kind.runs.find(params.run_id)),
  )
}

function cancelRoute(app: App, kind: RunKind, body: ReturnType<typeof runBody>): void {
  app.delete(
    `${kind.path}/:run_id`,
    {
      schema: {
        summary: `Cancel ${kind.what}`,
        description:
          'It ends within seconds, on whichever replica it is, and leaves no result. One that is over is 409.',
        tags: [kind.tag],
        params: RunParams,
        response: { 202: body, ...errors(401, 403, 404, 409, 422, 503) },
      },
    },
    async (request, reply) => {
      const run = await kind.runs.cancel(request.params.run_id, authorOf(request))
      return reply.code(202).send(present(kind, run))
    },
  )
}

function eventsRoute(app: App, kind: RunKind): void {
  app.get(
    `${kind.path}/:run_id/events`,
    {
      schema: {
        summary: `How ${kind.what} goes on, as it happens`,
        description:
          'Server-sent events, each with the run as `GET` shows it: `progress` at once and when it is further, then one of ' +
          '`finished`, `failed`, `cancelled`, `interrupted`, after which the stream ends; `closing`: the service ends.',
        tags: [kind.tag],
        params: RunParams,
        ...eventStream(runEvents(kind.stages)),
        response: { 200: { type: 'string', description: 'text/event-stream' }, ...errors(401, 403, 404, 422) },
      },
    },
    async ({ params }, reply) => {
      const signal = AbortSignal.any([clientSignal(reply as FastifyReply), app.closing])
      const first = await kind.runs.find(params.run_id)
      await sendEvents(reply as FastifyReply, follow(kind, first, signal))
    },
  )
}

/** From how the run is now to its end. */
async function* follow(kind: RunKind, first: RunRow, signal: AbortSignal): AsyncGenerator<SseEvent> {
  let shown = ''
  for (let run = first; ; run = await kind.runs.find(run.runId)) {
    const { state, stage, done, total, cancelledAt } = run
    const isOver = state !== 'running'
    const now = JSON.stringify([state, stage, done, total, cancelledAt])
    if (now !== shown) yield { event: isOver ? state : 'progress', data: present(kind, run) }
    if (isOver) return
    shown = now
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
  }
}

function authorOf({ caller }: FastifyRequest): string | null {
  return caller.person?.name ?? caller.name
}

function present({ resultPath }: RunKind, { done, total, resultId, ...run }: RunRow) {
  return {
    ...toSnakeCase(run),
    progress: { done, total },
    eta_seconds: run.state === 'running' ? etaOf(run.startedAt, done, total) : null,
    result: resultId && resultPath(resultId),
  }
}

/** As if the rest took as long for each part as what is done. */
function etaOf(startedAt: Date, done: number, total: number): number | null {
  if (done === 0 || total === 0) return null
  const elapsed = (Date.now() - startedAt.getTime()) / 1_000
  return Math.max(0, Math.round((elapsed / done) * (total - done)))
}
