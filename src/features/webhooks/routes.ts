import { noteChange } from '../../http/changes.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { publicUrl } from '../../kernel/public-url.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { presentWebhook } from './present.ts'
import {
  ChangeWebhookBody,
  NewWebhookBody,
  RotateBody,
  SecretWebhookBody,
  WebhookBody,
  WebhookList,
  WebhookParams,
} from './schemas.ts'
import type { Webhooks } from './service.ts'
import { readSecret } from './signature.ts'
import type { StoredWebhook } from './types.ts'

const WEBHOOKS = '/api/v1/webhooks'
const tags = ['webhooks']

/** Receivers of events, and what became of what they were sent. */
export function webhookRoutes(app: App, { webhooks }: { webhooks: Webhooks }): void {
  readingRoutes(app, webhooks)
  changingRoutes(app, webhooks)
  endingRoutes(app, webhooks)
  deliveryRoutes(app, webhooks)
}

function readingRoutes(app: App, webhooks: Webhooks): void {
  app.get(
    WEBHOOKS,
    { schema: { summary: 'Webhooks, the newest first', tags, response: { 200: WebhookList, ...errors(401, 403) } } },
    async () => ({ webhooks: (await webhooks.list()).map(presentWebhook) }),
  )

  app.get(
    `${WEBHOOKS}/:webhook_id`,
    {
      schema: {
        summary: 'A webhook',
        tags,
        params: WebhookParams,
        response: { 200: WebhookBody, ...errors(401, 403, 404) },
      },
    },
    async ({ params }) => presentWebhook(await webhooks.find(params.webhook_id)),
  )
}

function changingRoutes(app: App, webhooks: Webhooks): void {
  app.post(
    WEBHOOKS,
    {
      schema: {
        summary: 'Tell a program elsewhere what happens here',
        description:
          'Events are POSTed as JSON, signed as Standard Webhooks says, at least once and in order for each conversation. What is ' +
          'answered with anything but 2xx is sent again for days.',
        tags,
        body: NewWebhookBody,
        response: { 201: SecretWebhookBody, ...errors(401, 403, 422) },
      },
    },
    async (request, reply) => {
      const { url, events, description = '', is_active: isActive = true, secret } = request.body
      const made = await webhooks.add({ url: urlOf(url), events, description, isActive, secret: secretOf(secret) })
      noteChange(request, { after: presentWebhook(made) })
      reply.code(201)
      return withSecret(made)
    },
  )

  app.put(
    `${WEBHOOKS}/:webhook_id`,
    {
      schema: {
        summary: 'Change a webhook',
        description: 'Fields that are left out stay as they are. Failures before it no longer count.',
        tags,
        params: WebhookParams,
        body: ChangeWebhookBody,
        response: { 200: WebhookBody, ...errors(401, 403, 404, 422) },
      },
    },
    async (request) => {
      const { url, events, description, is_active: isActive } = request.body
      const { before, after } = await webhooks.change(request.params.webhook_id, {
        ...(url !== undefined && { url: urlOf(url) }),
        ...(events && { events }),
        ...(description !== undefined && { description }),
        ...(isActive !== undefined && { isActive }),
      })
      noteChange(request, { before: presentWebhook(before), after: presentWebhook(after) })
      return presentWebhook(after)
    },
  )
}

function endingRoutes(app: App, webhooks: Webhooks): void {
  app.post(
    `${WEBHOOKS}/:webhook_id/rotate-secret`,
    {
      schema: {
        summary: 'Give a webhook a new secret',
        description: 'For `grace_hours` both sign, so that the receiver may change when it likes.',
        tags,
        params: WebhookParams,
        body: RotateBody,
        response: { 200: SecretWebhookBody, ...errors(401, 403, 404, 422) },
      },
    },
    async (request) => {
      const { grace_hours: graceHours, secret } = request.body
      const { after } = await webhooks.rotate(request.params.webhook_id, { graceHours, secret: secretOf(secret) })
      noteChange(request, { after: presentWebhook(after) })
      return withSecret(after)
    },
  )

  app.delete(
    `${WEBHOOKS}/:webhook_id`,
    {
      schema: {
        summary: 'Remove a webhook, with what still waits for it',
        tags,
        params: WebhookParams,
        response: { 200: WebhookBody, ...errors(401, 403, 404) },
      },
    },
    async (request) => {
      const removed = await webhooks.remove(request.params.webhook_id)
      noteChange(request, { before: presentWebhook(removed) })
      return presentWebhook(removed)
    },
  )
}

function withSecret(webhook: StoredWebhook) {
  return { ...presentWebhook(webhook), secret: webhook.secret }
}

function urlOf(given: string): string {
  const url = publicUrl(given)
  if (url !== null) return url
  throw new AppError('invalid', 'validation', 'url: must be an http or https address without a password')
}

function secretOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const secret = readSecret(given)
  if (secret !== null) return secret
  throw new AppError('invalid', 'validation', 'secret: must be 24 to 64 bytes in base64')
}
