import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { presentPreview, presentSolution } from './present.ts'
import {
  ApproveBody,
  EditBody,
  PreviewBody,
  RejectBody,
  SolutionBody,
  SolutionList,
  SolutionParams,
  SubmitBody,
} from './schemas.ts'
import type { Escalation } from './service.ts'

const tags = ['escalation']
const SOLUTION = '/api/v1/escalation/solutions/:solution_id'

export function escalationRoutes(app: App, { escalation }: { escalation: Escalation }): void {
  queueRoutes(app, escalation)
  reviewRoutes(app, escalation)
}

function queueRoutes(app: App, escalation: Escalation): void {
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
    async ({ body }) => {
      refuseBlank(body)
      const { session_id: sessionId = '', question, solution, intent = '' } = body
      return presentSolution(await escalation.submit({ sessionId, question, solution, intent }))
    },
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
    async () => (await escalation.pending()).map(presentSolution),
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
    async ({ params }) => presentSolution(await escalation.find(params.solution_id)),
  )

  app.put(
    SOLUTION,
    {
      schema: {
        summary: 'Edit a solution before it is approved',
        tags,
        params: SolutionParams,
        body: EditBody,
        response: { 200: SolutionBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body }) => {
      refuseBlank(body)
      return presentSolution(await escalation.edit(params.solution_id, body))
    },
  )
}

function reviewRoutes(app: App, escalation: Escalation): void {
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
    async ({ params }) => presentPreview(await escalation.preview(params.solution_id)),
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
      presentSolution(await escalation.approve(params.solution_id, reviewerOf(body ?? {}, caller))),
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
      return presentSolution(await escalation.reject(params.solution_id, body.reason, reviewerOf(body, caller)))
    },
  )
}

/** Who reviews, as the body says, else the name of the key. */
function reviewerOf(body: { reviewer?: string; agent_id?: string }, caller: { name: string | null }): string | null {
  return body.reviewer?.trim() || body.agent_id?.trim() || caller.name
}

/** Texts that are there must say something. */
function refuseBlank(body: Partial<Record<'question' | 'solution' | 'reason', string>>): void {
  for (const field of ['question', 'solution', 'reason'] as const) {
    if (body[field]?.trim() === '') throw new AppError('invalid', 'validation', `${field}: must not be blank`)
  }
}
