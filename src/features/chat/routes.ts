import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { toPublic } from '../../http/error-handler.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { clientSignal, type SseEvent, sendEvents } from '../../http/sse.ts'
import { AppError } from '../../kernel/errors.ts'
import { presentEvent, presentOutcome } from './present.ts'
import { ChatRequestBody, ChatResponseBody } from './schemas.ts'
import type { Chat } from './service.ts'
import type { ChatEvent, ChatRequest } from './types.ts'

const tags = ['chat']

export function chatRoutes(app: App, { chat }: { chat: Chat }): void {
  app.post(
    '/api/v1/chat',
    {
      schema: {
        summary: 'Ask, and get the whole reply at once',
        tags,
        body: ChatRequestBody,
        response: { 200: ChatResponseBody, ...errors(401, 409, 422, 503) },
      },
    },
    async ({ body }, reply) => presentOutcome(await chat.reply(toRequest(body), clientSignal(reply as FastifyReply))),
  )

  app.post(
    '/api/v1/chat/stream',
    {
      schema: {
        summary: 'Ask, and get the reply as it is written',
        description: 'Server-sent events: `meta`, any number of `token`, then `done` or `error`.',
        tags,
        body: ChatRequestBody,
        produces: ['text/event-stream'],
        response: { 200: { type: 'string', description: 'text/event-stream' }, ...errors(401, 422) },
      },
    },
    async ({ body, log }, reply) => {
      const events = chat.answer(toRequest(body), clientSignal(reply as FastifyReply))
      await sendEvents(reply as FastifyReply, presented(events, log))
      return reply
    },
  )
}

async function* presented(
  events: AsyncIterable<ChatEvent>,
  log: { error(details: object, message: string): void },
): AsyncGenerator<SseEvent> {
  for await (const event of events) {
    if (event.type === 'error') log.error({ err: event.error }, 'A stream ended with an error')
    yield presentEvent(event, (error) => toPublic(error).message)
  }
}

function toRequest(body: Static<typeof ChatRequestBody>): ChatRequest {
  if (body.message.trim() === '') throw new AppError('invalid', 'validation', 'message: must not be blank')
  return {
    message: body.message,
    sessionId: body.session_id ?? '',
    channel: body.channel ?? 'web',
    userId: body.user_id ?? '',
  }
}
