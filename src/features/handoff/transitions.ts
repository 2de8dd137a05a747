import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { fold } from '../../language/fold.ts'
import { replyLanguageOf } from '../../language/languages.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { type HandoffEvent, insertMessage, latestMessage, type StoredMessage, tellDesk } from '../sessions/index.ts'
import { handoffNotice } from './phrases.ts'
import { findHandoff } from './queries.ts'
import type { Actor, HandoffSession } from './types.ts'

export interface TransitionOptions {
  db: Database
  live: LiveEvents
  /** Queues what a person or the system says for a channel that the customer does not keep open. */
  deliver(executor: Executor, message: { messageId: string; sessionId: string; content: string }): Promise<void>
}

/** Events that changes of state are told by; the turn that calls a person tells of that itself. */
export type Change = Exclude<HandoffEvent, 'handoff'>

/** Words of a change for colleagues alone. */
export interface ChangeFacts {
  /** Who had the session before. */
  from?: string | null
  note?: string
}

/** A change of state with its notice to the customer, or neither. Throws not_found, and conflict where the state forbids it. */
export async function change(
  options: TransitionOptions,
  sessionId: string,
  event: Change,
  transition: (trx: Executor) => Promise<HandoffSession | undefined>,
  { actor = null, ...facts }: ChangeFacts & { actor?: Actor | null } = {},
): Promise<HandoffSession> {
  return options.db.transaction(async (trx) => {
    const session = await transition(trx)
    if (!session) throw await refusal(trx, sessionId, event, actor)
    await announce(options, trx, session, event, facts)
    return session
  })
}

/** Customers of a channel that takes few messages are told only what they could not know otherwise. */
const DELIVERED: ReadonlySet<HandoffEvent> = new Set(['returned', 'handed_back'])

export async function announce(
  options: TransitionOptions,
  trx: Executor,
  session: HandoffSession,
  event: Change,
  facts: ChangeFacts = {},
): Promise<void> {
  const asked = await latestMessage(trx, session.sessionId, 'user')
  const language = replyLanguageOf(fold(asked?.content ?? ''), []) === 'zh' ? 'zh' : 'en'
  const content = handoffNotice(event, language)
  const said = { role: 'system', content, event, author: session.agentId, isDelivered: DELIVERED.has(event) } as const
  await post(options, trx, session, { ...said, ...facts })
}

/** Stores what a person or the system says, sends it where the customer does not listen, and tells who does. */
export async function post(
  { live, deliver }: TransitionOptions,
  trx: Executor,
  { sessionId, isGuestCall }: HandoffSession,
  said: ChangeFacts & {
    role: 'agent' | 'system'
    content: string
    event?: HandoffEvent
    author: string | null
    isDelivered: boolean
  },
): Promise<StoredMessage> {
  const { role, content, event, author, from = null, note = '', isDelivered } = said
  const message = { messageId: newId('msg'), sessionId, content }
  const details = {
    ...(event && { event }),
    ...(author !== null && { agentId: author }),
    ...(from !== null && { from }),
    ...(note !== '' && { note }),
    // A person talks to whoever called, and only they may read it.
    ...(isGuestCall && { guest: true }),
  }
  const stored = await insertMessage(trx, { ...message, role, details })
  await tellDesk(trx, message.messageId)
  if (isDelivered) await deliver(trx, message)
  for (const topic of [`session:${sessionId}`, 'workspace']) {
    await live.publish(trx, { topic, type: event ?? 'message', ref: message.messageId })
  }
  return stored
}

const REQUIRED = {
  accepted: 'pending',
  cancelled: 'pending',
  returned: 'pending',
  resolved: 'assigned',
  transferred: 'assigned',
  released: 'assigned',
  handed_back: 'assigned',
  message: 'assigned',
} as const

/** Why a transition found no row: the session does not exist, is in another state, or somebody else has it. */
export async function refusal(
  executor: Executor,
  sessionId: string,
  wanted: keyof typeof REQUIRED,
  actor: Actor | null = null,
): Promise<AppError> {
  const session = await findHandoff(executor, sessionId)
  if (!session) return new AppError('not_found', 'session', `No session has the session_id ${sessionId}`)
  if (session.agentStatus === REQUIRED[wanted] && actor !== null) return notOwner(session)
  const state = session.agentStatus ?? 'with the assistant'
  const text = `The session is ${state}, not ${REQUIRED[wanted]}`
  return new AppError('conflict', 'session_state', text)
}

/** Only the person who has a session writes in it. */
export function notOwner({ agentId }: Pick<HandoffSession, 'agentId'>): AppError {
  const owner = agentId ?? 'somebody who was not named'
  return new AppError('conflict', 'not_owner', `The session is with ${owner}: take it over, or have it transferred`)
}
