import { fold } from '../../language/fold.ts'
import type { OrderReference, OrderStage, OrderTalk, PeriodMention } from '../../language/order-talk.ts'
import { namedIn } from '../../language/products.ts'
import { orderKey } from '../../privacy/index.ts'
import type { Pending } from './pending.ts'
import { fallsIn } from './period.ts'
import { type BusinessResult, end, pendingBase, type Turn } from './turn.ts'
import type { Customer, Order } from './types.ts'

const maxListed = 5

/** Who the orders must belong to: a verified customer, or nobody in particular for an agent. */
export interface Viewer {
  readonly userId: string
  /** Null for an agent, and where the connector knows orders only. */
  readonly customer: Customer | null
  readonly seesAll: boolean
}

/** Verifies the customer of the session through the connector; null when that fails. */
export async function viewerOf({ request, connector }: Turn): Promise<Viewer | null> {
  const { userId } = request.session
  const seesAll = request.role === 'agent'
  if (userId === '') return seesAll ? { userId, customer: null, seesAll } : null
  const customer = connector.identifiesCustomers ? await connector.findCustomer(userId) : null
  if (!seesAll && connector.identifiesCustomers && customer?.user_id !== userId) return null
  return { userId, customer, seesAll }
}

export function unverified(turn: Turn): BusinessResult {
  const { replies } = turn
  return end(turn, { outcome: 'unverified', reply: replies.unverified, error: replies.unverifiedError })
}

export function isOwn(order: Order, viewer: Viewer): boolean {
  return viewer.userId !== '' && order.user_id === viewer.userId
}

export async function ownOrders({ connector }: Turn, viewer: Viewer): Promise<Order[]> {
  if (viewer.userId === '' || !connector.listsOrders) return []
  const orders = await connector.listOrdersOf(viewer.userId)
  return orders.filter((order) => isOwn(order, viewer))
}

/** The order with that number, or the viewer's own with that tracking number. Another customer's order is not found. */
async function findVisible(turn: Turn, viewer: Viewer, reference: OrderReference): Promise<Order | null> {
  const order = await turn.connector.findOrder(reference.text)
  if (order && (viewer.seesAll || isOwn(order, viewer))) return order
  const own = await ownOrders(turn, viewer)
  return own.find(({ tracking_ids }) => tracking_ids.some((id) => orderKey(id) === reference.key)) ?? null
}

/** The orders that a message is about, what it named in vain, or a result that ends the turn. */
export interface Found {
  readonly orders: Order[]
  readonly missing: string[]
}

async function findReferenced(turn: Turn, viewer: Viewer, references: readonly OrderReference[]): Promise<Found> {
  const orders: Order[] = []
  const missing: string[] = []
  for (const reference of references) {
    const order = await findVisible(turn, viewer, reference)
    if (!order) missing.push(reference.text)
    else if (!orders.some((known) => known.order_id === order.order_id)) orders.push(order)
  }
  return { orders, missing }
}

/** The names of the items that a message names, or none. */
export function mentionedItems(talk: OrderTalk, order: Order): string[] {
  const names = order.items.map((item) => item.name)
  return meantOf(talk, names).map((index) => names[index] ?? '')
}

/** Which of these names it names, by index, but for what is to stay as it is. */
function meantOf(talk: OrderTalk, names: readonly string[]): number[] {
  const staying = stayingOf(talk, names)
  return namedIn(talk.text, names).filter((index) => !staying.includes(index))
}

function stayingOf({ kept }: OrderTalk, names: readonly string[]): number[] {
  return kept === '' ? [] : namedIn(kept, names)
}

/** The names of all items but those that are to stay as they are. */
export function itemsToChange(talk: OrderTalk, order: Order): string[] {
  const names = order.items.map((item) => item.name)
  const staying = stayingOf(talk, names)
  return names.filter((_, index) => !staying.includes(index))
}

/** The items that the message before named, where this one names nothing of what is to be taken back. */
export function itemsBefore({ talk, request }: Turn, order: Order): string[] {
  const isBare = !talk.all && talk.products.length === 0 && talk.references.length === 0 && talk.when === null
  const names = order.items.map((item) => item.name)
  return isBare ? namedIn(request.session.before ?? '', names).map((index) => names[index] ?? '') : []
}

/** Goods named beside others that are in none of the viewer's orders, as lines that say so. */
export async function notBought(turn: Turn, viewer: Viewer): Promise<string[]> {
  const { talk, replies } = turn
  const others = talk.products.filter((name) => !talk.kept.includes(name) && isOneOfSeveral(fold(talk.text), name))
  if (others.length === 0) return []
  const names = (await ownOrders(turn, viewer)).flatMap(({ items }) => items.map((item) => item.name))
  return others.filter((name) => namedIn(name, names).length === 0).map(replies.noItem)
}

function isOneOfSeveral(folded: string, name: string): boolean {
  const [before, after] = [folded.slice(0, folded.indexOf(name)), folded.slice(folded.indexOf(name) + name.length)]
  return /(?:[和跟与及、,，]|\band(?: the| my| a)?) ?$/.test(before) || /^ ?(?:[和跟与及、]|and\b)/.test(after)
}

export function byMention(talk: OrderTalk, orders: readonly Order[]): Order[] {
  const items = orders.flatMap((order) => order.items.map((item) => ({ order, name: item.name })))
  const named = meantOf(
    talk,
    items.map(({ name }) => name),
  )
  return [...new Set(named.flatMap((index) => items[index]?.order ?? []))]
}

export function isUnderWay({ status }: Order): boolean {
  return !/^(?:delivered|cancelled|return|exchange|refunded)/i.test(status)
}

const isAt: Record<OrderStage, (order: Order) => boolean> = {
  unsent: ({ status }) => /^(?:pending|unpaid|paid|created|processing)/i.test(status),
  unreceived: isUnderWay,
}

function placed(order: Order, when: PeriodMention | null, nowMs: number): boolean {
  const time = when && (when.event === 'ordered' ? order.ordered_at : order.delivered_at)
  return when !== null && time !== undefined && time !== null && fallsIn(Date.parse(time), when, nowMs)
}

/** Those that fit, or all where none does. */
function preferred(orders: readonly Order[], fits: (order: Order) => boolean): readonly Order[] {
  const fitting = orders.filter(fits)
  return fitting.length > 0 ? fitting : orders
}

/** All that a message says of an order beside its number narrows `orders`; null: it names what is none of them. */
function narrowed({ talk, nowMs }: Turn, orders: readonly Order[]): readonly Order[] | null {
  const { when, stage } = talk
  const inTime = when === null ? orders : orders.filter((order) => placed(order, when, nowMs))
  if (inTime.length === 0 && orders.some((order) => order.ordered_at !== undefined)) return null
  const candidates = inTime.length > 0 ? inTime : orders
  const mentioned = byMention(talk, candidates)
  if (mentioned.length === 0 && talk.products.some((name) => !talk.kept.includes(name))) return null
  return preferred(mentioned.length > 0 ? mentioned : candidates, (order) => stage === null || isAt[stage](order))
}

/** Asks which of several orders is meant, and waits for the answer; `preface` says what none of them is. */
export function askWhich(turn: Turn, orders: readonly Order[], preface: string | null = null): BusinessResult {
  const listed = orders.slice(0, maxListed)
  const candidates = listed.map(({ order_id, status, total, items }) => ({
    order_id,
    status,
    total,
    items: items.map((item) => item.name),
  }))
  const more = orders.length - listed.length
  const isList = turn.talk.asks === 'list' && preface === null
  const question = isList ? turn.replies.list(listed, more) : turn.replies.which(listed, more)
  return end(turn, {
    outcome: isList ? 'answered' : 'ask',
    reply: preface === null ? question : `${preface}\n${question}`,
    data: { candidates },
    pending: chooseAmong(turn, orders),
  })
}

function chooseAmong(turn: Turn, orders: readonly Order[]): Pending {
  const order_ids = orders.map((order) => order.order_id)
  return { ...pendingBase(turn), kind: 'choose', talk: turn.talk, order_ids }
}

/** Chooses among the viewer's own orders when the message has no number: by what it says, then by `suits`. */
async function findUnnamed(
  turn: Turn,
  viewer: Viewer,
  suits: (order: Order) => boolean,
  severalWill: boolean,
): Promise<Found | BusinessResult> {
  const { replies, talk } = turn
  if (!turn.connector.listsOrders || viewer.userId === '')
    return end(turn, { outcome: 'ask', reply: replies.askNumber, pending: chooseAmong(turn, []) })
  const all = await ownOrders(turn, viewer)
  if (all.length === 0) return end(turn, { outcome: 'not_found', reply: replies.noOrders, error: replies.noOrders })
  const named = narrowed(turn, all)
  if (named === null) {
    const [product] = talk.products
    return askWhich(turn, all, product === undefined || talk.when !== null ? replies.noneThen : replies.noItem(product))
  }
  const suited = preferred(named, suits)
  const candidates =
    named.length < all.length || talk.asks === 'list'
      ? suited
      : preferred(
          preferred(suited, (order) => itemsBefore(turn, order).length > 0),
          isSpokenOf(turn),
        )
  return candidates.length === 1 || (severalWill && candidates.every(suits))
    ? { orders: candidates.slice(0, maxListed), missing: [] }
    : askWhich(turn, candidates)
}

function isSpokenOf({ request }: Turn): (order: Order) => boolean {
  return (order) => request.session.topic?.includes(order.order_id) ?? false
}

export async function ordersByNumber({ connector }: Turn, orderIds: readonly string[]): Promise<Order[]> {
  const found = await Promise.all(orderIds.slice(0, 20).map((id) => connector.findOrder(id)))
  return found.filter((order) => order !== null)
}

/** Those of the orders of a list that a message chooses by its words; none where it says nothing of them. */
export async function chosenFrom(turn: Turn, orderIds: readonly string[]): Promise<Order[]> {
  const orders = await ordersByNumber(turn, orderIds)
  const fitting = narrowed(turn, orders)
  return fitting === null || fitting.length === orders.length ? [] : [...fitting]
}

export function isResult(found: Found | BusinessResult): found is BusinessResult {
  return 'outcome' in found
}

function referencesOf({ talk, chosen }: Turn): readonly OrderReference[] {
  if (chosen.length > 0) return chosen.map((text) => ({ text, key: orderKey(text), certain: true }))
  const { references } = talk
  const certain = references.filter((reference) => reference.certain)
  return certain.length > 0 ? certain : references
}

/**
 * Finds the orders of a turn. Digits that merely look like a number are dropped when the message has
 * a number that is certain. `suits` narrows the viewer's own orders when the message names none; `severalWill`: all
 * that suit are meant, and nobody is asked which.
 */
export async function findOrders(
  turn: Turn,
  viewer: Viewer,
  suits: (order: Order) => boolean,
  severalWill = false,
): Promise<Found | BusinessResult> {
  const named = referencesOf(turn)
  if (named.length === 0) return findUnnamed(turn, viewer, suits, severalWill)
  return findReferenced(turn, viewer, named)
}

/** The end of a turn whose orders were not found. One reply for unknown orders and for those of others. */
export function notFound(turn: Turn, { orders, missing }: Found): BusinessResult {
  const { replies, request } = turn
  const lines = [...orders.map((order) => replies.order(order)), replies.notFound(missing, request.role === 'agent')]
  return end(turn, {
    outcome: orders.length > 0 ? 'answered' : 'not_found',
    reply: lines.join('\n'),
    error: replies.notFoundError(missing),
    orders,
  })
}
