import type { Clock } from '../platform/clock.ts'
import { maskRecord, maskText } from './masking/index.ts'
import type { Pending, PendingBase } from './pending.ts'
import type { BusinessPolicy } from './policy.ts'
import { type Replies, repliesIn } from './replies.ts'
import type { BusinessConnector, BusinessDirectory, Customer, Language, Order, Role, Scene } from './types.ts'

/** One message for the business agent. */
export interface BusinessRequest {
  readonly query: string
  /** `userId` is who the channel says the customer is; it is verified through the connector. */
  readonly session: { readonly sessionId: string; readonly userId: string; readonly pending?: Pending | null }
  readonly language: Language
  readonly role: Role
  readonly directory: BusinessDirectory
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
  /** What the policy leaves to a person, as it was put to the customer; null when there is nothing of the kind. */
  readonly restriction: string | null
  /** To be stored with the session and given back with its next message; null clears it. */
  readonly pending: Pending | null
}

/** A request with everything that its steps need. */
export interface Turn {
  readonly request: BusinessRequest
  readonly query: string
  /** Numbers of orders that were chosen before; the query is not searched for any then. */
  readonly chosen: readonly string[]
  readonly scene: Scene
  readonly connector: BusinessConnector
  readonly replies: Replies
  readonly nowMs: number
}

export function turnFor(
  request: BusinessRequest,
  scene: Scene,
  { query = request.query, chosen = [] }: { query?: string; chosen?: readonly string[] } = {},
): Turn {
  return {
    request,
    query,
    chosen,
    scene,
    connector: request.directory.forScene(scene),
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
  }
}
