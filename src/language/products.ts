import { fold } from './fold.ts'
import { createSpeller } from './spelling.ts'

/** Words that stand where a product could and name none: the trade's own, and what everything is. */
const NOT_PRODUCTS = new Set(
  (
    'order orders one ones thing things stuff item items it them this that these those something anything everything all both product products goods ' +
    'parcel parcels package packages shipment delivery courier tracking number address refund refunds return returns exchange money cash amount payment ' +
    'purchase purchases account profile email phone name details status price cost receipt invoice shipping postage way day days week weeks month months year time ' +
    'first second third fourth fifth last next other another same new old different pending recent latest only just status policy window rest whole full ' +
    'shop store site person human agent manager colleague customer service help question problem issue mistake mind office home parents place house street road city ' +
    'i you u me we they he she my your our his her their a an the and or but so to of for on in at by with from as is are was be been am do does did not no yes please pls thanks thank now ' +
    'have has had get got want need like would could can will what when where which who why how much many still yet never ever here there back up out off then than ' +
    'january february march april may june july august september october november december today yesterday tomorrow morning ago bought ordered received purchased ' +
    'cancel cancelled keep kept leave change send sent ship shipped deliver delivered swap replace give take gone going doing coming through default update haven go went work worked done found black white grey gray red blue green silver beige orange yellow pink brown bigger smaller larger size colour color'
  ).split(' '),
)

const ENGLISH_NAMED =
  /\b(?:(?:cancel|cancell?ing|return|returning|exchange|swap|replace|track|where is|where are|where's) (?:back )?|(?:the|my|this|that|these|those|both|only) )((?:[a-z][a-z-]{1,20} ?){1,4})/g

// Words that stand before or after a thing that is bought, sent or given back.
const BEFORE_CHINESE = /(?:把|将|取消|退|退货|退掉|退了|退款|换|换货|我的|的|那个|这个|这|那|[和跟与及、])$/
const AFTER_CHINESE =
  /^(?:我|也|都|不要|想|要|退|取消|换|那单|那个|那件|到|发货|的|什么时候|几时|一起|还没|[和跟与及、]|$)/
const NO_GOODS =
  /^(?:立刻|马上|根本|显示|喜欢|时候|暂时|刚拍|最近|刚刚|驿站|爸妈|公司|家里|同事|老婆|朋友|意思|登记|绑定|杂音|声音|人资料|会员|[一二两三四五六七八九十百千万零半]+块?|.?邮箱|.*支付方式|.*余额)$/

/** Everything a Chinese request is made of beside the product: what is left between these is a name. */
const CHINESE_FILLER =
  /什么时候|怎么样|怎么|现在|情况|一直|已经|昨天|前天|今天|明天|刚才|刚刚|上个?[月周年]|上星期|这个?[月周]|本[月周]|去年|[一二两三四五六七八九十半\d]+个?(?:天|周|月|星期|礼拜|年)(?:前|以前|之前)?|\d+[月号日年]|我们|你们|他们|自己|我|你|您|他|她|它|请问|请|麻烦|帮忙|帮|给|替|把|将|还没|没有|没|不能|不想|不要|不用|不|别|先|想要|想|需要|要|申请|取消|退货|退款|退回去|退回|退换|退掉|退了|退|换货|更换|调换|换成|换个|换一个|换|改成|改到|改寄到|改寄|改|修改|订单|单子|单号|快递|物流|包裹|运单|地址|收货|配送|退钱|东西|商品|货物|货|产品|买的|买了|买|下的|下单|下了|订的|收到的|收到|拍的|发货|发|送到|送|寄回|寄|签收|到哪里?|到货|到|哪里|哪儿|哪个|哪些|哪|这个|那个|这件|那件|这款|那款|这|那|其中|里面|里|一下|一起|一共|所有|全部|全|都|也|还|就|只|再|又|和|跟|与|及|还有|以及|的话|的|了|吗|呢|吧|啊|呀|么|嘛|哦|个|件|台|双|只|套|条|单|款|第[一二三四五\d]|最后|待发货|待处理|未|可以|能|行|好|是|在|有|谢谢|谢|亲|掉|钱|状态|进度|查|看|办理|办|处理|默认|账户|账号|客服|人工|说|问|告诉|知道|了解|急|多久|多少|几|戴着|疼|坏|漏水|用|颜色|尺码|大一?号|小一?号|黑|白|灰|红|蓝|绿|粉|银|棕|黄|紫|橙|金|米|色|大|小|新|旧|原来|之前|以前|为什么|因为|所以|但是|不过|另外|然后|算|留着|改主意|主意|确认|确定|同意|成功|昨晚|那边|这边|搬家|写错|填错|错|门牌|省|市|区|路|街|室|号|[，。！？、；：,.!?;:~\s“”"'()（）\-—…]/g

const MAX_PRODUCTS = 5

/**
 * Names in a folded message about orders that could be goods, as written: head words matter, see `namesItem`. It may
 * name what nobody sells; words of the trade and of courtesy are left out.
 */
export function productsIn(folded: string): string[] {
  const text = folded.replace(/#?\b[a-z]{0,4}-?\d[\w-]*/g, ' ')
  const english = matchesAt(ENGLISH_NAMED, text).flatMap(englishName)
  const chinese = chineseNames(text)
  return [...new Set([...english, ...chinese])].slice(0, MAX_PRODUCTS)
}

function chineseNames(text: string): string[] {
  const han = text.replace(/[a-z][a-z' ]*/g, (latin) => ','.repeat(latin.length))
  const gaps = han.replace(CHINESE_FILLER, (filler) => ','.repeat(filler.length))
  return [...gaps.matchAll(/\p{Script=Han}{2,8}/gu)].flatMap(({ 0: part, index }) => {
    const isNamed = BEFORE_CHINESE.test(han.slice(0, index)) || AFTER_CHINESE.test(han.slice(index + part.length))
    return isNamed && !NO_GOODS.test(part) ? [part] : []
  })
}

/** Every match, those inside another included: "the lamp and the kettle" names two. */
function matchesAt(pattern: RegExp, text: string): string[] {
  const found: string[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push(match[1] ?? '')
    pattern.lastIndex = match.index + match[0].length - (match[1] ?? '').length
  }
  return found
}

function englishName(phrase: string): string[] {
  const words = phrase.trim().split(' ')
  const end = words.findIndex((word) => NOT_PRODUCTS.has(word))
  const named = words.slice(0, end < 0 ? 3 : end).join(' ')
  return named === '' ? [] : [named]
}

/** Words of names that many goods share: they name none by themselves. */
const MODIFIERS = new Set(
  (
    'air smart electric office desk robot power original set one pro plus mini max new tea coffee water hiking running wireless bluetooth gaming mechanical portable ' +
    'led usb home kitchen outdoor indoor pack kit stand bank pet fleece dinner wall light digital action patio makeup sports pieces'
  ).split(' '),
)
const CHINESE_MODIFIERS = /^(?:智能|空气|电热|人体|原装|降噪|无线|蓝牙|机器人|器人)$/
// Shorter words are one slip away from too many others: look and lock, hair and chair.
const MIN_SLIP_LENGTH = 6

function stem(word: string): string {
  return word.replaceAll('ph', 'f').replace(/(?<=ch|sh|x|ss|z)es$|(?<!s)s$/, '')
}

interface Name {
  /** The noun that says what it is; empty where no word does. */
  head: string
  brand: string
  words: string[]
  han: string
}

function nameOf(item: string): Name {
  const folded = fold(item)
  const words = (folded.match(/[a-z]{3,}/g) ?? []).map(stem)
  const telling = words.filter((word) => !MODIFIERS.has(word))
  const isPhrase = words.at(-1) === 'bank' && words.length > 1
  const head = isPhrase ? words.slice(-2).join(' ') : (telling.at(-1) ?? '')
  return { head, brand: telling[0] ?? '', words, han: (folded.match(/\p{Script=Han}+/gu) ?? []).join('') }
}

/** How well a text names an item: by its noun (from 2 on), by its brand alone (1), not at all (0). */
function nameScore(text: string, words: ReadonlySet<string>, { head, brand, words: own, han }: Name): number {
  const modifiers = own.filter((word) => word !== head && words.has(word)).length / 10
  const isHead = head.includes(' ') ? text.includes(head) : head !== '' && han === '' && words.has(head)
  if (isHead || (han !== '' && hanPartIn(text, han) !== null)) return 2 + modifiers
  return brand !== '' && words.has(brand) ? 1 : 0
}

/** The part of a Chinese name that stands in a text: its end, its beginning, or its last sign as it is spoken (椅子). */
function hanPartIn(text: string, han: string): string | null {
  const ends = Array.from({ length: Math.max(0, han.length - 1) }, (_, start) => han.slice(start))
  const parts = [...ends, ...(han.length > 3 ? [han.slice(0, 2)] : []), `${han.at(-1)}子`]
  return parts.find((part) => text.includes(part) && !CHINESE_MODIFIERS.test(part)) ?? null
}

/**
 * Which of these names of goods a text names, by index: by the noun in them ("the lamp", «台灯», a slip in a longer word),
 * else by the brand. Of two with the same noun the one that more words fit.
 */
export function namedIn(text: string, items: readonly string[]): number[] {
  const names = items.map(nameOf)
  const correct = createSpeller(names.flatMap(({ words }) => words.filter((word) => word.length >= MIN_SLIP_LENGTH)))
  const folded = fold(text)
  const stems = (folded.match(/[a-z]{3,}/g) ?? []).map(stem)
  const words = new Set(stems.map((word) => (word.length < MIN_SLIP_LENGTH - 1 ? word : correct(word))))
  const plain = stems.join(' ')
  const scores = names.map((name) => nameScore(name.han === '' ? plain : folded, words, name))
  const best = Math.max(0, ...scores)
  return scores.flatMap((score, index) => {
    const { head, han } = names[index]!
    const isBeaten = names.some((other, at) => scores[at]! > score && other.head === head && other.han === han)
    // «净化器的滤芯» is a filter.
    const whole = `${hanPartIn(folded, han)}的`
    if (names.some((other) => other.han !== han && folded.includes(whole + hanPartIn(folded, other.han)))) return []
    return score > 0 && score >= Math.min(best, 2) && !isBeaten ? [index] : []
  })
}
