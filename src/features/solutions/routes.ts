import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { noteChange } from '../../http/changes.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { SessionParams } from '../sessions/index.ts'
import type { Replay, ReplayChange } from './replay.ts'
import {
  AnswerSubmitBody,
  ApproveBody,
  EditBody,
  PreviewBody,
  RejectBody,
  SolutionBody,
  SolutionList,
  SolutionPage,
  SolutionParams,
  SolutionsQuery,
  SubmitBody,
} from './schemas.ts'
import type { Preview, Solutions, SubmittedSolution } from './service.ts'
import type { Solution } from './solution-types.ts'

type Caller = Pick<FastifyRequest['caller'], 'name' | 'person'>

const tags = ['escalation']
const SOLUTION = '/api/v1/escalation/solutions/:solution_id'

export function solutionRoutes(app: App, { solutions }: { solutions: Solutions }): void {
  queueRoutes(app, solutions)
  draftRoutes(app, solutions)
  reviewRoutes(app, solutions)
  reopenRoute(app, solutions)
}

function queueRoutes(app: App, solutions: Solutions): void {
  app.post(
    '/api/v1/escalation/solution',
    {
      schema: {
        summary: 'Submit what a person answered, for review',
        tags,
        body: SubmitBody,
        response: { 200: SolutionBody, ...errors(401, 422) },
      },
    },
    async ({ body: { session_id = '', ...text } }) =>
      presentSolution(await solutions.submit(toSubmitted(session_id, text))),
  )

  app.post(
    '/api/v1/agent/sessions/:session_id/solution',
    {
      schema: {
        summary: 'Submit what was answered, for review and reuse',
        tags: ['agent-assist'],
        params: SessionParams,
        body: AnswerSubmitBody,
        response: { 200: SolutionBody, ...errors(401, 404, 422) },
      },
    },
    async ({ params, body }) =>
      presentSolution(await solutions.submitFrom(toSubmitted(params.session_id.trim(), body))),
  )

  app.get(
    '/api/v1/escalation/solutions/pending',
    {
      schema: {
        summary: 'All solutions that wait for review, the oldest first',
        tags,
        response: { 200: SolutionList, ...errors(401) },
      },
    },
    async () => (await solutions.pending()).map(presentSolution),
  )

  app.get(
    SOLUTION,
    {
      schema: {
        summary: 'One solution',
        tags,
        params: SolutionParams,
        response: { 200: SolutionBody, ...errors(401, 404, 422) },
      },
    },
    async ({ params }) => presentSolution(await solutions.find(params.solution_id)),
  )

  app.put(
    SOLUTION,
    {
      schema: {
        summary: 'Edit a solution, or a draft of one, before it is approved',
        tags,
        params: SolutionParams,
        body: EditBody,
        response: { 200: SolutionBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body }) => {
      refuseBlank(body)
      return presentSolution(await solutions.edit(params.solution_id, body))
    },
  )
}

function draftRoutes(app: App, solutions: Solutions): void {
  app.get(
    '/api/v1/escalation/solutions',
    {
      schema: {
        summary: 'Solutions in any state, newest first',
        description:
          'Drafts too, which are made when a person resolves a conversation (`DRAFT_SOLUTIONS`). `similar`, `masked` and ' +
          '`warnings` are as they were stored.',
        tags,
        querystring: SolutionsQuery,
        response: { 200: SolutionPage, ...errors(400, 401, 422) },
      },
    },
    async ({ query }) => {
      const { status = null, q = null, before = null, limit } = query
      const found = await solutions.list({ status: status as Solution['status'] | null, q, before, limit })
      const isFull = found.length === limit
      return { items: found.map(presentSolution), next_before: isFull ? (found.at(-1)?.solutionId ?? null) : null }
    },
  )

  app.post(
    `${SOLUTION}/submit`,
    {
      schema: {
        summary: 'Hand a draft in for review',
        description: 'Again is harmless. 409: it was reviewed.',
        tags,
        params: SolutionParams,
        response: { 200: SolutionBody, ...errors(401, 404, 409, 422) },
      },
    },
    async (request) => {
      const submitted = await solutions.submitDraft(request.params.solution_id)
      noteChange(request, { subject: `solution:${submitted.solutionId}`, after: { status: submitted.status } })
      return presentSolution(submitted)
    },
  )

  app.delete(
    SOLUTION,
    {
      schema: {
        summary: 'Drop a draft',
        description: '409: it is no draft any more.',
        tags,
        params: SolutionParams,
        response: { 204: Type.Null({ description: 'Dropped' }), ...errors(401, 404, 409, 422) },
      },
    },
    async (request, reply) => {
      const { solutionId, status } = await solutions.drop(request.params.solution_id)
      noteChange(request, { subject: `solution:${solutionId}`, before: { status } })
      return reply.status(204).send(null)
    },
  )
}

function reviewRoutes(app: App, solutions: Solutions): void {
  app.get(
    `${SOLUTION}/preview`,
    {
      schema: {
        summary: 'What would change if it were approved',
        description:
          'Answers the original question, and questions like it that were left unanswered, without and with the solution.',
        tags,
        params: SolutionParams,
        response: { 200: PreviewBody, ...errors(401, 404, 422) },
      },
    },
    async ({ params }) => presentPreview(await solutions.preview(params.solution_id)),
  )

  app.post(
    `${SOLUTION}/approve`,
    {
      schema: {
        summary: 'Approve a solution: it becomes part of the knowledge base',
        description:
          'Approved and searchable, or neither; approving again changes nothing. What belongs to a customer is masked in ' +
          'what is published and in the record, and `masked` says so; `warnings` holds what a reviewer should look at twice.',
        tags,
        params: SolutionParams,
        body: ApproveBody,
        response: { 200: SolutionBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body, caller }) =>
      presentSolution(await solutions.approve(params.solution_id, reviewerOf(body ?? {}, caller))),
  )

  app.post(
    `${SOLUTION}/reject`,
    {
      schema: {
        summary: 'Reject a solution, with the reason',
        tags,
        params: SolutionParams,
        body: RejectBody,
        response: { 200: SolutionBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body, caller }) => {
      refuseBlank(body)
      return presentSolution(await solutions.reject(params.solution_id, body.reason, reviewerOf(body, caller)))
    },
  )
}

function reopenRoute(app: App, solutions: Solutions): void {
  app.post(
    `${SOLUTION}/reopen`,
    {
      schema: {
        summary: 'Take a review back: the solution waits again',
        description:
          'Of an approved one the document leaves the knowledge base and the case leaves its test set, or nothing changes. ' +
          'One that waits stays as it is. 409: it is a draft.',
        tags,
        params: SolutionParams,
        response: { 200: SolutionBody, ...errors(401, 404, 409, 422) },
      },
    },
    async (request) => {
      const reopened = await solutions.reopen(request.params.solution_id)
      noteChange(request, { subject: `solution:${reopened.solutionId}`, after: { status: reopened.status } })
      return presentSolution(reopened)
    },
  )
}

function toSubmitted(sessionId: string, text: Static<typeof AnswerSubmitBody>): SubmittedSolution {
  refuseBlank(text)
  return { intent: '', ...text, sessionId }
}

/** Who reviews: the person who is logged in; else as the body says, else the name of the key. */
function reviewerOf(body: { reviewer?: string; agent_id?: string }, caller: Caller): string | null {
  return caller.person?.name || body.reviewer?.trim() || body.agent_id?.trim() || caller.name
}

/** Texts that are there must say something. */
function refuseBlank(body: Partial<Record<'question' | 'solution' | 'reason', string>>): void {
  for (const field of ['question', 'solution', 'reason'] as const) {
    if (body[field]?.trim() === '') throw new AppError('invalid', 'validation', `${field}: must not be blank`)
  }
}

function presentSolution({ revision: _, ...solution }: Solution) {
  return toSnakeCase(solution)
}

function presentPreview({ solution, ...review }: Preview) {
  const { masked, similar, warnings, replays } = review
  const current = presentSolution({ ...solution, masked, similar, warnings })
  return { ...toSnakeCase(review), solution: current, summary: summarise(replays) }
}

function summarise(replays: readonly Replay[]): Record<ReplayChange, number> {
  const counts = { answered: 0, changed: 0, improved: 0, worse: 0, unchanged: 0 }
  for (const { change } of replays) counts[change] += 1
  return counts
}
