import type { BusinessResult } from '../../business/agent.ts'
import type { Pending } from '../../business/pending.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Handoff, HandoffSession, StoredMessage } from '../chat/index.ts'
import type { Escalation, Solution } from '../escalation/index.ts'
import type { DeliveryState } from '../gateway/index.ts'
import type { Knowledge, SearchHit } from '../knowledge/index.ts'
import { createWorkspaceFeed, type FeedOptions, type WorkspaceEvent } from './workspace-feed.ts'

export interface AgentAssistOptions extends Pick<FeedOptions, 'live' | 'log'> {
  knowledge: Pick<Knowledge, 'search'>
  handoff: Handoff
  escalation: Pick<Escalation, 'submit'>
  /** What became of a session's messages that a channel takes by itself. */
  deliveries: (sessionId: string) => Promise<ReadonlyMap<string, DeliveryState>>
  business: {
    run(request: {
      query: string
      session: { sessionId: string; userId: string; pending: Pending | null }
      language: 'zh' | 'en'
      role: 'agent'
    }): Promise<BusinessResult>
  }
  languageOf(text: string): 'zh' | 'en'
}

export type AgentAssist = ReturnType<typeof createAgentAssist>
export type Recommendation = SearchHit

export interface SessionDetail {
  session: HandoffSession
  history: StoredMessage[]
  /** By message id. */
  deliveries: ReadonlyMap<string, DeliveryState>
}

export interface SubmittedSolution {
  question: string
  solution: string
  intent: string
}

/** What people who answer customers work with. */
export function createAgentAssist(options: AgentAssistOptions) {
  const { knowledge, handoff, escalation, log } = options
  const feed = createWorkspaceFeed(options)

  return {
    pending: (limit: number): Promise<HandoffSession[]> => handoff.pending(limit),

    /** A session with everything that was said in it. Throws not_found. */
    async detail(sessionId: string): Promise<SessionDetail> {
      const session = await existing(handoff, sessionId)
      const [history, deliveries] = await Promise.all([handoff.history(sessionId), options.deliveries(sessionId)])
      return { session, history, deliveries }
    },

    accept: (sessionId: string, agentId: string): Promise<HandoffSession> => handoff.accept(sessionId, agentId),

    say: (sessionId: string, content: string): Promise<StoredMessage> => handoff.say(sessionId, content),

    resolve: (sessionId: string, note: string): Promise<HandoffSession> => handoff.resolve(sessionId, note),

    /** Passages for a person to answer with; none when retrieval fails, since the person can still answer. */
    async recommend(query: string, topK: number): Promise<Recommendation[]> {
      try {
        return await knowledge.search({ query, topK })
      } catch (error) {
        log.warn({ err: error }, 'Retrieval failed; recommending nothing')
        return []
      }
    },

    lookUp: (sessionId: string, query: string): Promise<BusinessResult> => lookUp(options, sessionId, query),

    /** Puts what the person answered into the review queue. Throws not_found for an unknown session. */
    async submitSolution(sessionId: string, submitted: SubmittedSolution): Promise<Solution> {
      await existing(handoff, sessionId)
      return escalation.submit({ sessionId, ...submitted })
    },

    /** @param agentId what is said in other people's sessions is left out; empty: nothing is. */
    async events(
      agentId: string,
      afterSeq: number | null,
      signal: AbortSignal,
    ): Promise<AsyncIterable<WorkspaceEvent>> {
      return concerning(agentId, await feed.follow(afterSeq, signal))
    },

    close: (): void => feed.close(),
  }
}

async function existing(handoff: Handoff, sessionId: string): Promise<HandoffSession> {
  const session = await handoff.find(sessionId)
  if (!session) throw new AppError('not_found', 'session', `No session has the session_id ${sessionId}`)
  return session
}

/**
 * Looks up or proposes a change of what belongs to the session's customer; every value is masked. What was proposed is
 * done after a yes to the next question. An unknown session has no customer.
 */
async function lookUp(options: AgentAssistOptions, sessionId: string, query: string): Promise<BusinessResult> {
  const { handoff, business, languageOf } = options
  const session = await handoff.find(sessionId)
  const pending = session ? ((await handoff.agentPending(sessionId)) as Pending | null) : null
  const result = await business.run({
    query,
    session: { sessionId, userId: session?.userId ?? '', pending },
    language: languageOf(query),
    role: 'agent',
  })
  if (session) await handoff.saveAgentPending(sessionId, result.pending)
  return result
}

async function* concerning(agentId: string, events: AsyncIterable<WorkspaceEvent>): AsyncGenerator<WorkspaceEvent> {
  for await (const event of events) {
    const { message, session } = event
    const isOthers = session.agentStatus === 'assigned' && session.agentId !== agentId
    if (agentId === '' || message.role === 'system' || !isOthers) yield event
  }
}
