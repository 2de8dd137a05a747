import { asAddress, readAddress, readAnswer, readChoice } from './answers.ts'
import {
  addressOf,
  applyConfirmed,
  propose,
  refusal,
  requestAccountAddress,
  requestAddress,
  requestChange,
} from './changes.ts'
import { findOrders, isResult, mentionedItems, notFound, unverified, type Viewer, viewerOf } from './lookup.ts'
import { maskValue } from './masking/index.ts'
import { isExpired, ownPending, type Pending } from './pending.ts'
import { findReferences } from './references.ts'
import { asksForProgress, asksToChangeAddress, detectScene } from './scenes.ts'
import { type BusinessRequest, type BusinessResult, end, type Turn, turnFor } from './turn.ts'
import { type Order, orderKey, type Scene } from './types.ts'

export type { BusinessRequest, BusinessResult } from './turn.ts'

/**
 * Answers one message about orders or the account, in Chinese or English, by rules and templates: nothing is said
 * that the connector did not deliver. Lookups by order or tracking number or among the customer's own orders; what
 * changes something is proposed first and done once, after a plain yes of the same person in the same session.
 * Never rejects: a business system that fails is the outcome `failed`.
 */
export async function runBusiness(request: BusinessRequest): Promise<BusinessResult> {
  const scene = detectScene(request.query)
  const pending = ownPending(request.session.pending, request.session, request.role)
  try {
    const answered = pending && (await continuePending(request, pending, scene))
    return answered ?? (await startScene(request, scene, pending))
  } catch (error) {
    request.onFailure?.(error)
    const turn = turnFor(request, pending?.scene ?? scene)
    return end(turn, { outcome: 'failed', reply: turn.replies.failed, error: turn.replies.failedError, pending })
  }
}

async function startScene(request: BusinessRequest, scene: Scene, pending: Pending | null): Promise<BusinessResult> {
  const turn = turnFor(request, scene)
  if (scene !== 'none') return withViewer(turn, (viewer) => handleScene(turn, viewer))
  const isOpen = pending !== null && !isExpired(pending, turn.nowMs)
  return end(turn, { outcome: 'none', reply: turn.replies.notBusiness, pending: isOpen ? pending : null })
}

async function withViewer(turn: Turn, act: (viewer: Viewer) => Promise<BusinessResult> | BusinessResult) {
  const viewer = await viewerOf(turn)
  return viewer ? act(viewer) : unverified(turn)
}

async function handleScene(turn: Turn, viewer: Viewer): Promise<BusinessResult> {
  switch (turn.scene) {
    case 'cancel':
      return requestChange(turn, viewer, 'cancel')
    case 'exchange':
      return asksForProgress(turn.query) ? showOrders(turn, viewer) : requestChange(turn, viewer, 'exchange')
    case 'refund':
      return refund(turn, viewer)
    case 'address':
      return address(turn, viewer)
    case 'account':
      return account(turn, viewer)
    default:
      return showOrders(turn, viewer)
  }
}

async function showOrders(turn: Turn, viewer: Viewer, describe = turn.replies.order): Promise<BusinessResult> {
  const found = await findOrders(turn, viewer, () => true)
  if (isResult(found)) return found
  if (found.missing.length > 0) return notFound(turn, found)
  const reply = found.orders.map((order) => describe(order)).join('\n')
  return end(turn, { outcome: 'answered', reply, orders: found.orders })
}

function isRefunding(order: Order): boolean {
  return /^(?:cancelled|return requested|refunded)/i.test(order.status)
}

/** Asked how far a refund is, or for one that is under way: its state. Otherwise a return is proposed. */
async function refund(turn: Turn, viewer: Viewer): Promise<BusinessResult> {
  if (asksForProgress(turn.query)) return showOrders(turn, viewer, turn.replies.refundState)
  const found = await findOrders(turn, viewer, (order) => refusal(turn, 'return', order) === null)
  if (isResult(found)) return found
  if (found.missing.length > 0) return notFound(turn, found)
  if (!found.orders.every(isRefunding)) return propose(turn, viewer, 'return', found.orders, null)
  const reply = found.orders.map((order) => turn.replies.refundState(order)).join('\n')
  return end(turn, { outcome: 'answered', reply, orders: found.orders })
}

const defaultAddress = /\b(?:default|account|profile|home)\b|默认|账户|账号|个人/i
const orderAddress = /\b(?:order|parcel|package|shipping|delivery|shipment)\b|订单|包裹|收货|快递|配送/i

async function address(turn: Turn, viewer: Viewer): Promise<BusinessResult> {
  const namesOrder = turn.chosen.length > 0 || findReferences(turn.query).some((reference) => reference.certain)
  const isDefault = !namesOrder && (defaultAddress.test(turn.query) || !orderAddress.test(turn.query))
  if (!asksToChangeAddress(turn.query)) return isDefault ? account(turn, viewer) : showOrders(turn, viewer)
  if (!isDefault) return requestAddress(turn, viewer)
  return viewer.userId === '' ? unverified(turn) : requestAccountAddress(turn, viewer, readAddress(turn.query))
}

async function account(turn: Turn, viewer: Viewer): Promise<BusinessResult> {
  const { customer } = viewer
  if (!customer) return unverified(turn)
  const methods = Object.values(customer.payment_methods).map((method) =>
    [method.source.replaceAll('_', ' '), method.brand, method.last_four].filter((part) => part !== undefined).join(' '),
  )
  const orders = turn.connector.listsOrders ? (await turn.connector.listOrdersOf(viewer.userId)).length : null
  const email = customer.email === null ? null : maskValue(customer.email, 'email')
  return end(turn, { outcome: 'answered', reply: turn.replies.account(email, methods, orders), customer })
}

/** Reads a message as the answer to the pending question; null when it is about something else. */
async function continuePending(
  request: BusinessRequest,
  pending: Pending,
  scene: Scene,
): Promise<BusinessResult | null> {
  const turn = turnFor(request, pending.scene)
  const verdict = readAnswer(request.query)
  if (isExpired(pending, turn.nowMs)) {
    return verdict === 'yes' && pending.kind === 'confirm'
      ? end(turn, { outcome: 'unchanged', reply: turn.replies.expired, error: turn.replies.expired })
      : null
  }
  const namesNothing = findReferences(request.query).length === 0
  if (verdict === 'no' && namesNothing && (scene === 'none' || scene === pending.scene)) {
    return end(turn, { outcome: 'unchanged', reply: turn.replies.cancelled })
  }
  if (pending.kind === 'confirm') return continueConfirm(turn, pending, verdict)
  if (pending.kind === 'choose') return continueChoice(request, pending, scene)
  return continueAddress(turn, pending, scene)
}

async function continueConfirm(
  turn: Turn,
  pending: Pending & { kind: 'confirm' },
  verdict: ReturnType<typeof readAnswer>,
) {
  const keys = pending.changes.map((change) => orderKey(change.order_id ?? ''))
  const namesOther = findReferences(turn.query).some((reference) => reference.certain && !keys.includes(reference.key))
  if (namesOther || verdict === 'other' || verdict === 'no') return null
  if (verdict === 'doubtful') {
    return end(turn, { outcome: 'confirm', reply: turn.replies.unclear, pending })
  }
  return withViewer(turn, (viewer) => applyConfirmed(turn, viewer, pending))
}

/** Goes on with the request that raised the question, for the orders that were chosen. */
async function continueChoice(request: BusinessRequest, pending: Pending & { kind: 'choose' }, scene: Scene) {
  const references = findReferences(request.query)
  const isPlain = scene === 'none' || scene === pending.scene || scene === 'order_status'
  const chosen = references.map((reference) => reference.text)
  const byPosition = readChoice(request.query, pending.order_ids)
  if (chosen.length === 0 && byPosition !== undefined) chosen.push(byPosition)
  if (chosen.length === 0 && isPlain) chosen.push(...(await chosenByItem(request, pending)))
  if (chosen.length === 0 || !isPlain) return null
  const turn = turnFor(request, pending.scene, { query: pending.query, chosen })
  return withViewer(turn, (viewer) => handleScene(turn, viewer))
}

async function chosenByItem(request: BusinessRequest, pending: Pending & { kind: 'choose' }): Promise<string[]> {
  const { connector } = turnFor(request, pending.scene)
  const orders = await Promise.all(pending.order_ids.slice(0, 20).map((id) => connector.findOrder(id)))
  const fitting = orders.filter((order) => order !== null && mentionedItems(request.query, order).length > 0)
  return fitting.length === 1 ? fitting.flatMap((order) => order?.order_id ?? []) : []
}

async function continueAddress(turn: Turn, pending: Pending & { kind: 'address' }, scene: Scene) {
  const { query, connector } = turn
  const address = readAddress(query) ?? (scene === 'none' || scene === 'address' ? asAddress(query) : null)
  if (address === null) return null
  return withViewer(turn, async (viewer) => {
    if (pending.order_id === null) return requestAccountAddress(turn, viewer, address)
    const order = await connector.findOrder(pending.order_id)
    return order ? addressOf(turn, viewer, order, address) : notFound(turn, { orders: [], missing: [pending.order_id] })
  })
}
