import type { AmountMention, Currency, SensitiveTopic } from '../../../language/understanding.ts'

type Rule = { topic: SensitiveTopic; pattern: RegExp }

// Incidents, not subjects: "the charger caught fire" is one, "is it fireproof?" and "Kindle Fire" are not. Gaps are bounded.
const RULES: readonly Rule[] = [
  {
    topic: 'safety',
    pattern:
      /\b(?:caught|catches|on|set|started a|started) fire\b|\bburst into flames\b|\b(?:it|battery|charger|phone|device|bottle|pan|glass|laptop|that|which) (?:just |has |suddenly )?(?:exploded|blew up)\b|\b(?:got|was|were|been|am|is) (?:badly |seriously |slightly )?(?:injured|burn(?:ed|t)|electrocuted|poisoned|hospitali[sz]ed|hurt)\b(?! by your)|\belectric shock\b|\bsparks? (?:came|come|coming|flew|fly|flying|out|shot)\b|\b(?:gave|giving|gives|given|got|get|received) (?:me|him|her|us|my \w+|them)? ?(?:a|an) (?:\w+ )?(?:electric )?shock\b|\b(?:shocked|zapped|electrocuted) (?:me|him|her|us|my \w+)\b|\b(?:battery|power bank|charger|it|case|pack) (?:is |has |was |got |looks )?(?:swollen|swelling|swelled|bulging|bulged)(?: up)?\b|\bmelt(?:ed|ing) (?:plug|cable|charger|socket)\b|\b(?:plug|cable|charger|socket|adapter) (?:has |is |was )?(?:melt(?:ed|ing)|sparking|sparked)\b|\b(?:burned|burnt|cut|injured|hurt) (?:my|his|her|our|me|him|myself)\b|\ballergic reaction\b|\bfood poisoning\b|\b(?:in|to) (?:the )?(?:hospital|emergency room)\b|\bsmok(?:e|ing) (?:came|comes|coming|from|out)\b|\bchok(?:ed|ing)\b|\b(?:kill|hurt|harm) myself\b|\bsuicid/,
  },
  {
    topic: 'safety',
    pattern:
      /(?<![会防怕不])(?:起火|着火|自燃|爆炸(?!螺丝|头|糖)|炸了|冒烟|触电(?!的?风险)|被电(?!商|话|视|信|影|脑|子|梯|瓶)|被.{1,12}电(?:到|了|伤|着|击)|电(?:到|伤|着)(?:了|我|人|手|孩子)|漏电(?!保护)|电击|鼓包|鼓起来|冒火花|打火花|烧焦|烧化|融化了|烫伤|(?:夹|砸|扎|刺|磕|摔|撞)伤|烧伤|灼伤|割伤|划伤(?:了|我|手|孩子)|受伤|住院|送医|急诊|中毒|过敏了|导致过敏|引起过敏|用了过敏|过敏反应|起疹子|流血|窒息|噎住|伤到(?:我|人|孩子|手|眼)|自杀|不想活|轻生)/,
  },
  {
    topic: 'legal',
    pattern:
      /\b(?:(?<!\b(?:our|my) )lawyers?(?! (?:asks?|wants? to know|needs? to know))|(?<=\b(?:our|my) )lawyers?(?! (?:asks?|wants?|needs?|would like|has a question)\b)|attorneys?|solicitors?|lawsuit|legal (?:action|steps|proceedings|department|consequences|advice)|sue you|suing|going to sue|will sue|take (?:you|this|them) to court|see you in court|small claims|consumer (?:protection|association|affairs|rights|court)|trading standards|better business bureau|ombudsman|report you to|press charges|to the police|police report|breach of contract|copyright infringement|trademark infringement)\b/,
  },
  {
    topic: 'legal',
    // The hotlines are numbers of their own, and of China alone: any order number or postcode may be 12345.
    pattern:
      /律师|起诉|法院|法庭|打官司|诉讼|仲裁|(?:[去打找拨向到给]|致电|举报|投诉|反映|联系|热线|电话)[ :]?(?:12315|12345)(?!\d)|(?<![\d#])(?:12315|12345) ?(?:投诉|举报|热线|平台|反映|见)|消协|消费者协会|消保|工商(?:局|所|投诉)|市场监管|报警|派出所|公安|走法律|法律(?:途径|手段|责任|程序)|维权|侵权|违法|告你们|退一赔三|假一赔/,
  },
  {
    topic: 'fraud',
    pattern:
      /\b(?:unauthori[sz]ed|fraudulent) (?:charge|payment|transaction|purchase|order|access)s?\b|\b(?:identity theft|stolen card|card was stolen|account (?:was |has been |got |is )?(?:hacked|stolen|compromised|taken over))\b|\bi (?:did not|didn't|never) (?:make|made|authori[sz]e|place) (?:this|that|the|these|any) (?:payment|purchase|charge|transaction|order)s?\b|盗刷|(?<!怕|防|防止|担心|以防|万一|避免|预防)被盗(?:号|用|刷|了)?|不是我本人|冒用|钓鱼网站|电信诈骗|诈骗电话|冒充你们|冒充客服/,
  },
  {
    topic: 'privacy',
    pattern:
      /\b(?:data (?:breach|leak)|leaked my|sold my (?:data|information|number|email)|gdpr (?:request|complaint)|privacy (?:violation|breach))\b|(?:信息|隐私|资料|手机号|电话|数据)(?:被)?(?:你们)?(?:泄露|泄漏|外泄|卖给|卖了)|(?<![会否不])泄露(?:了)?我的/,
  },
]

/** Sums above these, in units of the currency, are for a person to grant. */
const DEFAULT_REFUND_LIMITS: Readonly<Record<Currency, number>> = {
  CNY: 5_000,
  HKD: 5_000,
  USD: 700,
  EUR: 700,
  GBP: 600,
  JPY: 100_000,
}

const REFUND =
  /refund|money back|\d(?: ?(?:dollars|bucks|yuan|euros?|pounds))? back\b|reimburs|compensat|pay(?:ing)? (?:me )?back|chargeback|退款|退钱|退还|赔|补偿|把钱退|钱退|退我|退给我|给我退|全退/

/**
 * The most serious sensitive topic of a folded message, in the order safety, legal, fraud, privacy, refund above the limit;
 * null when there is none.
 */
export function sensitiveTopicOf(
  folded: string,
  amounts: readonly AmountMention[],
  limits: Partial<Record<Currency, number>> = {},
): SensitiveTopic | null {
  const matched = RULES.find(({ pattern }) => pattern.test(folded))
  if (matched !== undefined) return matched.topic
  const isAbove = ({ value, currency }: AmountMention) => value > limitFor(currency ?? 'CNY', limits)
  return REFUND.test(folded) && amounts.some(isAbove) ? 'refund_limit' : null
}

function limitFor(currency: Currency, limits: Partial<Record<Currency, number>>): number {
  return limits[currency] ?? DEFAULT_REFUND_LIMITS[currency]
}
