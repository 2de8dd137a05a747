import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { toPublic } from '../../http/error-handler.ts'
import { readId } from '../../http/ids.ts'
import { errors, eventStream } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { clientSignal, type SseEvent, sendEvents } from '../../http/sse.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { EventsHeaders, NOT_HANDED_OVER, SessionParams, type Viewed } from '../sessions/index.ts'
import { feedbackRoutes } from './feedback-routes.ts'
import { presentEvent, presentLive, presentOutcome, presentSaid } from './present.ts'
import {
  ChatRequestBody,
  ChatResponseBody,
  EventsQuery,
  FeedbackBody,
  FeedbackResult,
  MessagesBody,
  MessagesQuery,
  ReplyEvents,
  SessionEvents,
} from './schemas.ts'
import type { Chat } from './service.ts'
import type { ChatEvent, ChatRequest } from './types.ts'

const tags = ['chat']
const IDENTITY =
  'Name the `user_id` with each message. In a session that we made for a customer (an empty `session_id`), naming the ' +
  'session is enough, unless SESSION_IDENTITY is strict; in any other, a message without `user_id` is answered as that ' +
  'of somebody unknown. Another `user_id` than the session has is 409.'

export function chatRoutes(app: App, { chat }: { chat: Chat }): void {
  askRoutes(app, chat)
  sessionRoutes(app, chat)
  feedbackRoutes(app, chat)
}

function askRoutes(app: App, chat: Chat): void {
  app.post(
    '/api/v1/chat',
    {
      schema: {
        summary: 'Ask, and get the whole reply at once',
        description: IDENTITY,
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
        description: `Server-sent events: \`meta\`, any number of \`token\`, then \`done\` or \`error\`. ${IDENTITY}`,
        tags,
        body: ChatRequestBody,
        ...eventStream(ReplyEvents),
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

function sessionRoutes(app: App, chat: Chat): void {
  app.get(
    '/api/v1/chat/sessions/:session_id/messages',
    {
      schema: {
        summary: 'The conversation so far, oldest first',
        tags,
        params: SessionParams,
        querystring: MessagesQuery,
        response: { 200: MessagesBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, query }) => {
      const viewed = toViewed(params, query)
      const { agentStatus, messages } = await chat.messages(viewed, query.after ?? '', query.limit)
      const agent_status = agentStatus ?? NOT_HANDED_OVER
      return { session_id: viewed.sessionId, agent_status, messages: messages.map(presentSaid) }
    },
  )

  app.get(
    '/api/v1/chat/sessions/:session_id/events',
    {
      schema: {
        summary: 'What people say in the session, as it happens',
        description:
          'Server-sent events: `message`; `handoff`, `accepted`, `resolved` and what else becomes of the session; `typing` and ' +
          '`read` matter for a moment and are never repeated; `closing`: the service ends. `Last-Event-ID` resumes. ' +
          '`x-events` has the schema of each.',
        tags,
        params: SessionParams,
        querystring: EventsQuery,
        headers: EventsHeaders,
        ...eventStream(SessionEvents),
        response: { 200: { type: 'string', description: 'text/event-stream' }, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, query, headers }, reply) => {
      const last = headers['last-event-id']
      const signal = AbortSignal.any([clientSignal(reply as FastifyReply), app.closing])
      const events = await chat.events(toViewed(params, query), last === undefined ? null : Number(last), signal)
      await sendEvents(reply as FastifyReply, mapEvents(events, presentLive))
      return reply
    },
  )

  app.post(
    '/api/v1/chat/sessions/:session_id/feedback',
    {
      schema: {
        summary: 'Rate a reply; the last rating counts',
        tags,
        params: SessionParams,
        body: FeedbackBody,
        response: { 200: FeedbackResult, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body }) => {
      const { message_id, rating, comment } = body
      await chat.feedback(toViewed(params, body), { messageId: message_id, rating, comment: comment ?? null })
      return { message_id, rating }
    },
  )
}

async function* mapEvents<T>(items: AsyncIterable<T>, present: (item: T) => SseEvent): AsyncGenerator<SseEvent> {
  for await (const item of items) yield present(item)
}

async function* presented(events: AsyncIterable<ChatEvent>, log: Log<'error'>): AsyncGenerator<SseEvent> {
  for await (const event of events) {
    if (event.type === 'error') log.error({ err: event.error }, 'A stream ended with an error')
    yield presentEvent(event, (error) => toPublic(error).message)
  }
}

function toRequest(body: Static<typeof ChatRequestBody>): ChatRequest {
  if (body.message.trim() === '') throw new AppError('invalid', 'validation', 'message: must not be blank')
  return {
    message: body.message,
    sessionId: readId('session_id', body.session_id),
    channel: body.channel ?? 'web',
    userId: readId('user_id', body.user_id),
  }
}

function toViewed(params: { session_id: string }, named: { user_id?: string | undefined }): Viewed {
  return { sessionId: params.session_id.trim(), userId: readId('user_id', named.user_id) }
}
