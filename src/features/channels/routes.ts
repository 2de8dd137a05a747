import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { open } from '../../http/auth.ts'
import { readId } from '../../http/ids.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { clientSignal } from '../../http/sse.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { MAX_CALLBACK_BYTES } from './callback-guard.ts'
import type { WebhookRequest } from './channel.ts'
import { GatewayBody, GatewayResponse } from './schemas.ts'
import type { ChannelRequest, Channels } from './service.ts'

const tags = ['gateway']

export async function channelRoutes(app: App, { channels }: { channels: Channels }): Promise<void> {
  neutralRoute(app, channels)
  await app.register(async (scope: App) => {
    takeRawBodies(scope)
    for (const webhook of channels.webhooks) webhookRoutes(scope, webhook)
  })
}

function neutralRoute(app: App, channels: Channels): void {
  app.post(
    '/api/v1/gateway',
    {
      schema: {
        summary: 'A message of any channel',
        description: 'The session is found by channel and user.',
        tags,
        body: GatewayBody,
        response: { 200: GatewayResponse, ...errors(401, 409, 422, 503) },
      },
    },
    async ({ body }) => {
      const request = toRequest(body)
      const message_id = request.messageId || newId('in')
      const { duplicate, ...reply } = await channels.receive(request)
      return { channel: request.channel, user_id: request.userId, ...reply, message_id, duplicate }
    },
  )
}

function toRequest(body: Static<typeof GatewayBody>): ChannelRequest {
  const userId = readId('user_id', body.user_id)
  if (userId === '') throw new AppError('invalid', 'validation', 'user_id: must not be blank')
  return {
    channel: body.channel,
    userId,
    messageId: readId('message_id', body.message_id),
    sessionId: readId('session_id', body.session_id),
    message: toMessage(body.message),
  }
}

function toMessage(given: Static<typeof GatewayBody>['message']): ChannelRequest['message'] {
  const { type, text = '' } = typeof given === 'string' ? { type: 'text' as const, text: given } : given
  if (type === 'text' && text.trim() === '') throw new AppError('invalid', 'validation', 'message: must not be blank')
  return text.trim() === '' ? { type } : { type, text }
}

/** The platforms' bodies are verified as bytes; a JSON parser would have to trust them first. */
function takeRawBodies(scope: App): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_CALLBACK_BYTES }, (_request, body, done) => {
    done(null, body)
  })
}

function webhookRoutes(scope: App, { name, description, handler }: Channels['webhooks'][number]): void {
  const path = `/api/v1/gateway/${name}`
  const { check, query = [], consumes, produces, ...texts } = description
  // Describes what the platform sends; the signature decides what is accepted.
  const fields = Object.fromEntries(query.map((field) => [field, Type.Optional(Type.String())]))
  const shared =
    query.length > 0 ? { tags, querystring: Type.Object(fields, { additionalProperties: true }) } : { tags }
  const response = (type: 'string' | 'object') => ({ 200: { type }, ...errors(401, 404, 413, 422, 503) })
  const options = {
    config: { ...open, isPublic: true } as const,
    // Refused like any path that does not exist, before anything else is looked at.
    onRequest: async ({ method }: { method: string }): Promise<void> => {
      if (!handler) throw new AppError('not_found', 'channel_off', `No such endpoint: ${method} ${path}`)
    },
    validatorCompiler: unchecked,
  }
  if (check) {
    const schema = { ...check, ...shared, produces: ['text/plain'], response: response('string') }
    scope.get(path, { ...options, schema }, async (request, reply) => {
      const text = await handler?.check(request.query as WebhookRequest['query'])
      return (reply as FastifyReply).type('text/plain; charset=utf-8').send(text)
    })
  }
  const answered = response(produces === 'application/json' ? 'object' : 'string')
  const schema = { ...texts, ...shared, consumes: [consumes], produces: [produces], response: answered }
  scope.post(path, { ...options, schema }, async ({ query, headers, body }, reply) => {
    const request = { query: query as WebhookRequest['query'], headers, body: asBytes(body) }
    const text = await handler?.receive(request, clientSignal(reply as FastifyReply))
    return (reply as FastifyReply).type(`${produces}; charset=utf-8`).send(text)
  })
}

/** The query is text that the signature covers; nothing of it is converted. */
const unchecked = () => (value: unknown) => ({ value })

function asBytes(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array()
}
