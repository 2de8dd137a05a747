import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { BASE, config, holderOf, security, tags, type WidgetRoutesOptions } from './holder-routes.ts'
import { presentState } from './present.ts'
import { DoneBody, FeedbackBody, RatingBody } from './schemas.ts'

/** Feedback, ratings, and small words to the desk. */
export function judgingRoutes(scope: App, { service }: WidgetRoutesOptions): void {
  scope.post(
    `${BASE}/feedback`,
    {
      config,
      schema: {
        summary: 'Rate a reply; the last rating counts',
        tags,
        security,
        body: FeedbackBody,
        response: { 200: FeedbackBody, ...errors(401, 403, 404, 413, 415, 422, 429) },
      },
    },
    async (request) => {
      const { message_id, rating, comment } = request.body
      await service.feedback(holderOf(request), { messageId: message_id, rating, comment: comment ?? null })
      return { message_id, rating, ...(comment === undefined ? {} : { comment }) }
    },
  )

  scope.post(
    `${BASE}/rating`,
    {
      config,
      schema: {
        summary: 'Rate what a person did, within a day after it was resolved',
        tags,
        security,
        body: RatingBody,
        response: { 200: RatingBody, ...errors(401, 403, 404, 409, 413, 415, 422, 429) },
      },
    },
    async (request) => {
      const { score, comment } = request.body
      await service.rate(holderOf(request), { score, comment: comment?.trim() || null })
      return { score, ...(comment === undefined ? {} : { comment }) }
    },
  )
}

export function deskRoutes(scope: App, { service }: WidgetRoutesOptions): void {
  scope.post(
    `${BASE}/handoff/cancel`,
    {
      config,
      schema: {
        summary: 'Take a call for a person back',
        tags,
        security,
        response: { 200: DoneBody, ...errors(401, 403, 404, 409, 429) },
      },
    },
    async (request) => {
      const holder = holderOf(request)
      await service.cancelCall(holder)
      return { state: presentState(await service.stateOf(holder.sessionId)) }
    },
  )

  scope.post(
    `${BASE}/typing`,
    {
      config,
      schema: {
        summary: 'Say that the customer is writing',
        description: 'Told to the people at the desk, for 6 seconds.',
        tags,
        security,
        response: { 204: { type: 'null', description: 'Told' }, ...errors(401, 403, 429) },
      },
    },
    async (request, reply) => {
      await service.types(holderOf(request))
      return reply.code(204).send(null)
    },
  )
}
