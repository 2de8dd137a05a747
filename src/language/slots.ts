import { fold, matchesOf } from './fold.ts'
import type { Span } from './spans.ts'

/** Kinds of phrases that can stand for one another in a question: "to France?" after "to Germany" replaces it. */
export type SlotKind = 'place' | 'payment' | 'time' | 'colour' | 'size' | 'process'

/** Kinds of phrases that say where, when or how, but not what is asked about. */
export const CIRCUMSTANCES = ['place', 'payment', 'time', 'size', 'colour'] as const

const PATTERNS: readonly (readonly [SlotKind, string])[] = [
  [
    'payment',
    'credit cards?|debit cards?|gift cards?|paypal|apple pay|google pay|klarna|visa|mastercard|american express|amex|bank transfer|cash(?: on delivery)?|vouchers?|instal?lments?|微信支付|微信|支付宝|花呗|信用卡|银行卡|银联|礼品卡|货到付款|现金|分期付款|分期|优惠券|转账',
  ],
  [
    'place',
    'germany|france|spain|italy|portugal|austria|switzerland|belgium|netherlands|the netherlands|poland|sweden|norway|denmark|finland|ireland|scotland|england|europe|the eu|the uk|uk|the us|usa|united states|america|canada|mexico|brazil|australia|new zealand|japan|korea|china|hong kong|taiwan|singapore|india|alaska|hawaii|london|paris|berlin|new york|tokyo|abroad|overseas|in store|in the store|online|北京|上海|广州|深圳|杭州|成都|重庆|武汉|西安|南京|天津|新疆|西藏|内蒙古?|海南|香港|澳门|台湾|新加坡|日本|韩国|美国|加拿大|澳洲|澳大利亚|新西兰|欧洲|英国|法国|德国|国外|海外|国内|偏远地区|农村|乡下|门店|线下|线上|网上',
  ],
  [
    'time',
    'mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekends?|weekdays?|(?:public )?holidays?|christmas|easter|new year|tonight|tomorrow|today|周末|工作日|节假日|周[一二三四五六日]|星期[一二三四五六日天]|晚上|早上|中午|春节|国庆节?|元旦|五一|端午|中秋|今天|明天|后天',
  ],
  [
    'colour',
    'black|white|red|blue|green|gr[ae]y|pink|silver|brown|yellow|purple|orange|gold|beige|[黑白红蓝绿灰粉银棕黄紫橙金米](?:色|的(?=[吗呢有]))|[黑白红蓝绿灰粉银棕黄紫橙金米]色的?',
  ],
  [
    'size',
    '(?:extra )?(?:small|medium|large)|xxx?l|xl|xs|size \\w{1,3}|(?<![a-z])[sml](?:码|号)|\\d{2}码|[大中小均]码|\\d{2,4} ?(?:gb|g|tb|ml|inch(?:es)?|寸|升|毫升)',
  ],
  [
    'process',
    'returns?|refunds?|exchanges?|replacements?|deliver(?:y|ies)|shipping|postage|express shipping|standard shipping|repairs?|warranty|invoices?|cancell?ations?|installation|assembly|pickup|退货|退款|换货|退换|维修|保修|质保|发货|配送|运费|邮费|发票|安装|自提|包装|快递|售后|会员|积分|价保',
  ],
]

const FIND = new Map(PATTERNS.map(([kind, source]) => [kind, bounded(source)]))
const WHOLE = PATTERNS.map(([kind, source]) => [kind, new RegExp(`^(?:the |a |an |my |your )?(?:${source})$`)] as const)

function bounded(source: string): RegExp {
  return new RegExp(`(?<![a-z])(?:${source})(?![a-z])`, 'g')
}

/** Kind of slot that a folded phrase as a whole can fill; null for goods and everything else. */
export function slotKindOf(phrase: string): SlotKind | null {
  return WHOLE.find(([, pattern]) => pattern.test(phrase))?.[0] ?? null
}

/** Where a folded text names something of that kind. */
export function findSlots(folded: string, kind: SlotKind): Span[] {
  return matchesOf(FIND.get(kind)!, folded).map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** `text` with the piece at `span` replaced. */
export function replaceAt(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** The first circumstance that two questions both name, and where each does: "to Singapore" and "to Hong Kong". */
export function sharedSlot(text: string, base: string): { own: Span; other: Span } | null {
  for (const kind of CIRCUMSTANCES) {
    const [own] = findSlots(fold(text), kind)
    const [other] = findSlots(fold(base), kind)
    if (own && other) return { own, other }
  }
  return null
}

/** Whether a folded text names where something goes or how it is paid: what a price depends on. */
export function namesPlaceOrPayment(folded: string): boolean {
  return (['place', 'payment'] as const).some((kind) => findSlots(folded, kind).length > 0)
}

/** A text without the marks at its end. */
export function stripMarks(text: string): string {
  return text.trim().replace(/[\s?？!！。.,，~]{1,20}$/, '')
}
