import type { OrderTalk } from '../../language/order-talk.ts'
import type { Scene } from '../../language/scenes.ts'
import type { Clock } from '../../platform/clock.ts'
import { maskRecord, maskText } from '../../privacy/index.ts'
import type { Pending, PendingBase } from './pending.ts'
import type { BusinessPolicy } from './policy.ts'
import { type Replies, repliesIn } from './replies.ts'
import type { BusinessConnector, ConnectorRegistry, Customer, DoneChange, Language, Order, Role } from './types.ts'

export interface BusinessSession {
  readonly sessionId: string
  /** Who the channel says the customer is; it is verified through the connector. */
  readonly userId: string
  readonly pending?: Pending | null
  /** Numbers of the orders that were last spoken of. */
  readonly topic?: readonly string[] | undefined
  /** Changes that were made in it last. */
  readonly done?: readonly DoneChange[] | undefined
  /** The customer's message before this one; empty: none. */
  readonly before?: string
}

/** One message for the business agent. */
export interface BusinessRequest {
  /** The message as it was read; nothing here reads its words for what is wanted. */
  readonly talk: OrderTalk
  readonly session: BusinessSession
  readonly language: Language
  readonly role: Role
  readonly connectors: ConnectorRegistry
  readonly policy: BusinessPolicy
  readonly clock: Clock
  /** Unique ids for changes. */
  readonly newId: () => string
  /** Told why a business system failed; the reply does not say. */
  readonly onFailure?: (error: unknown) => void
}

/**
 * How a request ended. `ask`: a question back (which order, which address). `confirm`: a question for confirmation.
 * `done`: a change was made. `refused`: the policy forbids it. `failed`: a business system does not work. `none`: not
 * a business matter, or one that the pending question leaves to others.
 */
export type Outcome =
  | 'answered'
  | 'ask'
  | 'confirm'
  | 'done'
  | 'unchanged'
  | 'refused'
  | 'not_found'
  | 'unverified'
  | 'failed'
  | 'none'

export interface BusinessResult {
  readonly reply: string
  /** Masked for customers and agents alike. */
  readonly data: Record<string, unknown>
  readonly error: string | null
  readonly needConfirmation: boolean
  readonly scene: Scene
  /** Paths in `data`, such as `orders[0].email`. */
  readonly maskedFields: string[]
  readonly outcome: Outcome
  /** The request that the policy leaves to a person, as it was put to the customer; null when there is none. */
  readonly restriction: string | null
  /** To be stored with the session and given back with its next message; null clears it. */
  readonly pending: Pending | null
  /** Numbers of the orders that it spoke of, to be given back likewise. */
  readonly topic?: readonly string[]
  /** Changes that were made last, to be given back likewise. */
  readonly done?: readonly DoneChange[]
}

/** A request with everything that its steps need. */
export interface Turn {
  readonly request: BusinessRequest
  /** The request that is dealt with: the message, or the one that raised the question which the message answers. */
  readonly talk: OrderTalk
  /** Numbers of orders that were chosen before; those in the talk do not count then. */
  readonly chosen: readonly string[]
  readonly scene: Scene
  readonly connector: BusinessConnector
  readonly replies: Replies
  readonly nowMs: number
}

export function turnFor(
  request: BusinessRequest,
  scene: Scene,
  { talk = request.talk, chosen = [] }: { talk?: OrderTalk; chosen?: readonly string[] } = {},
): Turn {
  return {
    request,
    talk,
    chosen,
    scene,
    connector: request.connectors.forScene(scene),
    replies: repliesIn(request.language),
    nowMs: request.clock.now(),
  }
}

/** The parts of a pending question that every kind has. */
export function pendingBase({ request, scene, nowMs }: Turn): PendingBase {
  return {
    session_id: request.session.sessionId,
    user_id: request.session.userId,
    role: request.role,
    scene,
    expires_at: new Date(nowMs + request.policy.confirmationTtlSeconds * 1000).toISOString(),
  }
}

interface Ending {
  readonly outcome: Outcome
  readonly reply: string
  readonly error?: string | null
  readonly restriction?: string | null
  readonly orders?: readonly Order[]
  readonly customer?: Customer
  readonly data?: Record<string, unknown>
  readonly pending?: Pending | null
  readonly done?: readonly DoneChange[]
  /** The reply repeats what its reader typed and shows nothing else that is personal. */
  readonly isOwnText?: boolean
}

/** `user_id` often spells a name, and the session has it anyway. */
function withoutOwner<T extends { user_id: unknown }>(record: T): Omit<T, 'user_id'> {
  const { user_id: _, ...rest } = record
  return rest
}

/** Ends a turn: masks the data and the reply. Order and tracking numbers in the reply stay as they are. */
export function end(turn: Turn, ending: Ending): BusinessResult {
  const orders = ending.orders ?? []
  const { data, maskedFields } = maskRecord({
    ...ending.data,
    ...(ending.orders && { orders: orders.map(withoutOwner) }),
    ...(ending.customer && { customer: withoutOwner(ending.customer) }),
  })
  const keep = orders.flatMap((order) => [order.order_id, ...order.tracking_ids])
  return {
    reply: ending.isOwnText ? ending.reply : maskText(ending.reply, { keep }),
    data,
    error: ending.error ?? null,
    needConfirmation: ending.outcome === 'confirm',
    scene: turn.scene,
    maskedFields,
    outcome: ending.outcome,
    restriction: ending.restriction ?? null,
    pending: ending.pending ?? null,
    done: ending.done ?? turn.request.session.done ?? [],
    topic: orders.length > 0 ? orders.map((order) => order.order_id) : (turn.request.session.topic ?? []),
  }
}
