import { findReferences } from './references.ts'
import type { Scene } from './types.ts'

const words: Record<Exclude<Scene, 'none'>, RegExp> = {
  cancel: /\bcancel(?:l?ed|l?ing|l?ation)?\b|取消|撤销订单|撤单|退订|不想要了|不要了/i,
  exchange:
    /\b(?:exchang\w*|swap\w*|replace\w*|different (?:size|colou?r))\b|换货|更换|调换|换成|换个|换一[个件双台套只]|换(?:大|小)?一?码/i,
  refund:
    /\b(?:refund\w*|return\w*|money back|reimburs\w*|send (?:it|them) back)\b|退款|退货|退换|退钱|退回|退掉|想退|要退|返款/i,
  address: /\b(?:address|redirect)\b|\b(?:ship|deliver|send) (?:it|this|them|(?:my |the )?order) to\b|地址|改寄|改送/i,
  logistics:
    /\b(?:track\w*|shipp(?:ing|ed|ment)|deliver(?:y|ed|ies)?|parcel|package|courier|carrier|arriv\w*|in transit)\b|物流|快递|包裹|运单|发货|到货|送到|配送|派送|签收|到哪|(?:什么时候|几时|多久|何时)(?:能)?到/i,
  account:
    /\b(?:account|profile|my (?:e-?mail|details|information|data|payment methods?|gift cards?|balance|membership))\b|账户|账号|帐号|帐户|个人信息|会员信息|余额|我的(?:邮箱|信息|资料|支付方式)/i,
  order_status: /\b(?:orders?|ordered|purchases?|bought)\b|订单|下单|买的|购买的/i,
}

const pastCancel =
  /\bi (?:have |had |just |already )?cancell?ed\b|\b(?:was|is|been|has|got|already|you)\b.{0,30}\bcancell?ed\b|已取消|取消了吗|取消成功|是不是取消|有没有取消|取消的/i
const notCancel = /\b(?:don'?t|do not|never|not) (?:want to |wanna )?cancel|(?:不要|别|不想|不用|没有?)取消/i
const changing =
  /\b(?:change|update|modify|correct|wrong|new|instead|edit|different|move|moved|ship|deliver|send|redirect)\b|改|换|更新|修改|写错|填错|搬家/i

/** A question about how things are done, which the knowledge base answers, unless it is about something of one's own. */
const generic =
  /\b(?:polic(?:y|ies)|how (?:do|does|can|to|long|much|many)|do you|does it|can (?:i|you)|are you|what(?:'s| is| are) (?:the|your)|is (?:there|it possible)|are there|which|who pays)\b|政策|规则|规定|流程|步骤|条件|费用|运费|怎么(?!还|没|不)|如何|怎样|多久|多少天|可以.{0,10}吗|支持.{0,10}吗|能不能|需要什么/i
const own =
  /\b(?:my|mine|i (?:ordered|bought|placed|received|got|just|want|need|would like)|i'd like|this order|that order)\b|我的|我买|我那|我要|我想|我订|我下|这个订单|这单|那单|帮我/i
const access =
  /\b(?:password|log ?in|sign ?(?:in|up)|register|hacked|locked|verification code)\b|密码|登录|登陆|注册|注销|被盗|冻结|验证码/i

// In the order in which they win when several match.
const order: readonly Exclude<Scene, 'none'>[] = [
  'cancel',
  'exchange',
  'refund',
  'address',
  'logistics',
  'account',
  'order_status',
]

function matches(query: string, scene: Exclude<Scene, 'none'>): boolean {
  if (!words[scene].test(query)) return false
  if (scene === 'cancel') return !pastCancel.test(query) && !notCancel.test(query)
  if (scene === 'account') return !access.test(query)
  return true
}

/**
 * What a request is about, by rules for Chinese and English. Questions about how things are done in general are
 * `none`: the knowledge base answers them. An order number alone asks for its status.
 */
export function detectScene(query: string): Scene {
  const text = query.normalize('NFKC').slice(0, 2_000)
  const references = findReferences(text)
  const hasOrder = references.some((reference) => reference.certain) || /^\s*[A-Z0-9-]{6,40}\s*$/i.test(text)
  if (!hasOrder && generic.test(text) && !own.test(text)) return 'none'
  const scene = order.find((candidate) => matches(text, candidate))
  const isSearch = references.length > 0 && (hasOrder || /查|找|\b(?:check|find|look up|where|status)\b/i.test(text))
  return scene ?? (isSearch ? 'order_status' : 'none')
}

/** Does a message about an address ask to change it, rather than what it is? */
export function asksToChangeAddress(query: string): boolean {
  return changing.test(query)
}

const asking =
  /\b(?:when|status|progress|where|how long|has|have|did|received? (?:my|the) (?:money|refund))\b|进度|什么时候|多久|到账|到了吗|退了吗|成功了吗|情况|状态|查/i
const requesting =
  /\b(?:i want|i'd like|i would like|please|need to|want to|can i|could i|return (?:it|this|the|my|order))\b|我要|我想|想要|想退|要退|申请|帮我退|给我退|退了吧|退掉/i

/** Does a message about a refund or an exchange ask how far it is, rather than for one? */
export function asksForProgress(query: string): boolean {
  return asking.test(query) && !requesting.test(query)
}
