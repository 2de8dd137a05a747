import type { Entities, Scene } from './types.ts'

type Rule = { scene: Exclude<Scene, 'none'>; pattern: RegExp }

// The order is the order of precedence: "cancel the order and refund me" is a cancellation, which refunds by itself.
const RULES: readonly Rule[] = [
  {
    scene: 'cancel',
    pattern:
      /\b(?:cancel(?!l?ation policy)|cancell?ed|cancell?ing|call off|scrap my|undo my|withdraw my order|stop (?:the|my) order|drop my order)\b|取消(?!会员|订阅|自动|绑定|关注)|撤单|撤掉|撤回|撤销(?!退)|退订单|不想要了帮我|订单不要了|单子?不要了/,
  },
  {
    scene: 'address',
    pattern:
      /\b(?:change|changed|update|modify|correct|edit|wrong|fix|switch|different|another|new|old|redirect|move)\b[^.?!\n]{0,40}?\b(?:address|house number|apartment|street|zip(?: ?code)?|postcode|recipient)\b|\b(?:address|recipient|house number)\b[^.?!\n]{0,30}?\b(?:change|update|wrong|incorrect|modify|old|outdated|corrected|misspelled)\b|\b(?:send|deliver|ship) (?:it|them|this|that|the order|my order|order \S{3,20})?[^.?!\n]{0,20}?\b(?:to|at) (?:my|a|the) (?:office|work|son|daughter|mother|parents|home|flat|new|other|different|default)|(?:改|换|修改|更改|变更|更正|更新|写错|填错|错|换成)[^。?!\n]{0,8}(?:地址|收货人|收件人|门牌|电话)|(?:地址|收货人|收件人|门牌)[^。?!\n]{0,8}(?:改|换|错|更新|更正|变更|修改)/,
  },
  {
    scene: 'exchange',
    pattern:
      /\b(?:exchange|exchang(?:ed|ing)|swap|swapp(?:ed|ing)|replacement|replace|trade (?:it|this|the|my)|modify|modif(?:y|ied|ication)|a new pair|a different (?:size|color|colour|model|one)|(?:next|bigger|smaller|larger) (?:size|one)|instead of the|adjust|upgrade the|switch the|get (?:the )?(?:exact )?same (?:item|one|thing)|(?:change|chang(?:e|ing)) (?:the|my|it|this|that|a)\b(?![^.?!\n]{0,20}(?:address|password|e-?mail|phone|number|name|payment)))\b|换货|调换|更换|换一|换个|换成|换大|换小|换双|换件|换新|换条|换款|换颜色|换尺码|换别的|改成|改颜色|改尺码|改规格|补一个|补发一个|重发一/,
  },
  {
    scene: 'refund',
    pattern:
      /\b(?:refunds?|refunded|refunding|money back|reimburse\w{0,6}|returns?|returned|returning|send (?:it|this|them|the \w{1,20}) back|give (?:it|this|them) back|take (?:it|this|them) back|cash back|compensat\w{1,5}|restocking)\b(?! (?:policy|window|label|to the shop|to stock))|退货|退款|退钱|退掉|想退|要退|能退|可以退|退回|退换|寄回|退了|赔|补偿|钱退|售后|退我|退给/,
  },
  {
    scene: 'logistics',
    pattern:
      /\b(?:track(?:ing)?|shipp?(?:ed|ing|ment)?|deliver(?:y|ed|s|ing)?|parcel|package|courier|arriv(?:e|ed|al|ing)|on the way|in transit|where(?:'s| is| are) (?:my|the) (?:order|stuff|things?|shoes|items?|order)|not (?:yet )?(?:come|here)|customs|lost in)\b|快递|物流|包裹|运单|单号|发货|派送|配送|送到|送货|到货|签收|没到|还没到|到哪|什么时候到|几天到|驿站|没收到|寄出|出库|催一下/,
  },
  {
    scene: 'order_status',
    pattern:
      /\b(?:orders?|ordered|purchases?|purchased|bought|pre-?order)\b|订单|下单|单子|这单|那单|我买的|买过|拍下|预售|尾款|定金/,
  },
  {
    scene: 'account',
    pattern:
      /\b(?:account|profile|balance|points|membership|password|log ?in|verification code|gift card balance|my (?:email|phone number|name|details|address))\b|账户|账号|余额|积分|会员|密码|登录|验证码|个人资料|个人信息|我的(?:手机号|邮箱|地址)/,
  },
]

const GENERAL_ENGLISH =
  /^(?:\W|and |also |so |hi |hello |please |can you tell me |could you tell me |tell me |i want to know |i'd like to know |do you know )*(?:how (?:do|can|does|would|should|to|long|much|many|are|is) |what (?:is|are|'s|happens|do|does)\b|what's|which |who |do you|does |is there|are there|is (?:it|shipping|delivery|a)|are (?:returns|refunds|gifts|you)|can (?:customers|people|gifts|sale|you (?:ship|deliver|send)(?! (?:it|my|me|this)))|is it possible|(?:return|refund|shipping|delivery|exchange|cancellation) (?:policy|window|deadline|fee|cost)|where (?:do|can) i|when do you)/
const GENERAL_CHINESE =
  /怎么(?!还|又|没|不|只|少|回事|这么|样了|样才)|如何|怎样|咋|流程|政策|规则|期限|支持.{0,12}[吗么不]|多久(?!了)|多少钱|哪些|什么情况|包邮|(?:运费|邮费).{0,6}(?:谁|多少|怎么)|一般|几天(?:内|之内)|可以.{0,14}[吗么]$|能.{0,12}[吗么不]$/
const OWN_ENGLISH =
  /\b(?:my (?:order|parcel|package|refund|return|delivery|shipment|purchase|points|balance|money|item|stuff|tracking|exchange|pending|recent|last|profile|shoes|lamp|laptop|phone)|i (?:ordered|bought|received|returned|paid|purchased|placed|sent back|got|have not received|haven't received|never got)|i've (?:ordered|bought|received|returned|paid|sent)|i just (?:ordered|bought|received|got)|order #?\w{0,4}\d)/
const OWN_CHINESE =
  /我的(?:订单|快递|包裹|退款|货|物流|东西|退货|余额|积分|单子|钱)|我(?:买|收到|拍|下|订|退|付|寄)(?:的|了|过)|我(?:昨天|今天|上周|刚|前天|早上|昨晚).{0,6}(?:买|拍|下单|收到)|(?:还没|没有|一直没|未)(?:到|收到|发|退|送)|这(?:个|一)?单|那(?:个|一)?单|刚(?:才)?(?:下|买|拍)|到哪(?:了|里了|儿了)|怎么还[没不]|催/
const ACTION =
  /\b(?:want|wanted|need|like|wish|love|wanna) to\b|\b(?:i|we|you)(?: also| just| really| only| still|'d| would){0,2} (?:want|need|like|prefer|wish)\b|\bplease\b|\b(?:can|could|would|will) you\b|\blet me\b|(?:^|[.!;,]\s?)(?:and |also |then |so |first,? |finally,? ){0,2}(?:cancel|return|refund|exchange|replace|swap|change|modify|update|track|send|check|show|list)\b|我要|我想|我还想|我也要|帮我|麻烦|请(?!问)|给我|替我|申请一下|把/

/**
 * The work at a shop's own systems that a folded request asks for. `none` when it asks how things are in general: the rule on
 * refunds is in the knowledge base, one's own refund in the shop's systems.
 */
export function sceneOf(folded: string, entities: Pick<Entities, 'orderNumbers' | 'trackingNumbers'>): Scene {
  const found = RULES.find(({ pattern }) => pattern.test(folded))
  const hasNumber = entities.orderNumbers.length + entities.trackingNumbers.length > 0
  if (found === undefined) return hasNumber ? 'order_status' : 'none'
  return hasNumber || isOwn(folded) ? found.scene : 'none'
}

function isOwn(folded: string): boolean {
  if (GENERAL_ENGLISH.test(folded)) return OWN_ENGLISH.test(folded) && !/^\W*how (?:do|can|to|would)\b/.test(folded)
  if (OWN_ENGLISH.test(folded) || OWN_CHINESE.test(folded)) return true
  return ACTION.test(folded) && !GENERAL_CHINESE.test(folded)
}

/** Every scene that the words of a folded text name, whoever's case it is, in order of precedence. */
export function scenesNamedIn(folded: string): Scene[] {
  return RULES.filter(({ pattern }) => pattern.test(folded)).map(({ scene }) => scene)
}
