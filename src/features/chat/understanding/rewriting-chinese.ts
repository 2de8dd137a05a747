import { fold } from '../../../language/fold.ts'
import { findSlots, replaceAt, sharedSlot, slotKindOf, stripMarks } from '../../../language/slots.ts'
import type { Span } from '../../../language/spans.ts'

const LEAD = '(?:那么?|那要是|要是|如果是|如果|假如|换成|还有|至于|然后|,|，| )*'
const ABOUT = new RegExp(
  `^${LEAD}(.{1,20}?)(?:呢|怎么样|怎么算|也(?:是)?(?:一样|可以|能|行|支持|算|适用|有)(?:的)?(?:吗|么|不))$`,
)
const HAS_VERB = /了|过|没|不|超过|已经|坏|丢|拆|用|买|在/
const PRONOUN =
  /它们?|他们|这款|那款|这个|那个|这种|那种|这件|那件|这双|那双|前者|后者|上面的?|你说的那?个?|刚才说的那?个?/
const TOPIC_END =
  /的(?=.)|能|可以|可不|可否|怎么|如何|怎样|要(?!求)|多[久少长大高重远]|有(?!限)|是|什么|几|支持|会|需要|还|也|都|哪|谁|在|算|收|吗|呢|么|吧|啊|不|没|防|带|适合|打|[,，。?？!！]/
const OBJECT =
  /(?:卖|退|换|修|买|找|查|看|推荐|介绍|有没有|有|用|开|想要|要|订)(?:一下|个|一个|一款|这款|那款)?([\u3400-\u9fffa-zA-Z0-9]{1,12}?)(?=吗|么|呢|吧|卖|怎么|多少|可以|能|要|的|[,，。?？]|$)/
const PROPERTY = /^(?:价格|价钱|尺寸|尺码|重量|颜色|材质|面料|容量|品牌|质量|库存|功率|续航|保质期|产地)$/
const SERVICE =
  /^(?:我|你|你们|他|请问|一下|什么|多少|多久|怎么|如何|大概|一般|现在|今天|明天|这|那|都|全部|所有|买|卖|付款|支付|期限|时间|费用|价格|流程|政策|活动|优惠|订单|密码|账号|账户|客服|门店|地址|电话|营业|上班|密码|验证码|快递|物流|包裹)|(?:期限|时间|费用|流程|政策|方式|地址|电话|订单|进度|金额|多久|条件|门槛)$/

/** Stand-alone readings of a follow-up to one Chinese question, likeliest first; none when it cannot be tied to it. */
export function rewriteChinese(message: string, base: string): string[] {
  const text = stripMarks(message)
  const about = ABOUT.exec(fold(text))
  if (about !== null) return aboutPhrase(phraseIn(text, about[1]!), base)
  const pronoun = PRONOUN.exec(text)
  if (pronoun !== null) {
    const span = { start: pronoun.index, end: pronoun.index + pronoun[0].length }
    return topicsOf(base).map((topic) => replaceAt(stripMarks(message), span, topic) + markOf(message))
  }
  const elsewhere = withOtherSlot(text, base)
  if (elsewhere !== null) return [`${elsewhere}${markOf(message)}`]
  // Chinese drops a known topic: to put it back in front is enough.
  const rest = text.replace(/^(?:那么?|请问|然后|所以)[,， ]?/, '')
  return topicsOf(base).map((topic) => `${topic}${rest}${markOf(message)}`)
}

const BEFORE_SLOT = /^(?:请问|你好|您好|你们|可以|能不能|能|支持|我想问一下|我想问|,|，| )+/

/** 到新加坡要多久 after 你们送香港吗 is 送到新加坡要多久: the other place stands where the first one stood. */
function withOtherSlot(text: string, base: string): string | null {
  const shared = sharedSlot(text, base)
  const action = shared ? base.slice(0, shared.other.start).replace(BEFORE_SLOT, '').replace(/到$/, '') : ''
  return action === '' ? null : `${action}${text}`
}

function markOf(message: string): string {
  return /[!！。]\s*$/.test(message) ? '' : '？'
}

function phraseIn(text: string, folded: string): string {
  const start = fold(text).indexOf(folded)
  return text.slice(start, start + folded.length).replace(/的$/, '')
}

function aboutPhrase(phrase: string, base: string): string[] {
  const kind = slotKindOf(fold(phrase))
  if (kind !== null) {
    const slots = likest(phrase, base, findSlots(fold(base), kind))
    if (slots.length > 0) return slots.map((slot) => replaceAt(base, slot, phrase))
    return kind === 'process' ? properties(phrase, base) : [`${phrase}${base}`]
  }
  if (PROPERTY.test(phrase)) return properties(phrase, base)
  if (HAS_VERB.test(phrase)) return [`如果${phrase.replace(/^(?:如果|要是)/, '')}，${base}`]
  const goods = goodsOf(base)
  return goods.length > 0 ? goods.map((slot) => replaceAt(base, slot, phrase)) : [`${phrase}${base}`]
}

// 退货运费 names two processes; 换货 stands for the one that it shares a sign with.
function likest(phrase: string, base: string, slots: readonly Span[]): Span[] {
  const alike = slots.filter(({ start, end }) => [...phrase].some((sign) => base.slice(start, end).includes(sign)))
  return alike.length > 0 ? alike : [...slots]
}

/** A property asked of what was spoken about: 价格 after 有帐篷吗 is 帐篷价格. */
function properties(phrase: string, base: string): string[] {
  const topics = topicsOf(base)
  return topics.length > 0 ? topics.map((topic) => `${topic}${phrase}？`) : [`${phrase}${base}`]
}

function goodsOf(base: string): Span[] {
  return topicsOf(base)
    .map(withoutService)
    .filter((topic) => topic !== '' && !SERVICE.test(topic) && slotKindOf(fold(topic)) === null)
    .map((topic) => ({ start: base.indexOf(topic), end: base.indexOf(topic) + topic.length }))
}

/** 电子产品退货期限 is about 电子产品; empty when nothing stands before the service. */
function withoutService(topic: string): string {
  const at = findSlots(topic, 'process')[0]?.start ?? topic.length
  return topic.slice(0, at).replace(/的$/, '')
}

/** The topics of a Chinese question: what stands before its verb or question word, else the object; "A和B" are two topics. */
export function topicsOf(base: string): string[] {
  const text = stripMarks(base).replace(
    /^(?:请问|你好|您好|你们|我想问一下|我想问|想问一下|问一下|我想知道|那|,|，| )+/,
    '',
  )
  const end = TOPIC_END.exec(text)
  const subject = end === null ? text : text.slice(0, end.index)
  const isSubject = subject.length > 0 && subject.length <= 16 && !/^(?:我|你|他|想|帮|给|把)/.test(subject)
  const isVerb = /^(?:卖|退|换|修|买|发|寄|送|用|开|付|查)/.test(subject) && slotKindOf(fold(subject)) === null
  const topic = isSubject && !isVerb ? subject : (processIn(text) ?? OBJECT.exec(text)?.[1] ?? '')
  return topic.split(/[和跟与及、]/).filter((part) => part !== '')
}

function processIn(text: string): string | undefined {
  const slot = findSlots(fold(text), 'process').at(-1)
  return slot === undefined ? undefined : text.slice(slot.start, slot.end)
}
