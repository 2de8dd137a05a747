import { AppError } from '../../kernel/errors.ts'
import { readOrderTalk } from '../../language/order-talk.ts'
import { findReferences } from '../../privacy/index.ts'
import { joinNeighbours, type Knowledge, type SearchHit, withoutNearDuplicates } from '../knowledge/index.ts'
import type { Business, BusinessResult } from '../orders/index.ts'
import type { StoredMessage } from '../sessions/index.ts'
import type { Handoff } from './service.ts'
import { notOwner } from './transitions.ts'
import type { DeliveryState, HandoffSession } from './types.ts'
import { createWorkspaceFeed, type DeskEvent, type FeedOptions, type TellingReader } from './workspace-feed.ts'

export interface WorkspaceOptions extends Pick<FeedOptions, 'live' | 'log'> {
  knowledge: Pick<Knowledge, 'search'>
  handoff: Handoff
  /** The fate of a session's messages that a channel is sent. */
  deliveries: (sessionId: string) => Promise<ReadonlyMap<string, DeliveryState>>
  business: Pick<Business, 'run'>
  languageOf(text: string): 'zh' | 'en'
}

export type Workspace = ReturnType<typeof createWorkspace>

export interface SessionDetail {
  session: HandoffSession
  history: StoredMessage[]
  /** By message id. */
  deliveries: ReadonlyMap<string, DeliveryState>
}

/** Help for people who answer customers, beside the sessions themselves. */
export function createWorkspace(options: WorkspaceOptions) {
  const { knowledge, handoff, log } = options
  const feed = createWorkspaceFeed(options)

  return {
    /** A session with everything that was said in it. Throws not_found. */
    async detail(sessionId: string): Promise<SessionDetail> {
      const session = await handoff.find(sessionId)
      if (!session) throw new AppError('not_found', 'session', `No session has the session_id ${sessionId}`)
      const [history, deliveries] = await Promise.all([handoff.history(sessionId), options.deliveries(sessionId)])
      return { session, history, deliveries }
    },

    /** Passages for a person to answer with; none when retrieval fails, since the person can still answer. */
    async recommend(query: string, topK: number): Promise<SearchHit[]> {
      try {
        const hits = withoutNearDuplicates(await knowledge.search({ query, topK: 3 * topK, audience: 'staff' }))
        // Where more were found than are wanted, those that stand side by side make room for others.
        return hits.length > topK ? joinNeighbours(hits, topK) : hits
      } catch (error) {
        log.warn({ err: error }, 'Retrieval failed; recommending nothing')
        return []
      }
    },

    /** @param person who asks; null: a program with the key. Throws conflict where somebody else has the session. */
    lookUp: (sessionId: string, query: string, person: string | null): Promise<BusinessResult> =>
      lookUp(options, sessionId, query, person),

    /**
     * @param follow.agentId what is said in other people's sessions is left out; empty: nothing is
     * @param follow.isAll conversations that the assistant has are told of, too
     */
    async events(
      { agentId, isAll, afterSeq }: { agentId: string; isAll: boolean; afterSeq: number | null },
      signal: AbortSignal,
    ): Promise<AsyncIterable<DeskEvent>> {
      return concerning(agentId, await feed.follow({ afterSeq, isAll }, signal))
    },

    /** Events of other parts of the desk, told to all who listen, on any replica. */
    tell: (type: string, reader: TellingReader): void => feed.tell(type, reader),

    close: (): void => feed.close(),
  }
}

/**
 * Looks up or proposes a change of what belongs to the session's customer; every value is masked. A proposed change is
 * done after a yes to the next question. An unknown session has no customer.
 */
async function lookUp(
  options: WorkspaceOptions,
  sessionId: string,
  query: string,
  person: string | null,
): Promise<BusinessResult> {
  const { handoff, business, languageOf } = options
  const session = await handoff.find(sessionId)
  const isOthers = person !== null && session?.agentStatus === 'assigned' && session.agentId !== person
  // A yes would do what was proposed to the one who has the session.
  if (isOthers && session.agentPending) throw notOwner(session)
  const result = await business.run({
    talk: readOrderTalk(query, findReferences(query)),
    session: { sessionId, userId: session?.userId ?? '', pending: session?.agentPending ?? null },
    language: languageOf(query),
    role: 'agent',
  })
  if (!session) return result
  if (isOthers && result.pending) throw notOwner(session)
  await handoff.saveAgentPending(sessionId, result.pending)
  return result
}

async function* concerning(agentId: string, events: AsyncIterable<DeskEvent>): AsyncGenerator<DeskEvent> {
  for await (const event of events) if (agentId === '' || concerns(event, agentId)) yield event
}

/** Changes of state, and what matters for a moment, concern everybody; what is said in sessions of others does not. */
function concerns(event: DeskEvent, agentId: string): boolean {
  if ('aside' in event || 'activity' in event) return true
  const { session } = event
  const isForAll = 'message' in event ? event.message.role === 'system' : event.concerns.includes(agentId)
  return isForAll || session.agentStatus !== 'assigned' || session.agentId === agentId
}
