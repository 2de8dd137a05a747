import { type Consent, consentIn } from './consent.ts'
import { findDates, type Period } from './dates.ts'
import { fold } from './fold.ts'
import { productsIn } from './products.ts'
import { type Asks, type Leaning, readLeaning, readScene, type Scene, withoutSlips } from './scenes.ts'

/** A possible order or tracking number in a message. */
export interface OrderReference {
  /** As the customer wrote it, in ASCII. */
  readonly text: string
  readonly key: string
  /** Written with `#`, a word such as `order`, or letters in front; otherwise the digits may be something else. */
  readonly certain: boolean
}

/** When something was ordered or received, as it was said; a clock places it. */
export interface PeriodMention extends Period {
  readonly event: 'ordered' | 'received'
}

/** How far the order is that a message speaks of: not sent, or not received. */
export type OrderStage = 'unsent' | 'unreceived'

/** Everything that a message says of the customer's own orders, parcels, refunds and account; plain JSON. */
export interface OrderTalk {
  /** The message itself. */
  readonly text: string
  readonly scene: Scene
  readonly asks: Asks
  /** Of no scene, or a refusal: what it is about if the customer has such an order. */
  readonly leaning: Leaning | null
  /** An answer to "shall I?". */
  readonly consent: Consent | null
  /** Which of a list it chooses, from 0; -1 is the last. */
  readonly choice: number | null
  /** It says that all of them are meant. */
  readonly all: boolean
  readonly references: readonly OrderReference[]
  /** Clauses that name what is to stay as it is; goods in them are not what a change is about. */
  readonly kept: string
  /** It says who writes: a name or an e-mail address, and asks nothing. */
  readonly introduces: boolean
  /** Names of goods, as written; the shop may have none of them. */
  readonly products: readonly string[]
  readonly when: PeriodMention | null
  readonly stage: OrderStage | null
  /** The address that it states, and whose it is; null in `of`: it does not say. */
  readonly address: { readonly text: string | null; readonly of: 'order' | 'account' | null }
}

const MAX_LENGTH = 2_000
const NUMBER_ALONE = /^[#\s]*[a-z0-9-]{6,40}\s*$/
const SEARCH = /查|找|快递|运单|包裹|\b(?:check|find|look up|where|status|track|parcel|package)\b/
const NOT_AN_ACT =
  /(?:不要|别|先别|不想|不用)(?:给我)?(?:取消|退|换|改)|\b(?:don'?t|do not|never) (?:want to |wanna )?(?:cancel|return|refund|exchange|change)\b/

const SAYS_MORE = /[,，;；。.]\s*\p{L}/u
const ALL =
  /都|全部|全退|整单|一起退|\b(?:both|everything|(?:the )?whole|all of (?:them|these)|all (?:two|three|four)|them all)\b/

/**
 * Reads what a message in Chinese or English says of the customer's own orders; the first 2,000 characters count.
 *
 * @param references order and tracking numbers in the message, as `findReferences` finds them
 */
export function readOrderTalk(message: string, references: readonly OrderReference[]): OrderTalk {
  const text = message.slice(0, MAX_LENGTH)
  const folded = withoutSlips(fold(text.normalize('NFKC')))
  const certain = references.some((reference) => reference.certain)
  const hasNumber = certain || (references.length > 0 && (NUMBER_ALONE.test(folded) || SEARCH.test(folded)))
  const address = readAddress(text)
  const work = isMove(address, folded) ? MOVE : readScene(folded, hasNumber)
  const isRefusal = work.asks !== 'change' && NOT_AN_ACT.test(folded) && !SAYS_MORE.test(folded)
  const consent = consentIn(folded) ?? (isRefusal ? 'no' : null)
  return {
    text,
    ...work,
    consent,
    leaning: consent === 'no' || work.scene === 'none' ? leaningOf(folded, consent) : null,
    choice: choiceIn(folded),
    kept: keptIn(folded),
    introduces: INTRODUCES.test(folded),
    all: ALL.test(folded),
    // The postal code of an address is no order.
    references: references.filter(({ certain, text: number }) => certain || !address?.includes(number)),
    products: productsIn(folded),
    when: periodIn(folded),
    stage: stageIn(folded),
    address: { text: address, of: addressOwner(folded, certain) },
  }
}

/** A refusal asks for nothing: it is about what was done («算了不退了»), or about nothing. */
function leaningOf(folded: string, consent: Consent | null): Leaning | null {
  const leaning = readLeaning(folded)
  return consent === 'no' && leaning?.of !== 'done' ? null : leaning
}

const INTRODUCES =
  /^(?:hi|hello)?[ ,]*(?:my name is|my name's|i'm|i am|this is) [a-z]+(?: [a-z]+){0,2}(?:[ ,.]+\S+@\S+)?\W*$|^(?:你好)?[ ,]*(?:我叫|我是|(?:我的|本人)?(?:名字|姓名)[是叫]?)\p{Script=Han}{2,4}(?![\p{Script=Han}])/u

const CLAUSES = /[,，;；。.!！\n]|\bbut\b|但是?|不过|\band (?=i |keep|leave|cancel|return|exchange)|(?=\bexcept\b|除了)/
const KEPT =
  /\b(?:keep|keeping|still (?:want|need)|hold on to|except|leave)\b|留着|留下|保留|还要(?!退|换|取消|把)|不退|不取消|不换|照常|照发|除了/
const NOT_KEPT =
  /\b(?:don'?t|do not|not|no longer|can'?t|won'?t|never)\b.{0,15}\b(?:keep|want|need|leave)|不(?:想|要|能|愿意)?(?:留|保留)/

function keptIn(folded: string): string {
  const clauses = folded.split(CLAUSES).filter((clause) => clause.trim() !== '')
  return clauses.length < 2 ? '' : clauses.filter((clause) => KEPT.test(clause) && !NOT_KEPT.test(clause)).join('\n')
}

const UNSENT =
  /待发货|(?:没|未)发(?:货|的)|\bpending\b|\bunshipped\b|\bnot (?:yet )?(?:been )?shipped\b|\bhasn't shipped\b|before it ships/
const UNRECEIVED =
  /(?:没|未)(?:有)?(?:收到|到)(?!退)|\b(?:not|n't|never)\b.{0,20}\b(?:arrived?|come|came|here|received)\b(?!.{0,20}refund)|still waiting/

function stageIn(folded: string): OrderStage | null {
  if (UNSENT.test(folded)) return 'unsent'
  return UNRECEIVED.test(folded) && !/退款|\brefund/.test(folded) ? 'unreceived' : null
}

const ORDINALS = [
  '1一first',
  '2二两second',
  '3三third',
  '4四fourth',
  '5五fifth',
  '6六sixth',
  '7七seventh',
  '8八eighth',
  '9九ninth',
]
const CHOICE =
  /^(?:(?:我)?(?:选|要|就|是)|i (?:mean|want|choose)|it's|its)?\s*(?:the |第|option |number |no\.? ?|# ?)*(最后|last|[1-9](?:st|nd|rd|th)?|[一二两三四五六七八九]|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\s*(?:一?个|一?种|单|one|order)?(?:吧|的|那个|那单)?(?:[\s,.。!！，]*(?:please|pls|thanks|thank you|谢谢|吧))?[\s.。!！]*$/

function choiceIn(folded: string): number | null {
  const word = CHOICE.exec(folded.trim())?.[1]?.replace(/(?<=\d)(?:st|nd|rd|th)$/, '')
  if (word === undefined) return null
  return word === '最后' || word === 'last' ? -1 : ORDINALS.findIndex((names) => names.includes(word))
}

const RECEIVED = /收到(?!退)|签收|到货|\b(?:received|got|arrived|came|delivered)\b/
const ORDERED = /买|下的?单|订的|拍的|下的|\b(?:order(?:ed)?|bought|purchased?|placed)\b/
function periodIn(folded: string): PeriodMention | null {
  const event =
    RECEIVED.test(folded) && !/没|\bnot\b|n't/.test(folded) ? 'received' : ORDERED.test(folded) ? 'ordered' : null
  if (event === null) return null
  const past = findDates(folded).find(({ period }) => period !== null && (period.back?.count ?? 0) >= 0)
  return past ? { event, ...past.period } : null
}

// «改成 苏州市平江路 88 号»: to change what, the place itself says.
const PLACE = /[省市区县镇乡村].{0,60}[路街道巷弄区].{0,60}\d|\d.{0,60}\b(?:street|road|avenue|lane|drive|st|rd|ave)\b/i
const MOVE = { scene: 'address', asks: 'change' } as const

function isMove(address: string | null, folded: string): boolean {
  return (
    address !== null && PLACE.test(address) && /改|换|寄|送|\b(?:change|send|ship|deliver|redirect|move)\b/.test(folded)
  )
}

const DEFAULT_ADDRESS = /\b(?:default|account|profile)\b|默认|账户|账号|个人/
const ORDER_ADDRESS =
  /\b(?:order|parcel|package|shipping|delivery|shipment)\b|订单|包裹|收货|快递|配送|那单|这单|那个|(?:send|ship|deliver|redirect) (?:it|the|my|this|that)/

function addressOwner(folded: string, namesOrder: boolean): 'order' | 'account' | null {
  if (namesOrder) return 'order'
  if (DEFAULT_ADDRESS.test(folded)) return 'account'
  return ORDER_ADDRESS.test(folded) ? 'order' : null
}

const ENGLISH_ADDRESS = /\b(?:to|as|is)\b ?:? ?(.{8,200})$/is
const CHINESE_ADDRESS =
  /(?:改成|改为|改到|改寄到?|改送到?|换成|换到|更新为|更新成|设成|设为|寄到|送到|地址[是为:])[:： ]{0,2}(.{4,200})$/s

function readAddress(message: string): string | null {
  const text = message.normalize('NFKC').slice(0, 1_000).trim()
  const stated = CHINESE_ADDRESS.exec(text)?.[1] ?? lastEnglish(text)
  return stated === undefined ? null : asAddress(stated)
}

function lastEnglish(text: string): string | undefined {
  for (const match of text.matchAll(/\b(?:to|is|as|address)\b ?:?/gi)) {
    const rest = text.slice(match.index + match[0].length).trim()
    if (/^\d{1,6}[A-Za-z]? +\S+/.test(rest) && !/^#/.test(rest)) return rest
  }
  const tail = ENGLISH_ADDRESS.exec(text)?.[1]
  return tail !== undefined && /,/.test(tail) && /\d/.test(tail) && !/#/.test(tail) ? tail : undefined
}

/**
 * A whole message as an address, which only an open question for one can make it: it has letters and, in Latin script, a
 * number. Null when it cannot be one.
 */
export function asAddress(message: string): string | null {
  const text = message
    .trim()
    .replace(/[,，]?\s{0,4}(?:instead|please|thanks|谢谢)?[.。!！]?$/i, '')
    .replace(/\s+/g, ' ')
  if (text.length < 5 || text.length > 200 || /[?？]/.test(text)) return null
  const isChinese = /[\u4E00-\u9FFF]{3}/.test(text) && /[\d省市区县路街镇乡村号]/.test(text)
  return isChinese || (/\d/.test(text) && /[A-Za-z]{2}/.test(text) && text.includes(' ')) ? text : null
}
