import { findReferences, type Reference } from './references.ts'
import { type BusinessResult, end, pendingBase, type Turn } from './turn.ts'
import { type Customer, type Order, orderKey } from './types.ts'

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

async function ownOrders({ connector }: Turn, viewer: Viewer): Promise<Order[]> {
  if (viewer.userId === '' || !connector.listsOrders) return []
  const orders = await connector.listOrdersOf(viewer.userId)
  return orders.filter((order) => isOwn(order, viewer))
}

/** The order with that number, or the viewer's own with that tracking number. Another customer's order is not found. */
async function findVisible(turn: Turn, viewer: Viewer, reference: Reference): Promise<Order | null> {
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

async function findReferenced(turn: Turn, viewer: Viewer, references: readonly Reference[]): Promise<Found> {
  const orders: Order[] = []
  const missing: string[] = []
  for (const reference of references) {
    const order = await findVisible(turn, viewer, reference)
    if (!order) missing.push(reference.text)
    else if (!orders.some((known) => known.order_id === order.order_id)) orders.push(order)
  }
  return { orders, missing }
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? []
  return words.map((word) => word.replace(/(?<=ch|sh|x|ss|z)es$|(?<!s)s$/, ''))
}

const commonWords = new Set(
  wordsOf('the and for with from set new order item one status where track return refund cancel'),
)

/** How many words of an item's name a message mentions; a name in Chinese counts as one. */
function mentions(query: string, words: ReadonlySet<string>, name: string): number {
  const own = wordsOf(name).filter((word) => !commonWords.has(word))
  const latin = own.filter((word) => words.has(word)).length
  return /[\u4E00-\u9FFF]/.test(name) && query.includes(name) ? latin + 1 : latin
}

/** The names of the items that a message mentions best, or none. */
export function mentionedItems(query: string, order: Order): string[] {
  const words = new Set(wordsOf(query))
  const scores = order.items.map((item) => mentions(query, words, item.name))
  const best = Math.max(0, ...scores)
  return best === 0 ? [] : order.items.filter((_, index) => (scores[index] ?? 0) > 0).map((item) => item.name)
}

function byMention(query: string, orders: readonly Order[]): Order[] {
  const words = new Set(wordsOf(query))
  const score = (order: Order) => Math.max(0, ...order.items.map((item) => mentions(query, words, item.name)))
  const best = Math.max(0, ...orders.map(score))
  return orders.filter((order) => score(order) === best)
}

/** Asks which of several orders is meant, and waits for the answer. */
function askWhich(turn: Turn, orders: readonly Order[]): BusinessResult {
  const listed = orders.slice(0, maxListed)
  const candidates = listed.map(({ order_id, status, total, items }) => ({
    order_id,
    status,
    total,
    items: items.map((item) => item.name),
  }))
  return end(turn, {
    outcome: 'ask',
    reply: turn.replies.which(listed, orders.length - listed.length),
    data: { candidates },
    pending: {
      ...pendingBase(turn),
      kind: 'choose',
      query: turn.query,
      order_ids: orders.map((order) => order.order_id),
    },
  })
}

/** Chooses among the viewer's own orders when the message has no number: by what it mentions, then by `suits`. */
async function findUnnamed(
  turn: Turn,
  viewer: Viewer,
  suits: (order: Order) => boolean,
): Promise<Found | BusinessResult> {
  const { replies } = turn
  const askNumber = () =>
    end(turn, {
      outcome: 'ask',
      reply: replies.askNumber,
      pending: { ...pendingBase(turn), kind: 'choose', query: turn.query, order_ids: [] },
    })
  if (!turn.connector.listsOrders || viewer.userId === '') return askNumber()
  const all = await ownOrders(turn, viewer)
  if (all.length === 0) return end(turn, { outcome: 'not_found', reply: replies.noOrders, error: replies.noOrders })
  const mentioned = byMention(turn.query, all)
  const suited = mentioned.filter(suits)
  const candidates = suited.length > 0 ? suited : mentioned
  return candidates.length === 1 ? { orders: candidates, missing: [] } : askWhich(turn, candidates)
}

export function isResult(found: Found | BusinessResult): found is BusinessResult {
  return 'outcome' in found
}

function referencesOf({ query, chosen }: Turn): readonly Reference[] {
  if (chosen.length > 0) return chosen.map((text) => ({ text, key: orderKey(text), certain: true }))
  const references = findReferences(query)
  const certain = references.filter((reference) => reference.certain)
  return certain.length > 0 ? certain : references
}

/**
 * Finds the orders of a turn. Digits that merely look like a number are dropped when the message has
 * a number that is certain. `suits` narrows the viewer's own orders when the message names none.
 */
export async function findOrders(
  turn: Turn,
  viewer: Viewer,
  suits: (order: Order) => boolean,
): Promise<Found | BusinessResult> {
  const named = referencesOf(turn)
  if (named.length === 0) return findUnnamed(turn, viewer, suits)
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
