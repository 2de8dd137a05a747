import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { open } from '../../http/auth.ts'
import { readId } from '../../http/ids.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { clientSignal } from '../../http/sse.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { MAX_CALLBACK_BYTES } from './callback-guard.ts'
import { GatewayBody, GatewayResponse, WechatQuery } from './schemas.ts'
import type { Gateway, GatewayRequest } from './service.ts'

const tags = ['gateway']
const WECHAT = '/api/v1/gateway/wechat'
const DINGTALK = '/api/v1/gateway/dingtalk'

export async function gatewayRoutes(app: App, { gateway }: { gateway: Gateway }): Promise<void> {
  neutralRoute(app, gateway)
  await app.register(async (scope: App) => {
    takeRawBodies(scope)
    wechatRoutes(scope, gateway)
    dingtalkRoutes(scope, gateway)
  })
}

function neutralRoute(app: App, gateway: Gateway): void {
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
      const { duplicate, ...reply } = await gateway.receive(request)
      return { channel: request.channel, user_id: request.userId, ...reply, message_id, duplicate }
    },
  )
}

function toRequest(body: Static<typeof GatewayBody>): GatewayRequest {
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

function toMessage(given: Static<typeof GatewayBody>['message']): GatewayRequest['message'] {
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

/** Null: refused like any path that does not exist, before anything else is looked at. */
function refuseWhileOff(door: object | null, path: string) {
  return async ({ method }: { method: string }): Promise<void> => {
    if (!door) throw new AppError('not_found', 'channel_off', `No such endpoint: ${method} ${path}`)
  }
}

function wechatRoutes(scope: App, { wechat }: Gateway): void {
  const shared = { config: open, onRequest: refuseWhileOff(wechat, WECHAT) }
  const responses = errors(401, 404, 413, 422, 503)
  scope.get(
    WECHAT,
    {
      ...shared,
      schema: {
        summary: "WeChat's check of the callback address",
        description: 'Authenticated by its signature. 404 while WECHAT_TOKEN is not set.',
        tags,
        querystring: WechatQuery,
        produces: ['text/plain'],
        response: { 200: { type: 'string' }, ...responses },
      },
      validatorCompiler: unchecked,
    },
    async ({ query }, reply) => {
      const text = (await wechat?.answerUrlCheck(query as Record<string, unknown>)) ?? ''
      return (reply as FastifyReply).type('text/plain; charset=utf-8').send(text)
    },
  )
  scope.post(
    WECHAT,
    {
      ...shared,
      schema: {
        summary: "WeChat's messages and events",
        description:
          'XML, authenticated by its signature, which serves one message within five minutes. Plain, or with ' +
          'WECHAT_ENCODING_AES_KEY encrypted and nothing else. 404 while WECHAT_TOKEN is not set.',
        tags,
        querystring: WechatQuery,
        consumes: ['text/xml'],
        produces: ['text/xml'],
        response: { 200: { type: 'string' }, ...responses },
      },
      validatorCompiler: unchecked,
    },
    async ({ query, body }, reply) => {
      const signal = clientSignal(reply as FastifyReply)
      const text = await wechat?.receive(query as Record<string, unknown>, asBytes(body), signal)
      return (reply as FastifyReply).type('text/xml; charset=utf-8').send(text ?? '')
    },
  )
}

function dingtalkRoutes(scope: App, { dingtalk }: Gateway): void {
  scope.post(
    DINGTALK,
    {
      config: open,
      onRequest: refuseWhileOff(dingtalk, DINGTALK),
      schema: {
        summary: 'Messages of a DingTalk robot',
        description:
          'Authenticated by its signature, which serves one message within five minutes. 404 while ' +
          'DINGTALK_APP_SECRET is not set.',
        tags,
        consumes: ['application/json'],
        response: { 200: { type: 'object', properties: {} }, ...errors(401, 404, 413, 422, 503) },
      },
    },
    async ({ headers, body }) => dingtalk?.receive(headers, asBytes(body)),
  )
}

/** The query is text that the signature covers; nothing of it is converted. */
const unchecked = () => (value: unknown) => ({ value })

function asBytes(body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array()
}
