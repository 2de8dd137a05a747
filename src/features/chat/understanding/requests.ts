// Signs of a request of its own in a clause. Patterns are anchored or have bounded gaps: clauses come by the hundred.

const OPENERS =
  '(?:(?:and|also|so|but|then|plus|please|ok|okay|well|um|uh|uhm|er|hi|hello|hey|first|firstly|second|secondly|third|thirdly|finally|lastly|next|oh|now|just|kindly|again|thanks|yes|yeah|no|sorry|btw|by the way|in addition|additionally|besides|furthermore|moreover|another thing|one more thing|another question|one more question|i also|and then|that said)[ ,:]+){0,4}'
const WH =
  "(?:what|where|when|why|who|whom|which|whose|how|what's|where's|who's|when's|how's|whats|wheres|hows|wat|wen)"
const AUX =
  "(?:can|could|may|might|will|would|shall|should|must|do|does|did|is|are|was|were|am|has|have|had|isn't|aren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't|hasn't|haven't)"
const SUBJECT =
  '(?:i|you|u|we|they|it|he|she|there|this|that|these|those|my|your|our|his|her|their|the|a|an|any|anyone|anybody|someone|somebody|somethings?|everything|it|one|all|both|customers?|people|shipping|delivery|returns?|refunds?|orders?)'
const DESIRE =
  "(?:i|we|you)(?:'d| would| also| just| really| only| still| will|'ll| do| now){0,3} (?:want|need|like|love|wanna|wish|prefer|hope|have to|am trying|am looking|have a question|was wondering|was hoping|was asking)\\b|(?:i'm|i am|we're|we are|im) (?:looking|trying|wondering|hoping|asking|calling|writing|interested)\\b|(?:would|'d) like (?:to|you)\\b|wanna\\b|need to\\b|looking to\\b"
const IMPERATIVE =
  '(?:cancel|return|refund|exchange|replace|swap|change|modify|update|upgrade|send|resend|ship|deliver|track|check|tell|show|give me|get me|list|add|remove|delete|reset|reorder|order|buy|apply|explain|recommend|suggest|compare|connect|transfer|call|email|find|look up|confirm|issue|switch|correct|fix|help|let me|stop|unsubscribe|close|activate|block|unlock|merge|split|hurry|expedite|escalate|reschedule|redirect|reimburse|put|take|repair|install|upgrade|describe|advise|print|withdraw|speak|talk)\\b(?!ation|ed\\b)'

const ENGLISH_QUESTION = new RegExp(
  `^${OPENERS}(?:${WH}\\b(?! an? )|${AUX} (?:not )?${SUBJECT}\\b|any (?:idea|chance|update|news|discount|way)\\b)|\\b(?:wondering|wonder|(?<!don't |not )know|ask|asking|tell me) (?:if|whether|when|where|why|how|what|which|who)\\b`,
)
const ENGLISH_ORDER = new RegExp(`^${OPENERS}(?:${DESIRE}|${IMPERATIVE})`)

const CHINESE_QUESTION =
  /[吗么呢]$|什么(?!都)|怎么|怎样|咋|如何|哪[里儿个些款种家天位一张吧]?|谁|(?<![好没这那前过近])几(?:天|点|个|件|号|折|年|月|时|岁|码|次|寸|款|种|家|公里)(?!没|前|了)|(?<!没)多(?:少|久|长|大|高|重|远|宽|厚|快)|为何|为什么|为啥|啥|是否|能否|可否|是不是|能不能|可不可以|可以不|有没有|要不要|会不会|行不行|好不好|对不对|用不用|支不支持|适不适合|没有[吗么]|了没$|不$|没$/
const CHINESE_DESIRE =
  /^(?:那个|就是|那|然后|还|也|再|现在|今天|你好|您好|请|亲|麻烦|嗯|呃|喂|对了|另外|顺便|顺带|其实|因为|所以|但是|不过|,|、| ){0,4}(?:我|我们|咱)?(?:就|还|也|只|现在|今天|其实|真的){0,2}(?:想|要|需要|希望|打算|准备|得|必须|申请|想要)/
const CHINESE_ORDER =
  /^(?:那个|就是|那|然后|还|也|再|现在|你好|您好|亲|嗯|喂|对了|另外|顺便|顺带|,|、| ){0,4}(?:请|麻烦|帮|给我|替我|(?:查|取消|退|换|改|修改|申请|开|催|转|发|寄|推荐|告诉|介绍|删|撤)(?!了|过|的|来|到)|把|能|可以)/
const CHINESE_ASKING = /(?:请问|想问|问一下|问下|咨询|想知道|求助|请教|想了解)/

export type ClauseKind = 'question' | 'desire' | 'statement'

const SCAN_LENGTH = 240

/** Kind of a folded clause; only its first 240 characters are looked at. A question mark at its end makes a question. */
export function clauseKindOf(folded: string): ClauseKind {
  return /\?\s*$/.test(folded.slice(-3)) ? 'question' : wordedAs(folded)
}

/** Kind of a folded clause by its words alone: the mark at the end of a sentence says nothing about its last clause. */
export function wordedAs(folded: string): ClauseKind {
  const bare = folded
    .slice(0, SCAN_LENGTH)
    .trim()
    .replace(/[\s?!.。~,、;:]{1,20}$/, '')
  if (ENGLISH_QUESTION.test(bare)) return 'question'
  if (ENGLISH_ORDER.test(bare)) return 'desire'
  if (CHINESE_DESIRE.test(bare) && !CHINESE_ASKING.test(bare)) return 'desire'
  if (CHINESE_QUESTION.test(bare) || CHINESE_ASKING.test(bare)) return 'question'
  return CHINESE_ORDER.test(bare) ? 'desire' : 'statement'
}

const GENERIC_ENGLISH = new Set(
  (
    'a an the i you u we it its this that these those they them he she me my your us is are am was were be been do does did done can could may might will would ' +
    'shall should must have has had how what why when where who which if so then and or but also please thanks thank ok okay yes no not to of for on in at by with ' +
    'about as from up out just now here there any some way possible help tell know let say ask see think work works go proceed understand explain mean long much ' +
    'many take takes need want like get got question questions wondering wonder sure sorry hi hello hey well um uh really still again too very right something anything ' +
    "thing things could'd i'd i'm i'll it's that's what's how's don't doesn't can't won't isn't couple few both quick quickly fast soon asap assist assistance favor favour pretty kindly call number first second one more another other first next" +
    ' be able make sense possible allowed okay happen happens handle solve fix fixed deal two three'
  ).split(' '),
)
const GENERIC_CHINESE =
  /请问|你好|您好|在吗|我|你们?|您|他们?|它们?|这个?|那个?|的|了|吗|呢|么|吧|啊|呀|哦|嗯|想|要|问|知道|一下|下|个|怎么办|怎么样|怎么回事|怎么|如何|怎样|什么|为什么|为啥|啥|能不能|可不可以|可以|能|行不行|行|好不好|是不是|是否|是|有没有|有|没有|没|不|会|操作|处理|解决|办理|办|弄|搞|做|申请|帮忙|帮助|帮|麻烦|谢谢|谢|请|多久|需要|应该|该|还|也|都|就|再|又|和|跟|给|对|到底|到|在|具体|步骤|流程|过程|方法|方式|原因|影响|风险|建议|规律|顺序|意思|结果|条件|要求|具体的|一般|大概|正常|持续|问题|几个|两个|三个|事情|事|咨询|了解|说|告诉|看|看看|现在|然后|另外|还有|顺便|那|,|、|\s/g

/** True when a folded clause has no subject matter of its own ("how do I do that?", "怎么操作"), so that it belongs to its neighbour. */
export function isElliptic(folded: string): boolean {
  const clause = folded.slice(0, SCAN_LENGTH).replace(/\S{0,64}@\S{0,64}/g, '')
  const words = clause.match(/[a-z0-9#]+(?:'[a-z]+)?/g) ?? []
  if (words.some((word) => !GENERIC_ENGLISH.has(word))) return hasOnlyPronouns(clause, words)
  const han = clause.replace(/[^\u3400-\u9fff]/g, '')
  return han.replace(GENERIC_CHINESE, '').length < 2
}

// Properties that everything has: asked for by itself, it is somebody else's.
const PROPERTY_CHINESE =
  /期限|时限|有效期|时间|价格|价钱|费用|手续费|金额|上限|次数|数量|流程|步骤|条件|要求|材料|资料|方式|标准|范围|比例|周期|截止日?期?|最(?:晚|早|多|少|长|低|高)|收费|(?<!发)货期|贵|免费|要钱|花|是|多(?:少|久|长|大)|几(?:天|次|个|块|年|月)?|谁|哪(?:里|儿|个|些)?|钱|天|月|年|次/g
const PROPERTY_ENGLISH = new Set(
  (
    'price cost costs fee fees charge deadline limit limits minimum maximum time times window period duration process steps ' +
    'procedure condition conditions requirement requirements document documents amount free expensive extra days hours'
  ).split(' '),
)

/** True when a folded clause asks for nothing but a property, and does not say of what: "what is the deadline", 期限是多久. */
export function lacksSubject(folded: string): boolean {
  const clause = folded.slice(0, SCAN_LENGTH)
  const words = clause.match(/[a-z0-9#]+(?:'[a-z]+)?/g) ?? []
  if (words.some((word) => !GENERIC_ENGLISH.has(word) && !PROPERTY_ENGLISH.has(word))) return false
  const han = clause.replace(/[^\u3400-\u9fff]/g, '')
  if (words.length === 0 && han === '') return false
  return han.replace(PROPERTY_CHINESE, '').replace(GENERIC_CHINESE, '').length < 2
}

const SUBJECT_PRONOUN = /^(?:and )?(?:if|whether|what|when|where|why|how)\b.{0,20}\b(?:it|they|that|this)\b/
const OBJECT_PRONOUN =
  /(?<!\bis )\b(?:it|them|this|that|those)(?= *(?:$|[,.?!]|to\b|at\b|from\b|for me|please|now|today|asap|quick|soon|done|back|first|too|as well))/
// How to keep what one has is a matter of its own, whatever else is asked about it.
const CARE =
  /\bhow (?:do|can|should) (?:i|you|we) (?:clean|wash|charge|descale|install|assemble|pair|reset|store|repair|set up) (?:it|them)\b/
const DETERMINER = /\b(?:my|the|a|an|your|our|another)\b/

// "when it will arrive", "please send it to …": about something named before, not a matter of its own.
function hasOnlyPronouns(clause: string, words: readonly string[]): boolean {
  if (DETERMINER.test(clause) || CARE.test(clause)) return false
  const content = words.filter((word) => !GENERIC_ENGLISH.has(word)).length
  return (SUBJECT_PRONOUN.test(clause) && content <= 1) || (OBJECT_PRONOUN.test(clause) && content <= 2)
}
