import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { presentDelivery, presentDetail } from './present.ts'
import {
  DeliveriesQuery,
  DeliveryBody,
  DeliveryDetail,
  DeliveryList,
  DeliveryParams,
  ReplayBody,
  ReplayedBody,
  WebhookParams,
} from './schemas.ts'
import type { Webhooks } from './service.ts'

const WEBHOOK = '/api/v1/webhooks/:webhook_id'
const tags = ['webhooks']

/** Deliveries are seen, tried and sent again. */
export function deliveryRoutes(app: App, webhooks: Webhooks): void {
  seeingRoutes(app, webhooks)
  sendingRoutes(app, webhooks)
}

function seeingRoutes(app: App, webhooks: Webhooks): void {
  app.get(
    `${WEBHOOK}/deliveries`,
    {
      schema: {
        summary: 'What a webhook was sent, the newest first',
        description: 'Kept for thirty days. A page goes on with its `next`.',
        tags,
        params: WebhookParams,
        querystring: DeliveriesQuery,
        response: { 200: DeliveryList, ...errors(400, 401, 403, 404, 422) },
      },
    },
    async ({ params, query }) => {
      const { state = null, type = null, before = null, limit } = query
      const found = await webhooks.deliveries(params.webhook_id, { state, type, before, limit: limit + 1 })
      const page = found.slice(0, limit)
      return {
        deliveries: page.map(presentDelivery),
        next: found.length > limit ? (page.at(-1)?.deliveryId ?? null) : null,
      }
    },
  )

  app.get(
    `${WEBHOOK}/deliveries/:delivery_id`,
    {
      schema: {
        summary: 'A delivery, with its body and every attempt',
        tags,
        params: DeliveryParams,
        response: { 200: DeliveryDetail, ...errors(401, 403, 404, 422) },
      },
    },
    async ({ params }) => {
      const { delivery, attempts } = await webhooks.delivery(params.webhook_id, params.delivery_id)
      return presentDetail(delivery, attempts)
    },
  )
}

function sendingRoutes(app: App, webhooks: Webhooks): void {
  app.post(
    `${WEBHOOK}/test`,
    {
      schema: {
        summary: 'Send an event that tells of nothing, to try a webhook',
        tags,
        params: WebhookParams,
        response: { 202: DeliveryBody, ...errors(401, 403, 404, 409) },
      },
    },
    async ({ params }, reply) => {
      reply.code(202)
      return presentDelivery(await webhooks.test(params.webhook_id))
    },
  )

  app.post(
    `${WEBHOOK}/deliveries/:delivery_id/replay`,
    {
      schema: {
        summary: 'Send a delivery again',
        description: 'Under the same `webhook-id`, and out of its order.',
        tags,
        params: DeliveryParams,
        response: { 202: DeliveryBody, ...errors(401, 403, 404, 409, 422) },
      },
    },
    async ({ params }, reply) => {
      reply.code(202)
      return presentDelivery(await webhooks.replay(params.webhook_id, params.delivery_id))
    },
  )

  app.post(
    `${WEBHOOK}/replay`,
    {
      schema: {
        summary: 'Send everything again that failed since a time',
        tags,
        params: WebhookParams,
        body: ReplayBody,
        response: { 202: ReplayedBody, ...errors(401, 403, 404, 422) },
      },
    },
    async ({ params, body }, reply) => {
      reply.code(202)
      return { replayed: await webhooks.replayFailed(params.webhook_id, new Date(body.since)) }
    },
  )
}
