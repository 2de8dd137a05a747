import type { BusinessPolicy, Refusal } from './policy.ts'
import type { Change, ChangeKind, Language, Order, OrderItem } from './types.ts'

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
  const translated = language === 'zh' ? statusZh[order.status.toLowerCase()] : undefined
  return translated ? `${translated}（${order.status}）` : order.status
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

function refundsOf(order: Order): string[] {
  return order.payment_history
    .filter((payment) => payment.transaction_type === 'refund' && payment.amount !== null)
    .map((payment) => formatAmount(payment.amount ?? 0, order.currency))
}

function itemNames(change: Change, language: Language): string {
  return change.items.join(language === 'zh' ? '、' : ', ')
}

const en = {
  order(order: Order): string {
    const tracking =
      order.tracking_ids.length > 0
        ? `Tracking number: ${order.tracking_ids.join(', ')}.`
        : `There is no tracking number${/^(?:pending|processed)/i.test(order.status) ? ' yet' : ''}.`
    const total = order.total === null ? '' : ` Total: ${formatAmount(order.total, order.currency)}.`
    const items = order.items.length === 0 ? '' : ` Items: ${itemList(order, 'en')}.`
    return `Order ${order.order_id} is ${status(order, 'en')}.${items}${total} ${tracking}`
  },
  refundState(order: Order): string {
    const refunds = refundsOf(order)
    if (refunds.length > 0)
      return `Order ${order.order_id} is ${order.status}; ${refunds.join(' and ')} is refunded to the payment method that paid.`
    if (/return requested/i.test(order.status))
      return `A return of order ${order.order_id} is requested; the refund follows once it is received.`
    return `No refund is recorded for order ${order.order_id}, which is ${order.status}.`
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
    `Which order do you mean?\n${orders
      .map(
        (order, index) =>
          `${index + 1}. ${order.order_id} (${order.status}): ${order.items.map((item) => item.name).join(', ')}`,
      )
      .join('\n')}${more > 0 ? `\nand ${more} more; any order number will do.` : ''}`,
  askNumber: 'Which order is it about? Please send me the order number.',
  askAddress: (orderId: string | null) =>
    `What is the new address${orderId === null ? '' : ` for order ${orderId}`}? Please send it in full, with street, number, city and postal code.`,
  confirm(changes: readonly Change[], orders: readonly Order[], policy: BusinessPolicy): string {
    const lines = changes.map((change) => {
      const order = orders.find((candidate) => candidate.order_id === change.order_id)
      return en.proposal(change, order, policy)
    })
    return `${lines.join('\n')}\nShall I go ahead? Please answer yes or no.`
  },
  proposal(change: Change, order: Order | undefined, policy: BusinessPolicy): string {
    const total = order?.total == null ? 'the amount paid' : formatAmount(order.total, order.currency)
    const refund = `to the payment method that paid: at once on a gift card, else in ${policy.refundDays.join(' to ')} working days`
    switch (change.kind) {
      case 'cancel':
        return `Cancel order ${change.order_id} (${itemNames(change, 'en')}); ${total} is refunded ${refund}.`
      case 'return':
        return `Return from order ${change.order_id}: ${itemNames(change, 'en')}. The refund goes ${refund}, once the items are back.`
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
  refused(kind: ChangeKind, order: Order, refusal: Refusal, hint: ChangeKind | null): string {
    const act = `${kindEn[kind]} order ${order.order_id}`
    if (refusal === 'too_expensive') return `I may not ${act} myself because of its amount; a person has to approve it.`
    if (refusal === 'too_late') return `I cannot ${act}: the time for returns is over.`
    if (refusal === 'unsupported') return `I cannot ${act} from here; a person can.`
    const instead = hint === null ? '' : ` I can ${kindEn[hint]} it instead; just ask.`
    return `I cannot ${act}, because it is ${order.status}.${instead}`
  },
  notOfSession: (order: Order) =>
    `Order ${order.order_id} does not belong to the customer of this session, so it cannot be changed here.`,
  cancelled: 'All right, I have changed nothing.',
  expired: 'That question has expired and I have changed nothing. Please ask again if you still want it.',
  unclear: 'I have not done anything yet. Please answer yes to go ahead or no to leave it.',
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
    return `订单 ${order.order_id} 状态：${status(order, 'zh')}。${items}${total}${tracking}`
  },
  refundState(order) {
    const refunds = refundsOf(order)
    if (refunds.length > 0)
      return `订单 ${order.order_id} ${status(order, 'zh')}，${refunds.join('、')} 已退回原支付方式。`
    if (/return requested/i.test(order.status)) return `订单 ${order.order_id} 已申请退货，收到退货后退款。`
    return `订单 ${order.order_id} 没有退款记录，当前状态：${status(order, 'zh')}。`
  },
  notFound: (ids, everywhere) => `${everywhere ? '' : '在您的账户下'}没有找到订单 ${ids.join('、')}，请核对订单号。`,
  notFoundError: (ids) => `未找到订单：${ids.join('、')}`,
  noOrders: '您的账户下没有订单。',
  noMatch: '您的账户下没有符合的订单，请提供订单号。',
  unverified: '无法核实您的身份，因此不能提供订单或账户信息。请登录后再试，或转人工客服。',
  unverifiedError: '客户身份未核实',
  which: (orders, more) =>
    `请问是哪一个订单？\n${orders
      .map(
        (order, index) =>
          `${index + 1}. ${order.order_id}（${status(order, 'zh')}）：${order.items.map((item) => item.name).join('、')}`,
      )
      .join('\n')}${more > 0 ? `\n还有 ${more} 个，也可以直接提供订单号。` : ''}`,
  askNumber: '请问是哪个订单？请提供订单号。',
  askAddress: (orderId) => `请提供${orderId === null ? '' : `订单 ${orderId} 的`}完整新地址，包括省市、街道和门牌号。`,
  confirm(changes, orders, policy) {
    const lines = changes.map((change) => {
      const order = orders.find((candidate) => candidate.order_id === change.order_id)
      return zh.proposal(change, order, policy)
    })
    return `${lines.join('\n')}\n确认要这样办理吗？请回复“是”或“否”。`
  },
  proposal(change, order, policy) {
    const total = order?.total == null ? '已付款项' : formatAmount(order.total, order.currency)
    const refund = `退回原支付方式：礼品卡即时到账，其他方式 ${policy.refundDays.join(' 至 ')} 个工作日`
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
    const act = `订单 ${order.order_id} ${kindZh[kind]}`
    if (refusal === 'too_expensive') return `${act}金额较大，需要人工审核。`
    if (refusal === 'too_late') return `${act}已超过可办理的期限。`
    if (refusal === 'unsupported') return `${act}无法在此办理，可以转人工处理。`
    const instead = hint === null ? '' : `可以改为${kindZh[hint]}，请告诉我。`
    return `${act}无法办理，因为当前状态是${status(order, 'zh')}。${instead}`
  },
  notOfSession: (order) => `订单 ${order.order_id} 不属于本会话的客户，不能在此修改。`,
  cancelled: '好的，没有做任何修改。',
  expired: '确认已过期，没有做任何修改。如仍需要，请重新提出。',
  unclear: '还没有做任何修改。请回复“是”继续，或回复“否”放弃。',
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
