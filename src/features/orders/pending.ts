import type { OrderTalk } from '../../language/order-talk.ts'
import type { Scene } from '../../language/scenes.ts'
import type { Change, Role } from './types.ts'

export interface PendingBase {
  readonly session_id: string
  readonly user_id: string
  readonly role: Role
  readonly scene: Scene
  /** ISO 8601; after it the question is void. */
  readonly expires_at: string
}

/**
 * The question whose answer the service waits for in a session. It may hold an address as the customer typed it: store
 * it with the session, keep it out of logs and traces. It is JSON.
 */
export type Pending =
  /** Shall these changes be made? */
  | (PendingBase & { readonly kind: 'confirm'; readonly changes: readonly Change[] })
  /** Which of these orders? `talk` is the request to go on with. */
  | (PendingBase & { readonly kind: 'choose'; readonly talk: OrderTalk; readonly order_ids: readonly string[] })
  /** To which address? `order_id` null: the customer's default address. */
  | (PendingBase & { readonly kind: 'address'; readonly order_id: string | null })

/** The pending question if it belongs to this session, person and role. Expired ones are returned too. */
export function ownPending(
  pending: Pending | null | undefined,
  session: { sessionId: string; userId: string },
  role: Role,
): Pending | null {
  if (!pending) return null
  const isOwn = pending.session_id === session.sessionId && pending.user_id === session.userId && pending.role === role
  return isOwn ? pending : null
}

/** Has the time to answer run out? `nowMs` in milliseconds since the epoch. */
export function isExpired(pending: Pending, nowMs: number): boolean {
  return Date.parse(pending.expires_at) <= nowMs
}
