import { readAddress } from './answers.ts'
import { findOrders, isOwn, isResult, mentionedItems, notFound, unverified, type Viewer } from './lookup.ts'
import { maskValue } from './masking/index.ts'
import type { Pending } from './pending.ts'
import { type Refusal, refusalOf } from './policy.ts'
import { type BusinessResult, end, pendingBase, type Turn } from './turn.ts'
import type { Change, ChangeKind, ChangeOutcome, Order } from './types.ts'

function reasonOf(kind: ChangeKind, query: string): string {
  if (kind !== 'cancel') return query.slice(0, 500)
  if (/\b(?:mistake|accident|wrong(?:ly)?)\b|错|误/i.test(query)) return 'ordered by mistake'
  if (/\b(?:no longer|don'?t) (?:need|want)|不想要|不需要|不要了|用不上/i.test(query)) return 'no longer needed'
  return 'customer request'
}

function itemsOf(kind: ChangeKind, order: Order, query: string): string[] {
  if (kind === 'address') return []
  const mentioned = kind === 'cancel' ? [] : mentionedItems(query, order)
  return mentioned.length > 0 ? mentioned : order.items.map((item) => item.name)
}

function changeOf(turn: Turn, kind: ChangeKind, order: Order | null, address: string | null): Change {
  return {
    idempotency_key: turn.request.newId(),
    kind,
    user_id: turn.request.session.userId,
    order_id: order?.order_id ?? null,
    expected_status: order?.status ?? null,
    items: order ? itemsOf(kind, order, turn.query) : [],
    reason: address === null ? reasonOf(kind, turn.query) : null,
    address,
  }
}

/** Cancelling is offered instead of a return of what has not been sent, and the other way round. */
function hintFor(turn: Turn, kind: ChangeKind, order: Order): ChangeKind | null {
  const other = kind === 'cancel' ? 'return' : kind === 'return' ? 'cancel' : null
  return other !== null && refusal(turn, other, order) === null ? other : null
}

export function refusal(turn: Turn, kind: ChangeKind, order: Order): Refusal | null {
  if (!turn.connector.changes.includes(kind)) return 'unsupported'
  return refusalOf(kind, order, turn.request.policy, turn.nowMs)
}

function refusedLine(turn: Turn, viewer: Viewer, kind: ChangeKind, order: Order): string | null {
  if (!isOwn(order, viewer)) return turn.replies.notOfSession(order)
  const reason = refusal(turn, kind, order)
  return reason && turn.replies.refused(kind, order, reason, hintFor(turn, kind, order))
}

/** Asks for confirmation of changes; nothing is done yet. */
function askToConfirm(turn: Turn, changes: readonly Change[], orders: readonly Order[], refused: readonly string[]) {
  const isAgent = turn.request.role === 'agent'
  const shown = changes.map((change) =>
    isAgent && change.address !== null ? { ...change, address: maskValue(change.address, 'address') } : change,
  )
  const question = turn.replies.confirm(shown, orders, turn.request.policy)
  return end(turn, {
    outcome: 'confirm',
    reply: [...refused, question].join('\n'),
    orders,
    data: { changes: changes.map((change) => describe(change, 'proposed')) },
    pending: { ...pendingBase(turn), kind: 'confirm', changes },
    isOwnText: !isAgent && changes.some((change) => change.address !== null),
  })
}

function describe({ kind, order_id, items, address }: Change, status: string | undefined) {
  return { kind, order_id, items, ...(address !== null && { address }), status }
}

/**
 * What a person may decide otherwise: the time limit, the amount, a change that is not offered here. That an order is on
 * its way already, or is somebody else's, nobody can change.
 */
function restrictionOf(turn: Turn, viewer: Viewer, kind: ChangeKind, orders: readonly Order[]): string | null {
  const lines = orders.flatMap((order) => {
    const reason = isOwn(order, viewer) ? refusal(turn, kind, order) : null
    return reason === null || reason === 'wrong_status' ? [] : [turn.replies.refused(kind, order, reason, null)]
  })
  return lines.length > 0 ? lines.join(' ') : null
}

/** Proposes a change of orders that exist: what the policy forbids is refused, the rest needs confirmation. */
export function propose(
  turn: Turn,
  viewer: Viewer,
  kind: ChangeKind,
  orders: readonly Order[],
  address: string | null,
) {
  const lines = orders.map((order) => refusedLine(turn, viewer, kind, order))
  const allowed = orders.filter((_, index) => lines[index] === null)
  const refused = lines.filter((line) => line !== null)
  if (allowed.length === 0) {
    const restriction = restrictionOf(turn, viewer, kind, orders)
    return end(turn, { outcome: 'refused', reply: refused.join('\n'), error: refused.join(' '), orders, restriction })
  }
  const changes = allowed.map((order) => changeOf(turn, kind, order, address))
  return askToConfirm(turn, changes, allowed, refused)
}

/** Cancels, returns or exchanges the orders that the turn is about, after confirmation. */
export async function requestChange(turn: Turn, viewer: Viewer, kind: ChangeKind): Promise<BusinessResult> {
  const found = await findOrders(turn, viewer, (order) => refusal(turn, kind, order) === null)
  if (isResult(found)) return found
  return found.missing.length > 0 ? notFound(turn, found) : propose(turn, viewer, kind, found.orders, null)
}

/** Changes the address of an order, after asking for the address where the turn does not state it. */
export async function requestAddress(turn: Turn, viewer: Viewer): Promise<BusinessResult> {
  const found = await findOrders(turn, viewer, (order) => refusal(turn, 'address', order) === null)
  if (isResult(found)) return found
  const [order] = found.orders
  if (found.missing.length > 0 || !order) return notFound(turn, found)
  return addressOf(turn, viewer, order, readAddress(turn.query))
}

/** Goes on with an address change of one order. */
export function addressOf(turn: Turn, viewer: Viewer, order: Order, address: string | null): BusinessResult {
  const isRefused = refusedLine(turn, viewer, 'address', order) !== null
  if (isRefused || address !== null) return propose(turn, viewer, 'address', [order], address)
  return askAddress(turn, order)
}

function askAddress(turn: Turn, order: Order | null): BusinessResult {
  const orderId = order?.order_id ?? null
  return end(turn, {
    outcome: 'ask',
    reply: turn.replies.askAddress(orderId),
    ...(order && { orders: [order] }),
    pending: { ...pendingBase(turn), kind: 'address', order_id: orderId },
  })
}

/** Changes the customer's default address. */
export function requestAccountAddress(turn: Turn, viewer: Viewer, address: string | null): BusinessResult {
  const { replies } = turn
  if (!turn.connector.changes.includes('account_address')) {
    return end(turn, { outcome: 'refused', reply: replies.askNumber, error: replies.askNumber })
  }
  if (turn.connector.identifiesCustomers && !viewer.customer) return unverified(turn)
  if (address === null) return askAddress(turn, null)
  return askToConfirm(turn, [changeOf(turn, 'account_address', null, address)], [], [])
}

/** Is the record still what the customer was shown when asked? */
async function isUnchanged(turn: Turn, viewer: Viewer, change: Change): Promise<boolean> {
  if (change.order_id === null) return true
  const order = await turn.connector.findOrder(change.order_id)
  return order !== null && isOwn(order, viewer) && order.status === change.expected_status
}

async function apply(turn: Turn, viewer: Viewer, change: Change): Promise<ChangeOutcome | 'failed'> {
  try {
    const outcome = await turn.connector.applyChange(change)
    if (outcome.status !== 'conflict' || !(await isUnchanged(turn, viewer, change))) return outcome
    // Something else about the record changed; what the customer agreed to still holds.
    return await turn.connector.applyChange(change)
  } catch (error) {
    turn.request.onFailure?.(error)
    return 'failed'
  }
}

function outcomeLine({ replies }: Turn, change: Change, outcome: ChangeOutcome | 'failed'): string {
  if (outcome === 'failed') return replies.failedChange
  if (outcome.status === 'conflict') return replies.conflict(change)
  return outcome.status === 'unknown' ? replies.unknown(change) : replies.done(change)
}

/** Carries out what was confirmed, each change once, and reports each. */
export async function applyConfirmed(
  turn: Turn,
  viewer: Viewer,
  pending: Pending & { kind: 'confirm' },
): Promise<BusinessResult> {
  const outcomes: (ChangeOutcome | 'failed')[] = []
  for (const change of pending.changes) outcomes.push(await apply(turn, viewer, change))
  const lines = pending.changes.map((change, index) => outcomeLine(turn, change, outcomes[index] ?? 'failed'))
  const states = outcomes.map((outcome) => (outcome === 'failed' ? 'failed' : outcome.status))
  const isDone = states.every((state) => state === 'done' || state === 'repeated')
  const isFailed = states.some((state) => state === 'failed' || state === 'unknown')
  const orders = outcomes.flatMap((outcome) => (outcome === 'failed' || !outcome.order ? [] : [outcome.order]))
  return end(turn, {
    outcome: isDone ? 'done' : isFailed ? 'failed' : 'refused',
    reply: lines.join('\n'),
    error: isDone ? null : isFailed ? turn.replies.failedError : lines.join(' '),
    data: { changes: pending.changes.map((change, index) => describe(change, states[index])) },
    orders,
  })
}
