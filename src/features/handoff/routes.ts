import type { FastifyReply, FastifyRequest } from 'fastify'
import { noteChange } from '../../http/changes.ts'
import { readId } from '../../http/ids.ts'
import { errors, eventStream } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { clientSignal, type SseEvent, sendEvents } from '../../http/sse.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { EventsHeaders, NOT_HANDED_OVER, SessionParams } from '../sessions/index.ts'
import { presentDetail, presentEvent, presentHit, presentSummary, presentTransition } from './present.ts'
import {
  AcceptBody,
  CancelBody,
  CancelResult,
  DetailBody,
  EventsQuery,
  LookUpBody,
  LookUpResponse,
  PendingList,
  PendingQuery,
  RecommendBody,
  RecommendResponse,
  ReleaseBody,
  ResolveBody,
  SentBody,
  TakeBody,
  TransferBody,
  TransitionBody,
  WorkspaceEvents,
  WriteBody,
} from './schemas.ts'
import type { Handoff } from './service.ts'
import type { Actor, HandoffSession } from './types.ts'
import type { Workspace } from './workspace.ts'

const tags = ['agent-assist']
const SESSION = '/api/v1/agent/sessions/:session_id'

interface HandoffServices {
  handoff: Handoff
  workspace: Workspace
}

export function handoffRoutes(app: App, services: HandoffServices): void {
  cancelRoute(app, services)
  viewRoutes(app, services)
  conversationRoutes(app, services)
  ownershipRoutes(app, services)
  helpRoutes(app, services)
}

/** A customer may take back the call for a person. */
function cancelRoute(app: App, { handoff }: HandoffServices): void {
  app.post(
    '/api/v1/chat/sessions/:session_id/handoff/cancel',
    {
      schema: {
        summary: 'No longer wait for a person',
        tags: ['chat'],
        params: SessionParams,
        body: CancelBody,
        response: { 200: CancelResult, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body }) => {
      const userId = readId('user_id', body.user_id)
      const { sessionId, updatedAt } = await handoff.cancel(params.session_id.trim(), userId)
      return { session_id: sessionId, agent_status: NOT_HANDED_OVER, updated_at: updatedAt.toISOString() }
    },
  )
}

function viewRoutes(app: App, { handoff, workspace }: HandoffServices): void {
  app.get(
    '/api/v1/agent/sessions/pending',
    {
      schema: {
        summary: 'Sessions that wait for a person',
        description: 'The most pressing first, among equal ones the longest waiting.',
        tags,
        querystring: PendingQuery,
        response: { 200: PendingList, ...errors(401, 422) },
      },
    },
    async ({ query }) => (await handoff.pending(query.limit)).map(presentSummary),
  )

  app.get(
    SESSION,
    {
      schema: {
        summary: 'A session with its card and everything that was said',
        tags,
        params: SessionParams,
        response: { 200: DetailBody, ...errors(401, 404, 422) },
      },
    },
    async ({ params }) => presentDetail(await workspace.detail(params.session_id.trim())),
  )

  app.get(
    '/api/v1/agent/events',
    {
      // A HEAD would wait for the end of a stream that has none.
      exposeHeadRoute: false,
      schema: {
        summary: 'What happens in the workspace, as it happens',
        description:
          'Server-sent events: `session_pending`, `session_assigned`, `session_resolved`, `session_returned`, ' +
          '`session_cancelled`, `message`, `delivery_failed`: a channel will not bring a message to its customer, and ' +
          '`note`: of a colleague; `change` says whether it was `added`, `changed` or `removed`; `labels`: of a conversation. ' +
          '`typing`, `read` and `presence` matter for a moment; they, notes and labels are never repeated; `activity` with `scope=all`. ' +
          '`closing`: the service ends. `Last-Event-ID` resumes. `x-events` has the schema of each.',
        tags,
        querystring: EventsQuery,
        headers: EventsHeaders,
        ...eventStream(WorkspaceEvents),
        response: { 200: { type: 'string', description: 'text/event-stream' }, ...errors(401, 422) },
      },
    },
    async ({ query, headers }, reply) => {
      const last = headers['last-event-id']
      const signal = AbortSignal.any([clientSignal(reply as FastifyReply), app.closing])
      const follow = {
        agentId: readId('agent_id', query.agent_id),
        isAll: query.scope === 'all',
        afterSeq: last === undefined ? null : Number(last),
      }
      const events = await workspace.events(follow, signal)
      await sendEvents(reply as FastifyReply, presented(events))
      return reply
    },
  )
}

function conversationRoutes(app: App, { handoff }: HandoffServices): void {
  app.post(
    `${SESSION}/accept`,
    {
      schema: {
        summary: 'Take a waiting session',
        description: 'Of several people at once exactly one gets it.',
        tags,
        params: SessionParams,
        body: AcceptBody,
        response: { 200: TransitionBody, ...errors(401, 404, 409, 422) },
      },
    },
    async (request) => {
      const { params, body, caller } = request
      return noted(request, await handoff.accept(params.session_id.trim(), agentOf(caller, body.agent_id)))
    },
  )

  app.post(
    `${SESSION}/messages`,
    {
      schema: {
        summary: 'Write to the customer',
        description: 'Of people who log in only the one who has the session; with the key for whoever has it.',
        tags,
        params: SessionParams,
        body: WriteBody,
        response: { 200: SentBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body, caller }) => {
      if (body.content.trim() === '') throw new AppError('invalid', 'validation', 'content: must not be blank')
      const sent = await handoff.write(params.session_id.trim(), body.content, actorOf(caller))
      const { messageId, role, createdAt: timestamp } = sent
      return toSnakeCase({ messageId, timestamp, role })
    },
  )

  app.post(
    `${SESSION}/resolve`,
    {
      schema: {
        summary: 'Give an assigned session back to the assistant',
        tags,
        params: SessionParams,
        body: ResolveBody,
        response: { 200: TransitionBody, ...errors(401, 404, 409, 422) },
      },
    },
    async (request) => {
      const { params, body, caller } = request
      return noted(request, await handoff.resolve(params.session_id.trim(), body.note ?? '', actorOf(caller)))
    },
  )
}

/** Conversations going from hand to hand. */
function ownershipRoutes(app: App, { handoff }: HandoffServices): void {
  const response = { 200: TransitionBody, ...errors(401, 404, 409, 422) }

  app.post(
    `${SESSION}/take`,
    {
      schema: {
        summary: 'Take a session, also one that nobody called a person for',
        description:
          'From those who wait or from the assistant; of several people at once exactly one gets it. One’s own stays.',
        tags,
        params: SessionParams,
        body: TakeBody,
        response,
      },
    },
    async (request) => {
      const { params, body, caller } = request
      const taking = { agentId: agentOf(caller, body.agent_id), force: body.force ?? false, actor: actorOf(caller) }
      return noted(request, await handoff.take(params.session_id.trim(), taking))
    },
  )

  app.post(
    `${SESSION}/transfer`,
    {
      schema: {
        summary: 'Hand a session to a colleague',
        description: 'Who has it, admins, and the key may. The colleague has it at once, and the customer is told.',
        tags,
        params: SessionParams,
        body: TransferBody,
        response,
      },
    },
    async (request) => {
      const { params, body, caller } = request
      const to = readId('agent_id', body.agent_id)
      const transfer = { to, note: body.note ?? '', actor: actorOf(caller) }
      if (to === '') throw new AppError('invalid', 'validation', 'agent_id: must not be blank')
      return noted(request, await handoff.transfer(params.session_id.trim(), transfer))
    },
  )

  app.post(
    `${SESSION}/release`,
    {
      schema: {
        summary: 'Give a session back to those who wait, or to the assistant',
        description: 'Who has it, admins, and the key may. Unresolved: the customer is told who goes on.',
        tags,
        params: SessionParams,
        body: ReleaseBody,
        response,
      },
    },
    async (request) => {
      const { params, body, caller } = request
      const release = { to: body.to ?? 'queue', note: body.note ?? '', actor: actorOf(caller) } as const
      return noted(request, await handoff.release(params.session_id.trim(), release))
    },
  )
}

type Asking = Pick<FastifyRequest, 'caller'>['caller']

/** The name under which somebody acts: their own, or with a key the one that the request gives. */
function agentOf(caller: Asking, given: string | undefined): string {
  return caller.person?.name ?? readId('agent_id', given)
}

function actorOf({ person }: Asking): Actor | null {
  return person && { name: person.name, isAdmin: person.role === 'admin' }
}

function noted(request: FastifyRequest, session: HandoffSession) {
  const body = presentTransition(session)
  noteChange(request, { after: { agent_status: body.agent_status, agent_id: body.agent_id } })
  return body
}

function helpRoutes(app: App, { workspace }: HandoffServices): void {
  app.post(
    `${SESSION}/knowledge-recommend`,
    {
      schema: {
        summary: 'Passages that help to answer',
        description: 'An unknown session or a failing retrieval is 200 as well.',
        tags,
        params: SessionParams,
        body: RecommendBody,
        response: { 200: RecommendResponse, ...errors(401, 422) },
      },
    },
    async ({ body }) => {
      const hits = await workspace.recommend(body.query, body.top_k ?? 5)
      return { chunks: hits.map(presentHit), total: hits.length }
    },
  )

  app.post(
    `${SESSION}/business-assist`,
    {
      schema: {
        summary: 'Look up or change what belongs to the customer, with personal values masked',
        description:
          'A person who is logged in can look up in any session, and change something only in their own (409).',
        tags,
        params: SessionParams,
        body: LookUpBody,
        response: { 200: LookUpResponse, ...errors(401, 409, 422) },
      },
    },
    async ({ params, body, caller }) => {
      const found = await workspace.lookUp(params.session_id.trim(), body.query, caller.person?.name ?? null)
      const { reply, data, error, needConfirmation: need_confirmation, scene, maskedFields: masked_fields } = found
      return { result: { reply, data, error, need_confirmation, scene }, masked_fields }
    },
  )
}

async function* presented(events: Awaited<ReturnType<Workspace['events']>>): AsyncGenerator<SseEvent> {
  for await (const event of events) yield presentEvent(event)
}
