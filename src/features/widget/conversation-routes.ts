import type { FastifyReply } from 'fastify'
import { acceptUploads, checkedByHandler, readForm } from '../../http/multipart.ts'
import { errors, eventStream } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { clientSignal, type SseEvent, sendEvents } from '../../http/sse.ts'
import { AppError } from '../../kernel/errors.ts'
import { EventsHeaders } from '../sessions/index.ts'
import { BASE, config, holderOf, type Known, security, tags, type WidgetRoutesOptions } from './holder-routes.ts'
import { atOnce } from './limits.ts'
import { type MessageView, presentLive, presentMessage, presentState } from './present.ts'
import { FileForm, LiveEvents, MessageBody, MessagesBody, MessagesQuery, StateBody } from './schemas.ts'
import type { WidgetService } from './service.ts'

const STREAMS_AT_ONCE = 6

/** All that is seen of a conversation, and files in it. */
export function readingRoutes(scope: App, options: WidgetRoutesOptions): void {
  const { service } = options
  const open = atOnce(STREAMS_AT_ONCE, 'events')
  scope.get(
    `${BASE}/messages`,
    {
      config,
      schema: {
        summary: 'The conversation so far, oldest first, and where it stands',
        tags,
        security,
        querystring: MessagesQuery,
        response: { 200: MessagesBody, ...errors(401, 403, 404, 422, 429) },
      },
    },
    async (request) => {
      const holder = holderOf(request)
      const { messages, files, feedback } = await service.messages(
        holder,
        request.query.after ?? '',
        request.query.limit,
      )
      const agents = messages.flatMap(({ details }) => details.agentId ?? [])
      const view = await viewOf(options, holder, { files, feedback, agents })
      const state = presentState(await service.stateOf(holder.sessionId))
      return { messages: messages.map((message) => presentMessage(message, view)), state }
    },
  )

  scope.get(
    `${BASE}/state`,
    {
      config,
      schema: {
        summary: 'Where the conversation stands: its place in the queue, whether people are there',
        tags,
        security,
        response: { 200: StateBody, ...errors(401, 403, 429) },
      },
    },
    async (request) => presentState(await service.stateOf(holderOf(request).sessionId)),
  )

  scope.get(
    `${BASE}/events`,
    {
      config,
      schema: {
        summary: 'What people say in the conversation, as it happens',
        description:
          'Server-sent events: `message`, also of the system; `typing` and `read` matter for a moment and are never repeated; ' +
          '`closing`: the service ends. `Last-Event-ID` resumes. 404 before the first message. `x-events` has the schema of each.',
        tags,
        security,
        headers: EventsHeaders,
        ...eventStream(LiveEvents),
        response: {
          200: { type: 'string', description: 'text/event-stream' },
          ...errors(401, 403, 404, 422, 429),
        },
      },
    },
    async (request, reply) => {
      const holder = holderOf(request)
      const close = open(holder.sessionId)
      try {
        const last = request.headers['last-event-id']
        const signal = AbortSignal.any([clientSignal(reply as FastifyReply), scope.closing])
        const events = await service.events(holder, last === undefined ? null : Number(last), signal)
        await sendEvents(reply as FastifyReply, living(options, holder, events))
      } finally {
        close()
      }
      return reply
    },
  )
}

async function* living(
  options: WidgetRoutesOptions,
  holder: Known,
  events: Awaited<ReturnType<WidgetService['events']>>,
): AsyncGenerator<SseEvent> {
  for await (const event of events) {
    const agentId = 'aside' in event ? undefined : event.details.agentId
    const files = 'aside' in event || event.role !== 'agent' ? [] : await options.service.filesOf(holder)
    const view = await viewOf(options, holder, { files, feedback: new Map(), agents: agentId ? [agentId] : [] })
    yield presentLive(event, view)
  }
}

async function viewOf(
  { presentFile, readers }: WidgetRoutesOptions,
  { widget }: Known,
  { agents, ...rest }: Pick<MessageView, 'files' | 'feedback'> & { agents: readonly string[] },
): Promise<MessageView> {
  const named = [...new Set(agents)].map(async (name) => [name, await readers.displayNameOf(name)] as const)
  const { showsSources } = widget.settings
  return {
    showsSources,
    ...rest,
    presentFile,
    names: new Map(await Promise.all(named)),
  }
}

export async function fileRoute(scope: App, options: WidgetRoutesOptions): Promise<void> {
  const { service } = options
  await acceptUploads(scope, options.maxFileMb)
  scope.post(
    `${BASE}/attachments`,
    {
      config,
      schema: {
        summary: 'Send a file',
        description: 'It becomes a message. Images, PDFs and plain text, by their content.',
        tags,
        security,
        consumes: ['multipart/form-data'],
        body: FileForm,
        response: { 201: MessageBody, ...errors(401, 403, 409, 413, 415, 422, 429) },
      },
      validatorCompiler: checkedByHandler,
    },
    async (request, reply) => {
      const holder = holderOf(request)
      const { file } = await readForm(request)
      if (!file) throw new AppError('invalid', 'validation', 'file: is required')
      const sent = await service.sendFile(holder, file)
      const view = await viewOf(options, holder, { files: [sent], feedback: new Map(), agents: [] })
      const { messageId, createdAt, fileName } = sent
      reply.code(201)
      return presentMessage(
        {
          messageId,
          createdAt,
          role: 'user',
          content: `[${fileName}]`,
          sources: null,
          details: {},
          intent: null,
          seq: 0,
        },
        view,
      )
    },
  )
}
