import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { toPublic } from '../../http/error-handler.ts'
import { errors, eventStream } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { type SseEvent, sendEvents } from '../../http/sse.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { TurnOutcome } from '../chat/index.ts'
import { BASE, config, holderOf, type Known, security, tags, type WidgetRoutesOptions } from './holder-routes.ts'
import { type Limit, perMinute } from './limits.ts'
import { presentOutcome, presentReply } from './present.ts'
import { CallBody, OfflineBody, ReplyBody, ReplyEvents, SayBody } from './schemas.ts'
import type { Holder } from './types.ts'

/** Words of customers: to the assistant, for a person, and for later. */
export function sayingRoutes(scope: App, options: WidgetRoutesOptions): void {
  const { limits, clock } = options
  const count = perMinute(limits.messages, 'message', clock.now)
  const finish = finisher(options)
  scope.post(
    `${BASE}/messages`,
    {
      config,
      schema: {
        summary: 'Say something, and get the reply as it is written',
        description:
          'Server-sent events: `start`, any number of `token`, then `done` or `error`. With an `Idempotency-Key` a message that ' +
          'is sent again is said once, and answered with the first answer; the reply is made to its end also when nobody stays ' +
          'to read it.',
        tags,
        security,
        body: SayBody,
        ...eventStream(ReplyEvents),
        response: {
          200: { type: 'string', description: 'text/event-stream' },
          ...errors(401, 403, 409, 413, 415, 422, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const holder = holderOf(request)
      count(holder.sessionId)
      const message = wordsOf(request.body.message)
      const messageId = messageIdOf(request, holder)
      const events = replying(options, { holder, message, messageId, finish, log: request.log })
      await sendEvents(reply as FastifyReply, events, { goesOn: true })
      return reply
    },
  )

  const call = caller(options, count, finish)
  scope.post(
    `${BASE}/handoff`,
    {
      config,
      schema: {
        summary: 'Call a person',
        tags,
        security,
        body: CallBody,
        response: { 200: ReplyBody, ...errors(401, 403, 409, 413, 415, 422, 429, 503) },
      },
    },
    (request) => call(request, request.body, {}),
  )

  scope.post(
    `${BASE}/offline`,
    {
      config,
      schema: {
        summary: 'Leave a message and an address, for people to answer later',
        description: 'It waits at the desk as every call for a person does. An `email` or a `phone` is needed.',
        tags,
        security,
        body: OfflineBody,
        response: { 200: ReplyBody, ...errors(401, 403, 409, 413, 415, 422, 429, 503) },
      },
    },
    (request) => {
      const { name = '', email = '', phone = '' } = request.body
      if (email === '' && phone.trim() === '' && holderOf(request).email === null) {
        throw new AppError('invalid', 'validation', 'email: is required, or phone')
      }
      const contact = { name: name.trim() || null, email: email || null, phone: phone.trim() || null }
      return call(request, request.body, { contact })
    },
  )
}

type Finish = (holder: Known, messageId: string, outcome: TurnOutcome) => Promise<Static<typeof ReplyBody>>

function finisher({ service, languageOf }: WidgetRoutesOptions): Finish {
  return async (holder, messageId, outcome) => {
    const state = await service.stateOf(holder.sessionId)
    return presentOutcome(outcome, { language: languageOf(outcome.reply), widget: holder.widget, state, messageId })
  }
}

/** A call for a person, with the reply as a whole. */
function caller({ service }: WidgetRoutesOptions, count: Limit, finish: Finish) {
  return async (
    request: FastifyRequest,
    { message, language }: Static<typeof CallBody>,
    more: { contact?: { name: string | null; email: string | null; phone: string | null } },
  ) => {
    const holder = holderOf(request)
    count(holder.sessionId)
    const messageId = messageIdOf(request, holder)
    const [usual = 'en'] = holder.widget.settings.languages
    const text = message === undefined ? '' : wordsOf(message)
    const outcome = await service.call(holder, { text, language: language ?? usual, messageId, ...more })
    return finish(holder, messageId, outcome)
  }
}

function replying(
  { service }: WidgetRoutesOptions,
  said: { holder: Known; message: string; messageId: string; finish: Finish; log: FastifyRequest['log'] },
): AsyncGenerator<SseEvent> {
  const { holder, message, messageId, finish, log } = said
  return presentReply(service.ask(holder, { message, messageId }), messageId, {
    finish: (outcome) => finish(holder, messageId, outcome),
    explain(error) {
      log.error({ err: error }, 'A stream ended with an error')
      return toPublic(error).message
    },
  })
}

function wordsOf(message: string): string {
  if (message.trim() === '') throw new AppError('invalid', 'validation', 'message: must not be blank')
  return message
}

/** The same for the same key, so that a message whose answer was lost is stored once, also where the process died. */
function messageIdOf({ headers }: FastifyRequest, { sessionId }: Holder): string {
  const key = headers['idempotency-key']
  return key ? `msg_${hash('sha256', `${sessionId} ${String(key)}`).slice(0, 32)}` : newId('msg')
}
