/** The work at a shop's own systems that a message asks for; `none`: the knowledge base is enough. */
export const SCENES = [
  'order_status',
  'logistics',
  'refund',
  'cancel',
  'exchange',
  'address',
  'account',
  'none',
] as const
export type Scene = (typeof SCENES)[number]

type Rule = { scene: Exclude<Scene, 'none'>; pattern: RegExp }

// The order is the order of precedence: "cancel the order and refund me" is a cancellation, which refunds by itself.
const RULES: readonly Rule[] = [
  {
    scene: 'cancel',
    pattern:
      /\b(?:cancel(?!l?ation policy)|cancell?ing|call off|(?:scrap|undo|withdraw|stop|drop|kill) (?:my|the) order)\b|取消(?!会员|订阅|自动|绑定|关注|息)|撤单|撤掉|撤了吧|撤回|撤销(?!退)|退订单|不想要了帮我|订单不要了|单子?不要了/,
  },
  {
    scene: 'address',
    pattern:
      /\b(?:change|changed|update|modify|correct|edit|wrong|fix|switch|different|another|new|old|redirect|move|set)\b[^.?!\n]{0,40}?\b(?:address|house number|apartment|street|zip(?: ?code)?|postcode|recipient)\b|\b(?:address|recipient|house number)\b[^.?!\n]{0,30}?\b(?:change|update|wrong|incorrect|modify|old|outdated|corrected|misspelled)\b|\b(?:send|deliver|ship|redirect) (?:it|them|this|that|the order|my (?:order|parcel|package)|(?:order )?#?\w{3,20}|(?:the|my) (?:\w{2,15} ){1,3})?[^.?!\n]{0,20}?\b(?:to|at) (?:(?:my|a|the) (?:office|work|son|daughter|mother|parents|home|flat|new|other|different|default)|\d{1,6}\w? )|\bi(?:'ve| have)? (?:just )?moved\b|(?:改|换|修改|更改|变更|更正|更新|写错|填错|错|换成|设)[^。?!\n]{0,24}(?:地址|收货人|收件人|门牌|电话)|(?:地址|收货人|收件人|门牌)[^。?!\n]{0,8}(?:改|换|错|更新|更正|变更|修改)|改寄|改送|我搬家了/,
  },
  {
    scene: 'exchange',
    pattern:
      /\b(?:exchange|exchang(?:ed|ing)|swap|swapp(?:ed|ing)|replacement|replace|trade (?:it|this|the|my)|modify|modif(?:y|ied|ication)|a new pair|a different (?:size|color|colour|model|one)|(?:next|bigger|smaller|larger) (?:size|one)|instead of the|adjust|upgrade the|switch the|get (?:the )?(?:exact )?same (?:item|one|thing)|(?:change|chang(?:e|ing)) (?:the|my|it|this|that|a)\b(?![^.?!\n]{0,20}(?:address|password|e-?mail|phone|number|name|payment)))\b|换货|(?:要|想|帮我|给我)换(?!个?(?:人|活人|真人)|地址|密码|手机|号|绑|客服|收|成人)|调换|换一(?!下)|换个(?!人|活人|真人)|换成|换大|换小|换双|换件|换新|换条|换款|换颜色|换尺码|换别的|换 ?\d|改成|改颜色|改尺码|改规格|补一个|补发一个|重发一/,
  },
  {
    scene: 'refund',
    pattern:
      /\b(?:refunds?|refunded|refunding|money back|my money|reimburse\w{0,6}|returns?|returned|returning|(?:send|give|take|sending|giving) (?:(?:it|this|them|something) |(?:the|my|this|an?) (?:\w{1,20} ){1,3})?back|cash back|compensat\w{1,5}|restocking)\b(?! (?:policy|window|label|to the shop|to stock))|\$\d[\d.,]* back\b|退货|退款|退钱|退掉|想退|要退|能退|可以退|退回|退换|寄回|退了|我退|退我|退给|一起退|都退|赔|补偿|钱退|钱.{0,6}到账|售后/,
  },
  {
    scene: 'logistics',
    pattern:
      /\b(?:track(?:ing)?|shipp?(?:s|ed|ing|ment)?|deliver(?:y|ed|s|ing)?|parcel|package|courier|arriv(?:e|es|ed|al|ing)|on the way|in transit|get here|where(?:'s| is| are) (?:my\b(?! refund| money)|the (?:order|stuff|things?|goods|items?|parcel|package))|not (?:yet )?(?:come|here)|ha(?:s|ve)(?:n't| not) come|never (?:received|got|came)|is late|customs|lost in)\b|快递(?!员|小哥)|物流|包裹|运单|(?<!订)单号|发货|发没发|派送|配送|送到|送货|到货|签收|没到|还没到|到哪|(?:什么时候|几时|何时)(?:能)?到|几天到|到了[吗没]|驿站|没收到|寄出|出库|催一下/,
  },
  {
    scene: 'account',
    pattern:
      /\b(?:account|profile|balance|points|membership|gift card balance|my (?:email|e-mail|phone number|name|details|payment methods?))\b|账户|账号|余额|积分|会员|个人资料|个人信息|支付方式|我的(?:手机号|邮箱)/,
  },
  {
    scene: 'order_status',
    pattern:
      /\b(?:orders?|ordered|purchases?|purchased|bought|buy|pre-?order)\b|订单|下单|下的单|单子|这单|那单|我的单|我买的|我.{0,6}买(?:的|了)|买过|哪天买|拍下|预售|尾款|定金/,
  },
]

/** Slips and look-alikes that customers make in the words of this trade. */
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:cancle|cancell|canel|cansel)\b/g, 'cancel'],
  [/\b(?:retrun|retun|reutrn)/g, 'return'],
  [/\b(?:packge|pakage|pacakge)\b/g, 'package'],
  [/\b(?:adress|addres|adres)\b/g, 'address'],
  [/\b(?:exhange|exchage)\b/g, 'exchange'],
  [/\b(?:oder|ordr)\b/g, 'order'],
  [/\bwhens\b/g, "when's"],
  [/\bhows\b/g, "how's"],
  [/啥/g, '什么'],
  [/取小/g, '取消'],
  [/退欵|推款/g, '退款'],
  [/推货/g, '退货'],
  [/包里(?!面)/g, '包裹'],
]

/** A folded text with the slips put right. */
export function withoutSlips(folded: string): string {
  return SLIPS.reduce((text, [slip, word]) => text.replace(slip, word), folded)
}

const GENERAL_ENGLISH =
  /^(?:\W|and |also |so |hi |hello |please |can you tell me |could you tell me |tell me |i want to know |i'd like to know |do you know )*(?:how (?:do|can|does|would|should|to|long|much|many|are|is) |what (?:is|are|'s|happens|do|does)\b|what's|whats|which |who |do you|does |is there|are there|is (?:it|shipping|delivery|a)|are (?:returns|refunds|gifts|you)|can (?:customers|people|gifts|sale|i return|you (?:ship|deliver|send)(?! (?:it|my|me|this)))|is it possible|(?:return|refund|shipping|delivery|exchange|cancellation) (?:policy|window|deadline|fee|cost)|where (?:do|can) i|when do you)/
const GENERAL_CHINESE =
  /怎么(?!还|又|没|不|只|少|回事|这么|样了|样才)|如何|怎样|咋|流程|政策|规则|期限|支持.{0,12}[吗么不]|多久(?!了)|多少钱|哪些|什么情况|包邮|(?:运费|邮费).{0,6}(?:谁|多少|怎么)|一般|几天(?:内|之内)|可以.{0,14}[吗么]$|能.{0,12}[吗么不]$/
const OWN_ENGLISH =
  /\b(?:will|can|do) i (?:be|get) refunded\b|\b(?:my (?:order|parcel|package|packages|refund|return|delivery|shipment|purchase|points|balance|money|item|stuff|tracking|exchange|pending|recent|last|profile|membership|gift card|account|email|shoes|lamp|laptop|phone)|on my (?:account|order)|(?:did|do|have) i (?:order|buy|have(?! to\b))|orders do i have|i (?:ordered|bought|received|returned|paid|purchased|placed|sent back|got|have not received|haven't received|still haven't received|never got)|i've (?:ordered|bought|received|returned|paid|sent)|i just (?:ordered|bought|received|got)|order #?\w{0,4}\d)/
const OWN_CHINESE =
  /我的(?!意思)|我(?:们)?(?:那|这)|我账户|我(?:一共|总共)|我绑定|我(?:买|收到|拍|下|订|退|付|寄|申请)(?:的|了|过|错)|我.{0,6}(?:买|拍|下单|下的|收到)(?:的|了|错)|(?:还没|没有|一直没|未|根本没)(?:到|收到|发|退|送)|这(?:个|一)?单|那(?:个|一)?单|刚(?:才)?(?:下|买|拍)|到哪(?:了|里了|儿了)|怎么还[没不]|催|钱(?:什么时候|呢)|到账了[吗没]/
/** A request by its form: whose case it is goes without saying. */
const REQUEST_ENGLISH =
  /\b(?:want|wanted|need|like|wish|love) (?:to|a|an|the|my)\b|\bi wanna\b|\b(?:i|we|you)(?: also| just| really| only| still|'d| would){0,2} (?:want|need|like|prefer|wish)\b|\b(?:please|pls)\b|\b(?:can|could|would|will) (?:you|u)\b|\blet me\b|(?:^|[.!;,]\s?)(?:and |also |then |so |ok,? |okay,? |first,? |finally,? |hey |hi ){0,2}(?:cancel|return|refund|exchange|replace|swap|change|modify|update|track|send|check|show|list|stop|kill|scrap|drop|take|set|correct)\b/
const REQUEST_CHINESE =
  /我要|我想|想(?:退|换|要|改|取消)|要退|我还想|我也要|帮我|帮忙|麻烦|请(?!问)|给我|替我|申请一下|把|吧$|^退我|(?:取消|退|换|改)(?:一下|掉|了吧|吧|了)?(?:谢谢)?$|^(?:退货|退款|退钱|取消|换货|撤单)|^(?!.*(?:支持|能|可以|无理由|条件|是)).{1,10}(?:退货|退款|换货)$|别发货|不要了|改成|换成|改寄|写错|填错|搬家/
const STATEMENT_ENGLISH =
  /\b(?:parcel|package|delivery|order|shipment|refund|tracking)\b.{0,30}\b(?:not|n't|yet|never|lost|late|nothing|no)\b|\b(?:no|where(?:'s| is)?) (?:order|parcel|package|refund)\b|never (?:received|got)|is late|still waiting|my (?:order|parcel|package|delivery|shipment|refund)|\bwhere(?:'s| is| are) (?:my|the)\b|(?:has|did|when will|when's|hows?|how's) (?:my|the)\b|my (?:own )?orders?|not shipped|\bmy money\b/
const STATEMENT_CHINESE =
  /没(?:收到|到|发|动)|快递丢|发没发|卡在|签收了|送到驿站|发货了?[吗没]|到了[吗没]|什么时候(?:能)?到|能送到|查一?下|查查|看看/

/** Words that name the trade but ask for nothing of one's own. */
const NOT_OWN =
  /\b(?:newsletters?|leaked|invoice|status processed mean|forgot|password|log ?in|hacked|price (?:match\w{0,3}|protection|difference|dropped|drops?|fell))\b|差价|价保|保价|降价|密码|泄露|登录|验证码|被盗|盗刷|发票|客服|退货还是|还是换货|不知道怎么|多久要换|能退吗$|还能取消吗|会员(?:怎么|有)|积分怎么|货到付款|减五十|别人/
const NOT_CANCELLING =
  /\b(?:don'?t|do not|never|not) (?:want to |wanna )?cancel|(?:不要|别|先别|先不|不想|不用|没有?)取消|不取消/
const CANCELLED_ALREADY =
  /\bi (?:have |had |just |already )?cancell?ed\b|\b(?:was|is|been|has|got|already|you)\b.{0,40}\bcancell?ed\b|已经?取消|取消了[吗没]|取消成功|是不是取消|有没有取消|取消的/
const OUTCOME =
  /\b(?:did|has|have) (?:it|that|this|my \w+(?: order)?|the \w+)(?: \w+){0,4} (?:go|gone|went) through\b|\b(?:did|have) you (?:really |actually |already )?(?:cancel|change|return|exchange|update)(?:l?ed|d)?\b|\bhas (?:the|my) (?:delivery |shipping )?(?:address|order) (?:been )?(?:changed|updated)\b|\b(?:is|was|has|been)\b.{0,40}\bcancell?ed\b|(?:取消|申请|修改|改|办|退货?|换货?)(?:好|成功|成|掉|上)?了(?:吗|没)|取消成功|是不是取消|有没有取消/

/** Which part of its scene a message asks for. `rules`: how things are in general, and then the scene is none. */
export type Asks = 'change' | 'progress' | 'state' | 'money' | 'list' | 'outcome' | 'rules' | null

const PROGRESS =
  /\b(?:when|where|status|progress|how long|how far|how is|how's|has|have|did|yet|still|never|no refund|receive[d]?)\b|进度|哪一步|什么时候|多久|到账|到了吗|还没|没收到|没到|退了吗|成功了吗|怎么样|情况|状态|呢|查/
const WANTS =
  /\b(?:i want|i'd like|i would like|please|need to|want to|wanna|can i|could i|return (?:it|this|the|my|order))\b|我要|我想|想要|想退|要退|申请(?!的|到)|帮我退|给我退|退了吧|退掉/
const DESIRED_CHANGE =
  /\b(?:change|update|modify|correct|wrong|new|instead|edit|different|move|moved|ship|deliver|send|redirect|set|fix|switch)\b|改|换|更新|修改|写错|填错|搬家|送到|设/
const LIST =
  /^(?:(?:please )?(?:show|list|see|view|check)(?: me)? )?(?:all )?my (?:recent |own )?orders?\W*$|\b(?:how many orders|my orders|list everything|what did i (?:order|buy)|everything i bought)\b|^我的(?:所有|全部)?订单\W*$|几个订单|买了(?:些)?什么|(?:查|看)(?:一下|下|看)?我的(?:所有|全部)?订单/

/**
 * The scene of a message if the customer has such an order: its words alone do not say whose case it is. `of`: the goods
 * that it names or dates, the orders last spoken of, a change that was made, or any order.
 */
export interface Leaning {
  readonly scene: Exclude<Scene, 'none'>
  readonly asks: Exclude<Asks, 'list' | 'rules' | null> | 'undo'
  readonly of: 'goods' | 'topic' | 'done' | 'any'
}

// In order of precedence.
const LEANINGS: readonly (Leaning & { pattern: RegExp })[] = [
  {
    ...{ scene: 'order_status', asks: 'undo', of: 'done' },
    pattern:
      /\b(?:keep (?:it|them|the order|my order)|chang(?:ed?|ing) my mind|undo (?:it|that|this)|un-?cancel|(?:don'?t|do not) (?:cancel|return|exchange|change) (?:it|them|that|anything)|restore (?:it|the order|my order)|reinstate)\b|^(?!.*(?<![不别])(?:取消|退|换)).*留着|不取消了?|别取消|不退了|不换了|后悔了|改主意|恢复(?:订单|一下)|撤回/,
  },
  {
    ...{ scene: 'order_status', asks: 'outcome', of: 'done' },
    pattern:
      /^\W*(?:so |ok |and )?(?:(?:is|was) (?:it|that|this|everything) (?:all )?(?:done|sorted|settled|through|changed|updated|ok now)|did (?:it|that|this) work|has (?:it|that) (?:been )?(?:worked|done|changed|updated))\b|^(?:现在)?(?:都)?(?:弄|办|搞定?|处理|申请|提交|改|换)(?:好|成|完|上|成功)?(?:了?[吗没]|了没有)|成功了?[吗没]|生效了?[吗没]/,
  },
  {
    ...{ scene: 'logistics', asks: 'state', of: 'topic' },
    pattern:
      /^(?:and |so |but )?(?:where (?:is|are) (?:it|they)(?: now)?|when (?:will|does|do|is) (?:it|they) (?:arriv\w+|come|coming|get here|ship\w*)|has it (?:shipped|arrived|been shipped)(?: yet)?)\W*$|^(?:那|它|那它)?(?:现在)?(?:到哪(?:里|儿)?了?|什么时候(?:能)?(?:到|发货?)|几时到|发货?了[吗没])\W*$/,
  },
  {
    ...{ scene: 'address', asks: 'change', of: 'any' },
    pattern:
      /^(?!.*\b(?:how|where do|default|account|after|once|if|fee|cost|charge)\b).{0,40}\b(?:change|update|edit|correct)\b.{0,20}\baddress\b|^(?!.*(?:怎么|如何|默认|账户|账号|邮箱|收费|多少|几次|之?后|如果)).{0,8}(?:(?:改|换|修改|更改|变更).{0,5}地址|地址.{0,6}(?:改|换))/,
  },
  {
    ...{ scene: 'refund', asks: 'money', of: 'any' },
    pattern:
      /^(?!.*\bhow long\b).{0,30}\b(?:the|my) (?:money|refund)\b.{0,40}\b(?:back|come|came|arrived?|here|yet)\b|退款.{0,8}没.{0,4}(?:到|收)|钱.{0,6}没.{0,4}(?:到|退)/,
  },
  {
    ...{ scene: 'refund', asks: 'change', of: 'goods' },
    pattern:
      /^(?:请|帮我)?退(?!货|款|换|回|税|订|会|钱)|(?:那|这|买的).{0,14}(?:能|可以)(?:不能)?退|(?:坏|破|裂|断|漏|不亮|不响|没声音|充不进电|不工作|有问题|有毛病|两个|两台|两件).{0,12}(?:能|可以|可|想|要)?退|\b(?:broke|broken|stopped working|doesn't work|not working|crack(?:ed|les?)|faulty|defective|leak(?:s|ing)|damaged|dead|problem)\b.{0,30}\b(?:return|send it back|refund)/,
  },
  {
    ...{ scene: 'exchange', asks: 'change', of: 'goods' },
    pattern:
      /换(?:一个|一台|个|一双)?新的?|(?:那|这|买的).{0,14}(?:能|可以)(?:不能)?换|(?:坏|破|裂|断|漏|不亮|不响|没声音|充不进电|不工作|有问题|有毛病).{0,10}(?:能|可以|可|给)?换|\b(?:broke|broken|stopped working|doesn't work|not working|crack(?:ed|les?)|faulty|defective|leak(?:s|ing)|damaged|dead)\b.{0,30}\b(?:exchange|replace|swap|(?:a )?new one)/,
  },
  {
    ...{ scene: 'cancel', asks: 'change', of: 'goods' },
    pattern:
      /^(?!.*(?:怎么|如何|能不能|可以)).{0,20}(?:不要了|不想要|取消(?!了[吗没]))|^(?!.*\b(?:how|what|can|could|policy)\b).{0,60}\b(?:cancel(?:led)?|(?:don't|do not|no longer) (?:want|need))\b/,
  },
  {
    ...{ scene: 'logistics', asks: 'state', of: 'goods' },
    pattern:
      /\bwhere(?:'s| is| are) (?:the|my) (?:(?!of\b|on\b|in\b|button\b|switch\b)\w+ ?){1,4}\W*$|\b(?:any )?(?:news|update) (?:on|about|of) (?:the|my)\b|\bwhen (?:will|does|is|are|do) (?:the|my)\b.{0,40}\b(?:ship\w*|arriv\w+|com(?:e|ing)|deliver\w*|get here|sent)\b|\b(?:has|have) (?:the|my)\b.{0,30}\b(?:shipped|arrived|come|sent)\b|\bdid you (?:send|ship) (?:the|my)\b|\b(?:is|are) (?:the|my) (?:\w+ ){1,3}(?:on (?:its|the|their) way|coming)\b|到哪|(?:什么时候|几时|何时|怎么)(?:还)?(?:能|会|才|没|不)?(?:到|发货?|寄|送)|(?:发货?|寄出|到货?)了?[吗没]|还没(?:到|发|收到)/,
  },
]

/** The leaning of a folded text without slips, or null. */
export function readLeaning(folded: string): Leaning | null {
  const found = folded.length <= MAX_LEANING_LENGTH ? LEANINGS.find(({ pattern }) => pattern.test(folded)) : undefined
  return found ? { scene: found.scene, asks: found.asks, of: found.of } : null
}

// Longer messages tell a story of their own.
const MAX_LEANING_LENGTH = 120

/** The scene of a folded text without slips, and what of it is asked. `hasNumber`: it names an order or a parcel. */
export function readScene(folded: string, hasNumber: boolean): { scene: Scene; asks: Asks } {
  const scene = sceneOf(folded, hasNumber)
  return { scene, asks: asksOf(folded, scene) }
}

function sceneOf(folded: string, hasNumber: boolean): Scene {
  if (OUTCOME.test(folded) && !/\bi cancell?ed\b/.test(folded) && !/\brefund/.test(folded)) return 'order_status'
  const found = RULES.find(({ scene, pattern }) => pattern.test(folded) && holds(scene, folded))
  if (found === undefined) return hasNumber ? 'order_status' : 'none'
  return hasNumber || isOwn(folded) ? found.scene : 'none'
}

function holds(scene: Scene, folded: string): boolean {
  return scene !== 'cancel' || !(CANCELLED_ALREADY.test(folded) || NOT_CANCELLING.test(folded))
}

function isOwn(folded: string): boolean {
  if (NOT_OWN.test(folded)) return false
  if (GENERAL_ENGLISH.test(folded)) return OWN_ENGLISH.test(folded) && !/^\W*how (?:do|can|to|would)\b/.test(folded)
  if (OWN_ENGLISH.test(folded) || OWN_CHINESE.test(folded)) return true
  if (REQUEST_ENGLISH.test(folded) || STATEMENT_ENGLISH.test(folded)) return true
  return (REQUEST_CHINESE.test(folded) || STATEMENT_CHINESE.test(folded)) && !GENERAL_CHINESE.test(folded)
}

function asksOf(folded: string, scene: Scene): Asks {
  switch (scene) {
    case 'none':
      return RULES.some(({ pattern }) => pattern.test(folded)) ? 'rules' : null
    case 'cancel':
      return 'change'
    case 'exchange':
      return asksHowFar(folded) ? 'progress' : 'change'
    case 'refund':
      return asksHowFar(folded) ? 'money' : 'change'
    case 'address':
      return DESIRED_CHANGE.test(folded) ? 'change' : 'state'
    case 'order_status':
      return OUTCOME.test(folded) ? 'outcome' : LIST.test(folded) ? 'list' : 'state'
    default:
      return 'state'
  }
}

function asksHowFar(folded: string): boolean {
  return PROGRESS.test(folded) && !WANTS.test(folded)
}

/** Every scene that the words of a folded text name, whoever's case it is, in order of precedence. */
export function scenesNamedIn(folded: string): Scene[] {
  return RULES.filter(({ pattern }) => pattern.test(folded)).map(({ scene }) => scene)
}
