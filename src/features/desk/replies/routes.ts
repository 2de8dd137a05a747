import type { Static } from 'typebox'
import { noteChange } from '../../../http/changes.ts'
import { decodeCursor, encodeCursor } from '../../../http/cursor.ts'
import { readId } from '../../../http/ids.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { AppError } from '../../../kernel/errors.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import {
  NewReplyBody,
  RemovedReplyBody,
  RenderBody,
  RenderedBody,
  RepliesBody,
  RepliesQuery,
  ReplyBody,
  ReplyChangeBody,
  ReplyParams,
} from './schemas.ts'
import type { Replies } from './service.ts'
import type { ReplyWords, SavedReply } from './types.ts'
import { variablesOf } from './variables.ts'

const tags = ['agent-assist']
const REPLIES = '/api/v1/agent/replies'

export function replyRoutes(app: App, { replies }: { replies: Replies }): void {
  listRoutes(app, replies)
  oneRoutes(app, replies)
  renderRoute(app, replies)
}

function listRoutes(app: App, replies: Replies): void {
  app.get(
    REPLIES,
    {
      schema: {
        summary: 'Saved replies, the newest first',
        tags,
        querystring: RepliesQuery,
        response: { 200: RepliesBody, ...errors(400, 401, 403, 422) },
      },
    },
    async ({ query: { q = '', language, before, limit } }) => {
      const words = q.split(/\s+/).filter((word) => word !== '')
      const found = await replies.list({ words, before: cursorOf(before), limit, ...(language && { language }) })
      const last = found.length === limit ? found.at(-1) : undefined
      return {
        replies: found.map(presentReply),
        next_before: last ? encodeCursor([last.createdKey, last.replyId]) : null,
      }
    },
  )

  app.post(
    REPLIES,
    {
      schema: {
        summary: 'Save a reply',
        description: 'Variables are checked: one that is not known is 422.',
        tags,
        body: NewReplyBody,
        response: { 201: ReplyBody, ...errors(401, 403, 409, 422) },
      },
    },
    async (request, response) => {
      const { body, caller } = request
      const { title, content, shortcut = null, language = null } = body
      const author = caller.person?.name ?? readId('agent_id', body.agent_id)
      assertWords(body)
      const reply = presentReply(await replies.add({ title: title.trim(), content, shortcut, language }, author))
      noteChange(request, { subject: `reply:${reply.reply_id}`, after: reply })
      return response.status(201).send(reply)
    },
  )
}

function oneRoutes(app: App, replies: Replies): void {
  const path = `${REPLIES}/:reply_id`
  app.get(
    path,
    {
      schema: {
        summary: 'A saved reply',
        tags,
        params: ReplyParams,
        response: { 200: ReplyBody, ...errors(401, 403, 404, 422) },
      },
    },
    async ({ params }) => presentReply(await replies.find(params.reply_id.trim())),
  )

  app.put(
    path,
    {
      schema: {
        summary: 'Change a saved reply',
        description: 'Fields that are left out stay.',
        tags,
        params: ReplyParams,
        body: ReplyChangeBody,
        response: { 200: ReplyBody, ...errors(401, 403, 404, 409, 422) },
      },
    },
    async (request) => {
      const { params, body } = request
      assertWords(body)
      const { before, after } = await replies.change(params.reply_id.trim(), changeOf(body))
      noteChange(request, { before: presentReply(before), after: presentReply(after) })
      return presentReply(after)
    },
  )

  app.delete(
    path,
    {
      schema: {
        summary: 'Remove a saved reply',
        tags,
        params: ReplyParams,
        response: { 200: RemovedReplyBody, ...errors(401, 403, 404, 422) },
      },
    },
    async (request) => {
      const reply = await replies.remove(request.params.reply_id.trim())
      noteChange(request, { before: presentReply(reply) })
      return { reply_id: reply.replyId, deleted: true }
    },
  )
}

function renderRoute(app: App, replies: Replies): void {
  app.post(
    `${REPLIES}/:reply_id/render`,
    {
      config: { isChange: false },
      schema: {
        summary: 'A saved reply with the values of a conversation',
        description: 'Personal values are masked as in look-ups. Nothing is sent; it counts as a use.',
        tags,
        params: ReplyParams,
        body: RenderBody,
        response: { 200: RenderedBody, ...errors(401, 403, 404, 422) },
      },
    },
    async ({ params, body, caller }) => {
      const [replyId, sessionId] = [params.reply_id.trim(), body.session_id.trim()]
      const agentName = caller.person?.displayName ?? readId('agent_id', body.agent_id)
      const rendering = { sessionId, agentName, orderId: readId('order_id', body.order_id) }
      const { text, missing } = await replies.render(replyId, rendering)
      return { reply_id: replyId, session_id: sessionId, text, missing }
    },
  )
}

function assertWords({ content }: { content?: string }): void {
  if (content?.trim() === '') throw new AppError('invalid', 'validation', 'content: must not be blank')
}

function changeOf({ title, content, shortcut, language }: Static<typeof ReplyChangeBody>): Partial<ReplyWords> {
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(content !== undefined && { content }),
    ...(shortcut !== undefined && { shortcut }),
    ...(language !== undefined && { language }),
  }
}

function cursorOf(before: string | undefined) {
  if (before === undefined) return null
  const [createdAt, replyId] = decodeCursor(before)
  return { createdAt, replyId }
}

function presentReply({ createdKey: _, ...reply }: SavedReply) {
  return { ...toSnakeCase(reply), variables: variablesOf(reply.content) }
}
