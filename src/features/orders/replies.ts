import type { BusinessPolicy, Refusal } from './policy.ts'
import type { Change, ChangeKind, DoneChange, Language, Order, OrderItem } from './types.ts'

/** An amount as it is on record: two decimals, more only where it has more. */
export function formatAmount(amount: number, currency?: string): string {
  const fixed = amount.toFixed(2)
  const exact = Number(fixed) === amount ? fixed : String(amount)
  return currency ? `${exact} ${currency}` : exact
}

const statusZh: Record<string, string> = {
  pending: '待处理',
  processed: '已处理',
  shipped: '已发货',
  delivered: '已送达',
  cancelled: '已取消',
  'return requested': '已申请退货',
  'exchange requested': '已申请换货',
}

function status(order: Order, language: Language): string {
  return (language === 'zh' ? statusZh[order.status.toLowerCase()] : undefined) ?? order.status
}

/** The record of an order says the status in the shop's own word as well. */
function statusOnRecord(order: Order): string {
  const translated = status(order, 'zh')
  return translated === order.status ? translated : `${translated}（${order.status}）`
}

function itemText(item: OrderItem, order: Order, language: Language): string {
  const options = Object.entries(item.options ?? {}).map(([name, value]) => `${name}: ${value}`)
  const count = item.quantity !== undefined && item.quantity !== 1 ? ` × ${item.quantity}` : ''
  const price = item.price === undefined ? '' : ` ${formatAmount(item.price, order.currency)}`
  const details =
    options.length === 0 ? '' : language === 'zh' ? `（${options.join('，')}）` : ` (${options.join(', ')})`
  return `${item.name}${details}${count}${price}`
}

function itemList(order: Order, language: Language): string {
  const items = order.items.map((item) => itemText(item, order, language))
  return items.join(language === 'zh' ? '；' : '; ')
}

const kindEn: Record<ChangeKind, string> = {
  cancel: 'cancel',
  return: 'return',
  exchange: 'exchange',
  address: 'change the address of',
  account_address: 'change the address of',
}
const kindZh: Record<ChangeKind, string> = {
  cancel: '取消',
  return: '退货退款',
  exchange: '换货',
  address: '修改收货地址',
  account_address: '修改默认地址',
}

const reached: Partial<Record<ChangeKind, RegExp>> = {
  cancel: /^cancelled/i,
  return: /^(?:return requested|refunded)/i,
  exchange: /^exchange requested/i,
}

function isSoAlready(kind: ChangeKind, order: Order): boolean {
  return reached[kind]?.test(order.status) ?? false
}

function refundsOf(order: Order): string[] {
  return order.payment_history
    .filter((payment) => payment.transaction_type === 'refund' && payment.amount !== null)
    .map((payment) => formatAmount(payment.amount ?? 0, order.currency))
}

function itemNames(change: Pick<Change, 'items'>, language: Language): string {
  return change.items.join(language === 'zh' ? '、' : ', ')
}

/** "is delivered", "has a return requested". */
function stateOf({ status }: Order): string {
  const [, act] = /^(return|exchange) requested$/i.exec(status) ?? []
  return act === undefined ? `is ${status}` : `has ${act === 'return' ? 'a' : 'an'} ${act} requested`
}

/** Ways that are open instead; `later`: a return, once the order is delivered. */
export type Hint = ChangeKind | 'later' | null

/** When a refund arrives, as far as the shop has said so. */
function inDays({ refundDays }: BusinessPolicy, language: Language): string {
  if (refundDays === null) return ''
  return language === 'zh'
    ? `：礼品卡即时到账，其他方式 ${refundDays.join(' 至 ')} 个工作日`
    : `: at once on a gift card, else in ${refundDays.join(' to ')} working days`
}

/** The day of the order; nothing where the source writes no date that can be read. */
function dayOf({ ordered_at }: Order): string {
  const time = Date.parse(ordered_at ?? '')
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 10)
}

function listOf(orders: readonly Order[], language: Language): string {
  const [open, close, colon, comma] = language === 'zh' ? ['，', '', '：', '、'] : [' (', ')', ': ', ', ']
  return orders
    .map((order, index) => {
      const items = order.items.map((item) => item.name).join(comma)
      const day = dayOf(order)
      return `${index + 1}. ${order.order_id}${day && ` ${day}`}${open}${status(order, language)}${close}${colon}${items}`
    })
    .join('\n')
}

const en = {
  order(order: Order): string {
    const tracking =
      order.tracking_ids.length > 0
        ? `Tracking number: ${order.tracking_ids.join(', ')}.`
        : `There is no tracking number${/^(?:pending|processed)/i.test(order.status) ? ' yet' : ''}.`
    const total = order.total === null ? '' : ` Total: ${formatAmount(order.total, order.currency)}.`
    const items = order.items.length === 0 ? '' : ` Items: ${itemList(order, 'en')}.`
    const day = dayOf(order)
    const ordered = day === '' ? '' : ` Ordered on ${day}.`
    return `Order ${order.order_id} ${stateOf(order)}.${ordered}${items}${total} ${tracking}`
  },
  refundState(order: Order, policy: BusinessPolicy): string {
    const refunds = refundsOf(order)
    if (refunds.length > 0)
      return `Order ${order.order_id} is ${order.status}; ${refunds.join(' and ')} is refunded to the payment method that paid. If it has not arrived, a person can look into it.`
    if (/return requested/i.test(order.status))
      return `A return of order ${order.order_id} is requested; the refund follows once it is received${inDays(policy, 'en')}.`
    return `No refund is recorded for order ${order.order_id}, which ${stateOf(order)}.`
  },
  notFound: (ids: readonly string[], everywhere: boolean) =>
    `I could not find ${ids.length > 1 ? 'orders' : 'order'} ${ids.join(', ')}${everywhere ? '' : ' among the orders of this account'}. Please check the number.`,
  notFoundError: (ids: readonly string[]) => `Order not found: ${ids.join(', ')}`,
  noOrders: 'There are no orders in this account.',
  noMatch: 'None of the orders in this account fits. Please send me the order number.',
  unverified:
    'I could not verify who you are, so I cannot show order or account details. Please sign in, or ask for a person.',
  unverifiedError: 'Customer not verified',
  which: (orders: readonly Order[], more: number) =>
    `Which order do you mean?\n${listOf(orders, 'en')}${more > 0 ? `\nand ${more} more; any order number will do.` : ''}`,
  list: (orders: readonly Order[], more: number) =>
    `Your orders:\n${listOf(orders, 'en')}${more > 0 ? `\nand ${more} more.` : ''}\nTell me which one if you want to know more.`,
  noItem: (named: string) => `There is no “${named}” among the orders of this account.`,
  noneThen: 'I see no order of that time.',
  wholeOnly: (order: Order) =>
    `One item of order ${order.order_id} cannot be cancelled by itself; the order can be, with all its items. If you want that neither, ask for a person.`,
  noRefunds: (orders: readonly Order[]) => `There is no refund on record for your orders:\n${listOf(orders, 'en')}`,
  notUndone(change: DoneChange): string {
    const act =
      change.kind === 'cancel'
        ? `order ${change.order_id} is cancelled`
        : change.kind === 'return' || change.kind === 'exchange'
          ? `the ${change.kind} of ${itemNames(change, 'en')} is requested`
          : 'the address is changed'
    return `It is done: ${act} already, and a word cannot undo it. ${change.kind === 'cancel' ? 'You can order again, or ask for a person.' : 'Ask for a person if you want it back as it was.'}`
  },
  isSo: ({ kind, order_id }: DoneChange) =>
    kind === 'address'
      ? `Yes, order ${order_id} goes to the new address that you gave.`
      : 'Yes, the address that you gave is your default one now.',
  noProof:
    'A name or an e-mail address in a chat is no proof of who you are, so I cannot show order or account details. Please sign in, or ask for a person.',
  nothingOffered: 'I have offered nothing to choose from. Which one do you mean?',
  askNumber: 'Which order is it about? Please send me the order number.',
  askAddress: (orderId: string | null) =>
    `What is the new address${orderId === null ? '' : ` for order ${orderId}`}? Please send it in full, with street, number, city and postal code.`,
  confirm: (proposals: readonly string[]) => `${proposals.join('\n')}\nShall I go ahead? Please answer yes or no.`,
  proposal(change: Change, order: Order | undefined, policy: BusinessPolicy): string {
    const total = order?.total == null ? 'the amount paid' : formatAmount(order.total, order.currency)
    const refund = `to the payment method that paid${inDays(policy, 'en')}`
    switch (change.kind) {
      case 'cancel':
        return `Cancel order ${change.order_id} (${itemNames(change, 'en')}); ${total} is refunded ${refund}.`
      case 'return':
        return `Return from order ${change.order_id}: ${itemNames(change, 'en')}. Once the items are back, the refund goes ${refund}.`
      case 'exchange':
        return `Exchange from order ${change.order_id}: ${itemNames(change, 'en')}. You will get an e-mail on how to send them back; this can be asked for once per order.`
      case 'address':
        return `Send order ${change.order_id} to: ${change.address}`
      default:
        return `Make this your default address: ${change.address}`
    }
  },
  done(change: Change): string {
    switch (change.kind) {
      case 'cancel':
        return `Order ${change.order_id} is cancelled.`
      case 'return':
        return `The return of ${itemNames(change, 'en')} from order ${change.order_id} is requested.`
      case 'exchange':
        return `The exchange of ${itemNames(change, 'en')} from order ${change.order_id} is requested.`
      case 'address':
        return `The address of order ${change.order_id} is changed.`
      default:
        return 'Your default address is changed.'
    }
  },
  conflict: (change: Change) =>
    `${change.order_id === null ? 'Your record' : `Order ${change.order_id}`} has changed in the meantime, so I did nothing. Please ask again.`,
  unknown: (change: Change) =>
    `I cannot tell whether the change of ${change.order_id ?? 'your account'} went through, so I will not repeat it. A person will check.`,
  refused(kind: ChangeKind, order: Order, refusal: Refusal, hint: Hint): string {
    const act = `${kindEn[kind]} order ${order.order_id}`
    if (refusal === 'too_expensive') return `I may not ${act} myself because of its amount; a person has to approve it.`
    if (refusal === 'too_late') return `I cannot ${act}: the time for returns is over.`
    if (refusal === 'unsupported') return `I cannot ${act} from here; a person can.`
    if (isSoAlready(kind, order)) return `Order ${order.order_id} ${stateOf(order)} already.`
    const instead =
      hint === null
        ? ''
        : hint === 'later'
          ? ' Once it is delivered, it can be returned.'
          : ` I can ${kindEn[hint]} it instead; just ask.`
    return `I cannot ${act}, because it ${stateOf(order)}.${instead}`
  },
  notOfSession: (order: Order) =>
    `Order ${order.order_id} does not belong to the customer of this session, so it cannot be changed here.`,
  unchanged: 'All right, I have changed nothing.',
  nothingAsked: 'There is nothing open that needs your confirmation. What can I help you with?',
  expired: 'That question has expired and I have changed nothing. Please ask again if you still want it.',
  unclear: (proposals: readonly string[]) =>
    `I have not done anything yet. ${proposals.join('\n')}\nPlease answer yes to go ahead or no to leave it.`,
  failed: 'The order system does not answer at the moment, so I cannot tell you. A person can help.',
  failedChange:
    'The order system failed, so I cannot confirm the change. A person will check before it is tried again.',
  failedError: 'Business system unavailable',
  account: (email: string | null, methods: readonly string[], orders: number | null) =>
    [
      email === null ? 'No e-mail is on record.' : `The e-mail on record is ${email}.`,
      methods.length === 0 ? '' : `Payment methods: ${methods.join(', ')}.`,
      orders === null ? '' : `Orders: ${orders}.`,
    ]
      .filter((line) => line !== '')
      .join(' '),
  notBusiness: 'I found no order or account matter in that. Please name an order number or what you want to know.',
}

/** Every text of the business agent in one language. */
export type Replies = typeof en

const zh: Replies = {
  order(order) {
    const tracking =
      order.tracking_ids.length > 0
        ? `运单号：${order.tracking_ids.join('、')}。`
        : /^pending|^processed/i.test(order.status)
          ? '暂无运单号。'
          : '没有运单号。'
    const total = order.total === null ? '' : `合计：${formatAmount(order.total, order.currency)}。`
    const items = order.items.length === 0 ? '' : `商品：${itemList(order, 'zh')}。`
    const day = dayOf(order)
    const ordered = day === '' ? '' : `下单日期：${day}。`
    return `订单 ${order.order_id} 状态：${statusOnRecord(order)}。${ordered}${items}${total}${tracking}`
  },
  refundState(order, policy) {
    const refunds = refundsOf(order)
    if (refunds.length > 0)
      return `订单 ${order.order_id} ${status(order, 'zh')}，${refunds.join('、')} 已退回原支付方式。如仍未到账，可以转人工核实。`
    if (/return requested/i.test(order.status))
      return `订单 ${order.order_id} 已申请退货，收到退货后退款${inDays(policy, 'zh')}。`
    return `订单 ${order.order_id} 没有退款记录，当前状态：${status(order, 'zh')}。`
  },
  notFound: (ids, everywhere) => `${everywhere ? '' : '在您的账户下'}没有找到订单 ${ids.join('、')}，请核对订单号。`,
  notFoundError: (ids) => `未找到订单：${ids.join('、')}`,
  noOrders: '您的账户下没有订单。',
  noMatch: '您的账户下没有符合的订单，请提供订单号。',
  unverified: '无法核实您的身份，因此不能提供订单或账户信息。请登录后再试，或转人工客服。',
  unverifiedError: '客户身份未核实',
  which: (orders, more) =>
    `请问是哪一个订单？\n${listOf(orders, 'zh')}${more > 0 ? `\n还有 ${more} 个，也可以直接提供订单号。` : ''}`,
  list: (orders, more) =>
    `您的订单：\n${listOf(orders, 'zh')}${more > 0 ? `\n还有 ${more} 个。` : ''}\n想了解哪一个，请告诉我。`,
  noItem: (named) => `您的订单里没有“${named}”。`,
  noneThen: '您在那个时间没有订单。',
  wholeOnly: (order) => `订单 ${order.order_id} 里的单件商品不能单独取消，只能整单取消；如果都不合适，可以转人工。`,
  noRefunds: (orders) => `您的订单都没有退款记录：\n${listOf(orders, 'zh')}`,
  notUndone: (change) =>
    change.kind === 'cancel'
      ? `订单 ${change.order_id} 已取消，无法撤回。您可以重新下单，或转人工处理。`
      : `${change.order_id === null ? '您的账户' : `订单 ${change.order_id}`}的${kindZh[change.kind]}已提交，无法在此撤回，可以转人工处理。`,
  isSo: ({ kind, order_id }) =>
    kind === 'address' ? `是的，订单 ${order_id} 会寄到您提供的新地址。` : '是的，您提供的地址现在是默认地址。',
  noProof: '聊天里说的姓名或邮箱不能证明身份，因此不能提供订单或账户信息。请登录后再试，或转人工客服。',
  nothingOffered: '目前没有可选的内容，请问您指的是哪一个？',
  askNumber: '请问是哪个订单？请提供订单号。',
  askAddress: (orderId) => `请提供${orderId === null ? '' : `订单 ${orderId} 的`}完整新地址，包括省市、街道和门牌号。`,
  confirm: (proposals) => `${proposals.join('\n')}\n确认要这样办理吗？请回复“是”或“否”。`,
  proposal(change, order, policy) {
    const total = order?.total == null ? '已付款项' : formatAmount(order.total, order.currency)
    const refund = `退回原支付方式${inDays(policy, 'zh')}`
    switch (change.kind) {
      case 'cancel':
        return `取消订单 ${change.order_id}（${itemNames(change, 'zh')}），${total} ${refund}。`
      case 'return':
        return `订单 ${change.order_id} 退货：${itemNames(change, 'zh')}。收到退货后款项${refund}。`
      case 'exchange':
        return `订单 ${change.order_id} 换货：${itemNames(change, 'zh')}。寄回方式将以邮件告知；每个订单只能申请一次。`
      case 'address':
        return `订单 ${change.order_id} 改寄到：${change.address}`
      default:
        return `默认地址改为：${change.address}`
    }
  },
  done(change) {
    switch (change.kind) {
      case 'cancel':
        return `订单 ${change.order_id} 已取消。`
      case 'return':
        return `订单 ${change.order_id} 的退货已申请：${itemNames(change, 'zh')}。`
      case 'exchange':
        return `订单 ${change.order_id} 的换货已申请：${itemNames(change, 'zh')}。`
      case 'address':
        return `订单 ${change.order_id} 的收货地址已修改。`
      default:
        return '您的默认地址已修改。'
    }
  },
  conflict: (change) =>
    `${change.order_id === null ? '您的资料' : `订单 ${change.order_id}`}期间已发生变化，未做任何修改，请重新提出。`,
  unknown: (change) => `无法确定${change.order_id ?? '您的账户'}的修改是否成功，不会重复提交，将由人工核实。`,
  refused(kind, order, refusal, hint) {
    const act = `订单 ${order.order_id} 的${kindZh[kind]}`
    if (refusal === 'too_expensive') return `${act}金额较大，需要人工审核。`
    if (refusal === 'too_late') return `${act}已超过可办理的期限。`
    if (refusal === 'unsupported') return `${act}无法在此办理，可以转人工处理。`
    if (isSoAlready(kind, order)) return `订单 ${order.order_id} ${status(order, 'zh')}，无需再次办理。`
    const instead =
      hint === null ? '' : hint === 'later' ? '签收后可以申请退货。' : `可以改为${kindZh[hint]}，请告诉我。`
    return `${act}无法办理，因为当前状态是${status(order, 'zh')}。${instead}`
  },
  notOfSession: (order) => `订单 ${order.order_id} 不属于本会话的客户，不能在此修改。`,
  unchanged: '好的，没有做任何修改。',
  nothingAsked: '目前没有需要您确认的事项，请问有什么可以帮您？',
  expired: '确认已过期，没有做任何修改。如仍需要，请重新提出。',
  unclear: (proposals) => `还没有做任何修改。${proposals.join('\n')}\n请回复“是”继续，或回复“否”放弃。`,
  failed: '订单系统暂时没有响应，无法查询，可以转人工处理。',
  failedChange: '订单系统出错，无法确认修改是否成功，再次办理前将由人工核实。',
  failedError: '业务系统不可用',
  account: (email, methods, orders) =>
    [
      email === null ? '没有登记邮箱。' : `登记邮箱：${email}。`,
      methods.length === 0 ? '' : `支付方式：${methods.join('、')}。`,
      orders === null ? '' : `订单数：${orders}。`,
    ].join(''),
  notBusiness: '没有识别到订单或账户事项，请提供订单号或说明要查询的内容。',
}

const replies: Record<Language, Replies> = { en, zh }

/** The texts of the business agent in the customer's language. */
export function repliesIn(language: Language): Replies {
  return replies[language]
}
