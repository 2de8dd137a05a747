import type { OrderTalk } from '../../language/order-talk.ts'
import { maskValue } from '../../privacy/index.ts'
import {
  findOrders,
  isOwn,
  isResult,
  isUnderWay,
  itemsBefore,
  itemsToChange,
  mentionedItems,
  notBought,
  notFound,
  unverified,
  type Viewer,
} from './lookup.ts'
import type { Pending } from './pending.ts'
import { type Refusal, refusalOf } from './policy.ts'
import type { Hint } from './replies.ts'
import { type BusinessResult, end, pendingBase, type Turn } from './turn.ts'
import type { Change, ChangeKind, ChangeOutcome, Order } from './types.ts'

function reasonOf(kind: ChangeKind, text: string): string {
  if (kind !== 'cancel') return text.slice(0, 500)
  if (/\b(?:mistake|accident|wrong(?:ly)?)\b|错|误/i.test(text)) return 'ordered by mistake'
  if (/\b(?:no longer|don'?t) (?:need|want)|不想要|不需要|不要了|用不上/i.test(text)) return 'no longer needed'
  return 'customer request'
}

/** Exactly what was named, or all; an order is cancelled as a whole. */
function itemsOf(turn: Turn, kind: ChangeKind, order: Order): string[] {
  if (kind === 'address') return []
  if (kind === 'cancel') return order.items.map((item) => item.name)
  const mentioned = mentionedItems(turn.talk, order)
  // «耳机坏了» … «我要退»
  const meant = mentioned.length > 0 ? mentioned : itemsBefore(turn, order)
  return meant.length > 0 ? meant : itemsToChange(turn.talk, order)
}

function changeOf(turn: Turn, kind: ChangeKind, order: Order | null, address: string | null): Change {
  return {
    idempotency_key: turn.request.newId(),
    kind,
    user_id: turn.request.session.userId,
    order_id: order?.order_id ?? null,
    expected_status: order?.status ?? null,
    items: order ? itemsOf(turn, kind, order) : [],
    reason: address === null ? reasonOf(kind, turn.talk.text) : null,
    address,
  }
}

/** Cancelling is offered instead of a return of what has not been sent, and the other way round. */
function hintFor(turn: Turn, kind: ChangeKind, order: Order): Hint {
  const other = kind === 'cancel' ? 'return' : kind === 'return' ? 'cancel' : null
  if (other === null) return null
  if (refusal(turn, other, order) === null) return other
  const delivered = { ...order, status: 'delivered' }
  return isUnderWay(order) && refusal(turn, 'return', delivered) === null ? 'later' : null
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

/** A line for each change; the orders that are given say what is paid back. */
export function proposals({ replies, request }: Turn, changes: readonly Change[], orders: readonly Order[]): string[] {
  const orderOf = (change: Change) => orders.find(({ order_id }) => order_id === change.order_id)
  return changes.map((change) => replies.proposal(change, orderOf(change), request.policy))
}

/** Asks for confirmation of changes; nothing is done yet. */
function askToConfirm(turn: Turn, changes: readonly Change[], orders: readonly Order[], refused: readonly string[]) {
  const isAgent = turn.request.role === 'agent'
  const shown = changes.map((change) =>
    isAgent && change.address !== null ? { ...change, address: maskValue(change.address, 'address') } : change,
  )
  const question = turn.replies.confirm(proposals(turn, shown, orders))
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
 * Refusals that a person may decide otherwise: the time limit, the amount, a change that is not offered here. That an
 * order is on its way already, or is somebody else's, nobody can change.
 */
function restrictionOf(turn: Turn, viewer: Viewer, kind: ChangeKind, orders: readonly Order[]): string | null {
  const lines = orders.flatMap((order) => {
    const reason = isOwn(order, viewer) ? refusal(turn, kind, order) : null
    return reason === null || reason === 'wrong_status' ? [] : [turn.replies.refused(kind, order, reason, null)]
  })
  return lines.length > 0 ? lines.join(' ') : null
}

function isPartNamed(talk: OrderTalk, order: Order): boolean {
  const named = mentionedItems(talk, order).length
  return named > 0 && named < order.items.length
}

/** Proposes a change of orders that exist, and says what was named beside them in vain: what the policy forbids is refused, the rest needs confirmation. */
export function propose(
  turn: Turn,
  viewer: Viewer,
  kind: ChangeKind,
  orders: readonly Order[],
  address: string | null,
  unbought: readonly string[] = [],
) {
  const lines = orders.map((order) => refusedLine(turn, viewer, kind, order))
  const allowed = orders.filter((_, index) => lines[index] === null)
  const refused = lines.filter((line) => line !== null)
  if (allowed.length === 0) {
    const restriction = restrictionOf(turn, viewer, kind, orders)
    return end(turn, { outcome: 'refused', reply: refused.join('\n'), error: refused.join(' '), orders, restriction })
  }
  const changes = allowed.map((order) => changeOf(turn, kind, order, address))
  const whole = kind === 'cancel' ? allowed.filter((order) => isPartNamed(turn.talk, order)) : []
  return askToConfirm(turn, changes, allowed, [...unbought, ...refused, ...whole.map(turn.replies.wholeOnly)])
}

/** Cancels, returns or exchanges the orders that the turn is about, after confirmation. */
export async function requestChange(turn: Turn, viewer: Viewer, kind: ChangeKind): Promise<BusinessResult> {
  const found = await findOrders(turn, viewer, (order) => refusal(turn, kind, order) === null)
  if (isResult(found)) return found
  if (found.missing.length > 0) return notFound(turn, found)
  return propose(turn, viewer, kind, found.orders, null, await notBought(turn, viewer))
}

/** Changes the address of an order, after asking for the address where the turn does not state it. */
export async function requestAddress(turn: Turn, viewer: Viewer): Promise<BusinessResult> {
  const found = await findOrders(turn, viewer, (order) => refusal(turn, 'address', order) === null)
  if (isResult(found)) return found
  const [order] = found.orders
  if (found.missing.length > 0 || !order) return notFound(turn, found)
  return addressOf(turn, viewer, order, turn.talk.address.text)
}

/** Goes on with an address change of one order. */
export function addressOf(turn: Turn, viewer: Viewer, order: Order, address: string | null): BusinessResult {
  const isRefused = refusedLine(turn, viewer, 'address', order) !== null
  if (address === null && !isRefused) return askAddress(turn, order)
  const proposed = propose(turn, viewer, 'address', [order], address)
  // An address that follows all the same is this order's.
  return isRefused && address === null
    ? { ...proposed, pending: { ...pendingBase(turn), kind: 'address', order_id: order.order_id } }
    : proposed
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
  const made = pending.changes.filter((_, index) => states[index] === 'done' || states[index] === 'repeated')
  const orders = outcomes.flatMap((outcome) => (outcome === 'failed' || !outcome.order ? [] : [outcome.order]))
  return end(turn, {
    outcome: isDone ? 'done' : isFailed ? 'failed' : 'refused',
    reply: lines.join('\n'),
    error: isDone ? null : isFailed ? turn.replies.failedError : lines.join(' '),
    data: { changes: pending.changes.map((change, index) => describe(change, states[index])) },
    orders,
    ...(made.length > 0 && { done: made.map(({ kind, order_id, items }) => ({ kind, order_id, items })) }),
  })
}
