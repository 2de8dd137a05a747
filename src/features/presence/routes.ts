import { readId } from '../../http/ids.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { SessionParams } from '../sessions/index.ts'
import {
  AgentTypingBody,
  CustomerTypingBody,
  PresenceBody,
  PresenceList,
  PresenceResult,
  TypingResult,
} from './schemas.ts'
import type { Presence } from './service.ts'

/** Of seconds' use, and hence nothing for the audit log. */
const config = { isChange: false } as const

export function presenceRoutes(app: App, { presence }: { presence: Presence }): void {
  typingRoutes(app, presence)
  presenceOf(app, presence)
}

function typingRoutes(app: App, presence: Presence): void {
  app.post(
    '/api/v1/agent/sessions/:session_id/typing',
    {
      config,
      schema: {
        summary: 'Say that a person is writing to the customer',
        description:
          'Told as `typing` to the customer and to colleagues, for 6 seconds; say it again while it goes on.',
        tags: ['agent-assist'],
        params: SessionParams,
        body: AgentTypingBody,
        response: { 200: TypingResult, ...errors(401, 404, 422) },
      },
    },
    async ({ params, body, caller }) => {
      const sessionId = params.session_id.trim()
      await presence.agentTypes(sessionId, caller.person?.name ?? readId('agent_id', body.agent_id))
      return { session_id: sessionId }
    },
  )

  app.post(
    '/api/v1/chat/sessions/:session_id/typing',
    {
      config,
      schema: {
        summary: 'Say that the customer is writing',
        description: 'Told as `typing` to the people at the desk, for 6 seconds.',
        tags: ['chat'],
        params: SessionParams,
        body: CustomerTypingBody,
        response: { 200: TypingResult, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body }) => {
      const sessionId = params.session_id.trim()
      await presence.customerTypes({ sessionId, userId: readId('user_id', body.user_id) })
      return { session_id: sessionId }
    },
  )
}

function presenceOf(app: App, presence: Presence): void {
  const path = '/api/v1/agent/presence'
  app.get(
    path,
    {
      schema: {
        summary: 'Who is there, and how many conversations they have',
        tags: ['agent-assist'],
        response: { 200: PresenceList, ...errors(401) },
      },
    },
    async () => ({
      people: (await presence.list()).map(({ name, ...rest }) => ({ agent_id: name, ...toSnakeCase(rest) })),
    }),
  )

  app.post(
    path,
    {
      config,
      schema: {
        summary: 'Say that one is there, or away',
        description: 'At least every half minute: after a minute without a word one is offline.',
        tags: ['agent-assist'],
        body: PresenceBody,
        response: { 200: PresenceResult, ...errors(401, 422) },
      },
    },
    async ({ body, caller }) => {
      const name = caller.person?.name ?? readId('agent_id', body.agent_id)
      if (name === '') throw new AppError('invalid', 'validation', 'agent_id: is required with a key')
      await presence.report(name, body.state)
      return { agent_id: name, state: body.state }
    },
  )
}
