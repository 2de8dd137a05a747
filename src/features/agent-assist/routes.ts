import type { FastifyReply } from 'fastify'
import { readId } from '../../http/ids.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { clientSignal, type SseEvent, sendEvents } from '../../http/sse.ts'
import { AppError } from '../../kernel/errors.ts'
import {
  presentDetail,
  presentEvent,
  presentHit,
  presentLookUp,
  presentSent,
  presentSolution,
  presentSummary,
  presentTransition,
} from './present.ts'
import {
  AcceptBody,
  DetailBody,
  EventsHeaders,
  EventsQuery,
  LookUpBody,
  LookUpResponse,
  PendingList,
  PendingQuery,
  RecommendBody,
  RecommendResponse,
  ResolveBody,
  SayBody,
  SentBody,
  SessionParams,
  SolutionRecord,
  SolutionSubmitBody,
  TransitionBody,
} from './schemas.ts'
import type { AgentAssist } from './service.ts'

const tags = ['agent-assist']
const SESSION = '/api/v1/agent/sessions/:session_id'

export function agentAssistRoutes(app: App, { agentAssist }: { agentAssist: AgentAssist }): void {
  viewRoutes(app, agentAssist)
  conversationRoutes(app, agentAssist)
  helpRoutes(app, agentAssist)
}

function viewRoutes(app: App, agentAssist: AgentAssist): void {
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
    async ({ query }) => (await agentAssist.pending(query.limit)).map(presentSummary),
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
    async ({ params }) => presentDetail(await agentAssist.detail(params.session_id.trim())),
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
          '`session_cancelled`, `message`, and `delivery_failed`: a channel will not bring a message to its customer. ' +
          '`closing`: the service ends. `Last-Event-ID` resumes.',
        tags,
        querystring: EventsQuery,
        headers: EventsHeaders,
        produces: ['text/event-stream'],
        response: { 200: { type: 'string', description: 'text/event-stream' }, ...errors(401, 422) },
      },
    },
    async ({ query, headers }, reply) => {
      const last = headers['last-event-id']
      const signal = AbortSignal.any([clientSignal(reply as FastifyReply), app.closing])
      const events = await agentAssist.events(
        readId('agent_id', query.agent_id),
        last === undefined ? null : Number(last),
        signal,
      )
      await sendEvents(reply as FastifyReply, presented(events))
      return reply
    },
  )
}

function conversationRoutes(app: App, agentAssist: AgentAssist): void {
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
    async ({ params, body }) =>
      presentTransition(await agentAssist.accept(params.session_id.trim(), readId('agent_id', body.agent_id))),
  )

  app.post(
    `${SESSION}/messages`,
    {
      schema: {
        summary: 'Write to the customer',
        tags,
        params: SessionParams,
        body: SayBody,
        response: { 200: SentBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body }) => {
      refuseBlank('content', body.content)
      return presentSent(await agentAssist.say(params.session_id.trim(), body.content))
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
    async ({ params, body }) => presentTransition(await agentAssist.resolve(params.session_id.trim(), body.note ?? '')),
  )
}

function helpRoutes(app: App, agentAssist: AgentAssist): void {
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
      const hits = await agentAssist.recommend(body.query, body.top_k ?? 5)
      return { chunks: hits.map(presentHit), total: hits.length }
    },
  )

  app.post(
    `${SESSION}/business-assist`,
    {
      schema: {
        summary: 'Look up or change what belongs to the customer, with personal values masked',
        tags,
        params: SessionParams,
        body: LookUpBody,
        response: { 200: LookUpResponse, ...errors(401, 422) },
      },
    },
    async ({ params, body }) => presentLookUp(await agentAssist.lookUp(params.session_id.trim(), body.query)),
  )

  app.post(
    `${SESSION}/solution`,
    {
      schema: {
        summary: 'Submit what was answered, for review and reuse',
        tags,
        params: SessionParams,
        body: SolutionSubmitBody,
        response: { 200: SolutionRecord, ...errors(401, 404, 422) },
      },
    },
    async ({ params, body }) => {
      const { question, solution, intent = '' } = body
      refuseBlank('question', question)
      refuseBlank('solution', solution)
      return presentSolution(await agentAssist.submitSolution(params.session_id.trim(), { question, solution, intent }))
    },
  )
}

async function* presented(events: Awaited<ReturnType<AgentAssist['events']>>): AsyncGenerator<SseEvent> {
  for await (const event of events) yield presentEvent(event)
}

function refuseBlank(field: string, value: string): void {
  if (value.trim() === '') throw new AppError('invalid', 'validation', `${field}: must not be blank`)
}
