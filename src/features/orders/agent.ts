import { asAddress, type OrderTalk } from '../../language/order-talk.ts'
import { maskValue, orderKey } from '../../privacy/index.ts'
import {
  addressOf,
  applyConfirmed,
  proposals,
  propose,
  refusal,
  requestAccountAddress,
  requestAddress,
  requestChange,
} from './changes.ts'
import {
  askWhich,
  byMention,
  chosenFrom,
  findOrders,
  isResult,
  isUnderWay,
  mentionedItems,
  notBought,
  notFound,
  ordersByNumber,
  ownOrders,
  unverified,
  type Viewer,
  viewerOf,
} from './lookup.ts'
import { isExpired, ownPending, type Pending } from './pending.ts'
import { type BusinessRequest, type BusinessResult, end, type Turn, turnFor } from './turn.ts'
import type { Order } from './types.ts'

/**
 * Answers one message about orders or the account, in Chinese or English, by templates: nothing is said that the
 * connector did not deliver. Lookups by order or tracking number or among the customer's own orders; what changes
 * something is proposed first and done once, after a plain yes of the same person in the same session. A question that
 * the message does not answer is over. Never rejects: a business system that fails is the outcome `failed`.
 */
export async function runBusiness(request: BusinessRequest): Promise<BusinessResult> {
  const { talk, session, role } = request
  const pending = ownPending(session.pending, session, role)
  try {
    const answered = pending && (await continuePending(request, pending))
    return answered ?? (await startScene(turnFor(request, talk.scene, offeredBefore(talk, pending)), pending))
  } catch (error) {
    request.onFailure?.(error)
    const turn = turnFor(request, pending?.scene ?? talk.scene)
    return end(turn, { outcome: 'failed', reply: turn.replies.failed, error: turn.replies.failedError, pending })
  }
}

/** "no, exchange it instead": what was offered is what is meant, where no goods and no order are named. */
function offeredBefore(talk: OrderTalk, pending: Pending | null): { talk?: OrderTalk; chosen?: string[] } {
  const [change, ...others] = pending?.kind === 'confirm' ? pending.changes : []
  const isOther = talk.asks === 'change' && (talk.scene === 'refund' || talk.scene === 'exchange')
  if (!change?.order_id || change.items.length === 0 || others.length > 0 || !isOther) return {}
  if (talk.references.length > 0 || talk.products.length > 0 || talk.when !== null) return {}
  return { talk: { ...talk, text: `${talk.text}\n${change.items.join('\n')}` }, chosen: [change.order_id] }
}

async function startScene(turn: Turn, pending: Pending | null): Promise<BusinessResult> {
  const { talk, replies, request } = turn
  const leaning = await leaningTo(turn, pending)
  if (leaning) return withViewer(leaning, (viewer) => handleScene(leaning, viewer))
  if (request.session.userId === '' && talk.introduces)
    return end(turn, { outcome: 'unverified', reply: replies.noProof, error: replies.unverifiedError })
  if (talk.choice !== null && turn.scene === 'none') return end(turn, { outcome: 'ask', reply: replies.nothingOffered })
  if (talk.consent === 'no') return end(turn, { outcome: 'unchanged', reply: replies.unchanged })
  if (turn.scene !== 'none') return withViewer(turn, (viewer) => handleScene(turn, viewer))
  if (talk.consent === 'yes') return end(turn, { outcome: 'unchanged', reply: replies.nothingAsked })
  return end(turn, { outcome: 'none', reply: replies.notBusiness })
}

/** The turn as one about the customer's own, where they have what the message leans to; null: they have not. */
async function leaningTo(turn: Turn, pending: Pending | null): Promise<Turn | null> {
  const { talk, request } = turn
  const { leaning } = talk
  const viewer = leaning && request.session.userId !== '' ? await viewerOf(turn) : null
  if (!leaning || !viewer) return null
  const { done = [], topic = [] } = request.session
  const orders = leaning.of === 'done' ? [] : await ownOrders(turn, viewer)
  const holds = {
    done: done.length > 0,
    topic: orders.length === 1 || (orders.length > 0 && (topic.length > 0 || pending?.kind === 'choose')),
    goods: byMention(talk, orders).length > 0 || (orders.length > 0 && talk.when !== null),
    any: leaning.scene === 'address' ? orders.some(isUnderWay) : orders.length > 0,
  }[leaning.of]
  if (!holds) return null
  const asks = leaning.asks === 'undo' ? 'outcome' : leaning.asks
  return turnFor(request, leaning.scene, { talk: { ...talk, scene: leaning.scene, asks, products: [] } })
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
      return turn.talk.asks === 'progress'
        ? showOrders(turn, viewer, ({ status }) => /^exchange/i.test(status))
        : requestChange(turn, viewer, 'exchange')
    case 'refund':
      return refund(turn, viewer)
    case 'address':
      return address(turn, viewer)
    case 'account':
      return account(turn, viewer)
    default:
      return turn.talk.asks === 'outcome' ? outcome(turn, viewer) : showOrders(turn, viewer)
  }
}

/** The state of what was changed last, or that a word does not undo it; else of the orders that were changed. */
async function outcome(turn: Turn, viewer: Viewer): Promise<BusinessResult> {
  const { talk, replies, request } = turn
  const done = request.session.done ?? []
  if (done.length === 0 || talk.references.length > 0) return showOrders(turn, viewer, isChanged)
  const orders = await ordersByNumber(
    turn,
    done.flatMap(({ order_id }) => order_id ?? []),
  )
  if (talk.leaning?.asks === 'undo') {
    const reply = done.map(replies.notUndone).join('\n')
    return end(turn, { outcome: 'refused', reply, error: reply, orders })
  }
  const lines = done.map((change) => {
    const order = orders.find(({ order_id }) => order_id === change.order_id)
    return order && change.kind !== 'address' ? replies.order(order) : replies.isSo(change)
  })
  return end(turn, { outcome: 'answered', reply: lines.join('\n'), orders })
}

/** Cancelled, or with a return or an exchange under way. */
function isChanged(order: Order): boolean {
  return /^(?:cancelled|(?:return|exchange) requested|refunded)/i.test(order.status)
}

function isRefunding(order: Order): boolean {
  return isChanged(order) && !/^exchange/i.test(order.status)
}

/** Says how the orders are. `suits`: which of them are meant where the message names none, all of them where several do. */
async function showOrders(
  turn: Turn,
  viewer: Viewer,
  suits?: (order: Order) => boolean,
  describe = turn.replies.order,
): Promise<BusinessResult> {
  const found = await findOrders(turn, viewer, suits ?? (() => true), suits !== undefined)
  if (isResult(found)) return found
  if (found.missing.length > 0) return notFound(turn, found)
  const reply = found.orders.map((order) => describe(order)).join('\n')
  return end(turn, { outcome: 'answered', reply, orders: found.orders })
}

/** Asked how far a refund is, or for one that is under way: its state. Otherwise a return is proposed. */
async function refund(turn: Turn, viewer: Viewer): Promise<BusinessResult> {
  const state = (order: Order) => turn.replies.refundState(order, turn.request.policy)
  if (turn.talk.asks === 'money')
    return (await withoutRefund(turn, viewer)) ?? showOrders(turn, viewer, isRefunding, state)
  const found = await findOrders(turn, viewer, (order) => refusal(turn, 'return', order) === null)
  if (isResult(found)) return found
  if (found.missing.length > 0) return notFound(turn, found)
  if (!found.orders.every(isRefunding))
    return propose(turn, viewer, 'return', found.orders, null, await notBought(turn, viewer))
  return end(turn, { outcome: 'answered', reply: found.orders.map(state).join('\n'), orders: found.orders })
}

/** The end of a turn that asks for money, where it names no order and several could be meant, but none pays back. */
async function withoutRefund(turn: Turn, viewer: Viewer): Promise<BusinessResult | null> {
  const { talk, chosen, replies } = turn
  if (chosen.length > 0 || talk.references.length > 0 || talk.products.length > 0 || talk.when !== null) return null
  const orders = await ownOrders(turn, viewer)
  if (orders.length < 2 || orders.some(isRefunding)) return null
  return end(turn, { outcome: 'answered', reply: replies.noRefunds(orders), orders })
}

/** An address is the order's where the message says so, or where one of the customer's orders can still take it. */
async function address(turn: Turn, viewer: Viewer): Promise<BusinessResult> {
  const { talk, chosen } = turn
  const isAccount = chosen.length === 0 && talk.address.of === 'account'
  if (talk.asks !== 'change')
    return isAccount || talk.address.of === null ? account(turn, viewer) : showOrders(turn, viewer)
  const isSpokenOf = chosen.length > 0 || (turn.request.session.topic ?? []).length > 0 || talk.leaning !== null
  const isOrder = !isAccount && (isSpokenOf || talk.address.of === 'order' || (await hasEditable(turn, viewer)))
  if (isOrder) return requestAddress(turn, viewer)
  return viewer.userId === '' ? unverified(turn) : requestAccountAddress(turn, viewer, talk.address.text)
}

async function hasEditable(turn: Turn, viewer: Viewer): Promise<boolean> {
  if (viewer.userId === '' || !turn.connector.listsOrders) return false
  const orders = await turn.connector.listOrdersOf(viewer.userId)
  const mentioned = orders.some((order) => mentionedItems(turn.talk, order).length > 0)
  return mentioned || orders.some((order) => refusal(turn, 'address', order) === null)
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
async function continuePending(request: BusinessRequest, pending: Pending): Promise<BusinessResult | null> {
  const { talk } = request
  const turn = turnFor(request, pending.scene)
  if (isExpired(pending, turn.nowMs)) {
    return talk.consent === 'yes' && pending.kind === 'confirm'
      ? end(turn, { outcome: 'unchanged', reply: turn.replies.expired, error: turn.replies.expired })
      : null
  }
  if (talk.consent === 'no' && !namesOther(talk, pending))
    return end(turn, { outcome: 'unchanged', reply: turn.replies.unchanged })
  if (pending.kind === 'confirm') return continueConfirm(turn, pending)
  if (pending.kind === 'choose') return continueChoice(request, pending)
  return continueAddress(turn, pending)
}

function namesOther({ references }: OrderTalk, pending: Pending): boolean {
  const ids = pending.kind === 'confirm' ? pending.changes.map((change) => change.order_id) : []
  const keys = ids.map((id) => orderKey(id ?? ''))
  return references.some((reference) => reference.certain && !keys.includes(reference.key))
}

async function continueConfirm(turn: Turn, pending: Pending & { kind: 'confirm' }): Promise<BusinessResult | null> {
  const { talk } = turn
  // A bare "cancel" may mean the offer as well as an order.
  const isBareCancel = talk.scene === 'cancel' && saysNoMore(talk)
  const isSameWork = talk.scene === 'none' || talk.scene === pending.scene
  if (isBareCancel && !isSameWork) return unclear(turn, pending)
  if (namesOther(talk, pending) || (!isSameWork && talk.consent !== 'yes')) return null
  if (talk.consent === 'yes' && isSameWork) return withViewer(turn, (viewer) => applyConfirmed(turn, viewer, pending))
  const narrower = isSameWork && talk.asks !== 'money' ? await narrowedTo(turn, pending) : null
  if (narrower) return withViewer(turn, (viewer) => propose(turn, viewer, narrower.kind, [narrower.order], null))
  return isVagueAnswer(talk) ? unclear(turn, pending) : null
}

function unclear(turn: Turn, pending: Pending & { kind: 'confirm' }): BusinessResult {
  const reply = turn.replies.unclear(proposals(turn, pending.changes, []))
  return end(turn, { outcome: 'confirm', reply, pending })
}

/** An answer that is neither a plain yes nor a no: a doubtful one, a choice where there is none, "both". */
function isVagueAnswer({ consent, choice, all, scene }: OrderTalk): boolean {
  return consent !== null || choice !== null || (all && scene === 'none')
}

function saysNoMore({ text, references, products, when }: OrderTalk): boolean {
  return text.length <= 12 && references.length === 0 && products.length === 0 && when === null
}

/** "only the lamp", said of a proposal to take back the whole of one order. */
async function narrowedTo(turn: Turn, { changes }: Pending & { kind: 'confirm' }) {
  const [change] = changes
  if (changes.length !== 1 || !change?.order_id || (change.kind !== 'return' && change.kind !== 'exchange')) return null
  const order = await turn.connector.findOrder(change.order_id)
  return order && mentionedItems(turn.talk, order).length > 0 ? { kind: change.kind, order } : null
}

/** Goes on with the request that raised the question, for the orders that were chosen. */
async function continueChoice(request: BusinessRequest, pending: Pending & { kind: 'choose' }) {
  const { talk } = request
  const turn = turnFor(request, pending.scene, { talk: pending.talk })
  if (talk.scene !== 'none' && talk.scene !== pending.scene && talk.scene !== 'order_status') return null
  const position = talk.choice === null ? undefined : pending.order_ids.at(talk.choice)
  const chosen = talk.references.map((reference) => reference.text)
  if (chosen.length === 0 && position !== undefined) chosen.push(position)
  if (chosen.length === 0 && talk.all && talk.products.length === 0) chosen.push(...pending.order_ids.slice(0, 5))
  if (chosen.length === 0) {
    const orders = await chosenFrom(turnFor(request, pending.scene), pending.order_ids)
    if (orders.length > 1) return askWhich(turn, orders)
    chosen.push(...orders.map((order) => order.order_id))
  }
  if (chosen.length === 0)
    return talk.consent === 'yes' ? askWhich(turn, await ordersByNumber(turn, pending.order_ids)) : null
  const asks = pending.talk.asks === 'list' ? 'state' : pending.talk.asks
  // Goods may be named in either: «我要退货» … «充电宝».
  const settled: OrderTalk = { ...pending.talk, asks, text: `${pending.talk.text}\n${talk.text}` }
  const goingOn = turnFor(request, pending.scene, { talk: settled, chosen })
  return withViewer(goingOn, (viewer) => handleScene(goingOn, viewer))
}

async function continueAddress(turn: Turn, pending: Pending & { kind: 'address' }) {
  const { talk, connector } = turn
  if (talk.references.length > 0 && talk.address.text === null) {
    const chosen = talk.references.map((reference) => reference.text)
    return withViewer(turn, (viewer) => requestAddress({ ...turn, chosen }, viewer))
  }
  const isAddress = talk.scene === 'none' || talk.scene === 'address'
  const address = talk.address.text ?? (isAddress ? asAddress(talk.text) : null)
  if (address === null) return null
  return withViewer(turn, async (viewer) => {
    if (pending.order_id === null) return requestAccountAddress(turn, viewer, address)
    const order = await connector.findOrder(pending.order_id)
    return order ? addressOf(turn, viewer, order, address) : notFound(turn, { orders: [], missing: [pending.order_id] })
  })
}
