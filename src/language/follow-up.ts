import { CIRCUMSTANCES, findSlots, stripMarks } from './slots.ts'

const EN_LEAD =
  /^(?:and|but|or|so|ok|okay|then|also|hmm|well)?[ ,]*(?:(?:what|how) about\b|what if\b|and (?:for|in|to|with|if|what|how|on|at|from|without)\b|same (?:for|with)\b|(?:for|in|to|with|from|on|at) (?:the |a |an )?[^?]{1,40}\?*$|and (?:the|its|their|a|an) [a-z]{2,20}(?: [a-z]{2,20}){0,2}$|(?:also|even) (?:for|in|to|with|if)\b)/
const EN_BARE =
  /^(?:and |but |so |ok |then )?(?:why(?: not| is that)?|how(?: so| come| much| long| many| exactly)?|when|where|who|which(?: one)?|really|what else|anything else|like what|such as|for example|how much is (?:it|that)|how does (?:it|that) work|how do i do (?:it|that)|is that (?:all|so|possible|ok|true|right))$/
const EN_ONE =
  /\b(?:the (?:other|first|second|third|last|former|latter|red|blue|black|white|green|grey|bigger|smaller|cheaper|same) (?:one|ones)|that one|this one|those ones|these ones)\b/
const EN_PRONOUN = /\b(?:it|they|them|its|their|those|these)\b/
// The thing that "it takes" or "it costs" to do is said with a verb or names the service; to a place, on a day or with a
// card it is not.
const EN_IT_TAKES = /\b(?:does|did|will|would|do) it (?:take|cost)\b(.{0,80})$/
const EN_EXPLETIVE =
  /\b(?:is|was|would|will) it (?:be )?(?:possible|ok|okay|true|safe|free|allowed|still|too late|necessary|better|worth|a|the|going to)\b|\bit(?:'s| is| has been| was| says| seems| took| takes) |\bmake it\b|\bgot it\b|\bwhat time is it\b/
const EN_ANTECEDENT =
  /\b(?:a|an|the|my|your|our|this|that|some|any|two|both|these|those|order|#\w{3,}) (?!(?:most|least|longest|shortest|maximum|minimum|max|min|best|way|limit)\b)[a-z-]{3,}[^.?!]{0,80}?\b(?:it|they|them|its|their)\b/
const EN_DEICTIC =
  /^(?:and |but |so |ok )?(?:is|are|does|do|can|will|what|how|why|when|where)\b[^.?!]{0,25}?\b(?:this|that|these|those)\b(?: (?:include|work|cover|cost|mean|apply|count|take|need|have|come)\b.{0,20}| [a-z]{2,12})?$/

const ZH_LEAD = /^(?:那么?|那要是|要是|如果是|如果换成|换成|还有|然后|所以|而|至于)(?!个|些|边|天|种|款)/
const ZH_ENDING = /^[^,。?!]{1,14}呢$/
const ZH_QUESTION = /什么|怎么|如何|哪|谁|几|多少|多久|为什么|啥|能不能|可不可以/
const ZH_SAME = /(?:也|都)(?:是)?(?:一样|可以|能|行|支持|算|适用|这样|要|有)(?:吗|么|不|的吗)?$/
const ZH_PRONOUN =
  /它|他们|她们|这个|那个|这款|那款|这种|那种|这件|那件|这双|上面的?|前面(?:说|那)|刚(?:才|刚)说的?|你说的|前者|后者|第[一二三]个|另一个|另外一个|这样的?话/
const ZH_FILLER =
  /那个(?=我|你|就|请|,|问|想|怎)|^那个|这个(?=[\u3400-\u9fff]{1,6}(?:多少|怎么|能|可以|有|是|支持|防|好))/g
const ZH_BARE =
  /^(?:那|那么|请问|大概|一般|具体|一共|总共)?(?:多少钱(?:一[个件台把张套盒瓶双只块片包])?|一[个件台把张套盒瓶双只块片包]多少钱|(?:要|得)?(?:多久|几天|多长时间)(?:能|可以|才能)?(?:到账|到|好|收到|处理完)|什么时候(?:能)?(?:到账|到|好|收到)|多久|要多久|需要多久|多长时间|要多长时间|几天|要几天|为什么|为啥|怎么弄|怎么办|怎么操作|怎么做|怎么申请|怎么用|在哪|在哪里|哪里|哪个|哪一个|什么时候|什么意思|可以吗|能吗|行吗|有吗|要钱吗|收费吗|贵吗|免费吗|是吗|真的吗|还有吗|然后呢|还有别的吗|有没有别的|怎么收费|多少|要收费吗|需要什么|要带什么|有什么条件|有什么要求)$/

const ZH_ADDED = /^(?:到|去|在|用|从|给|按|选)/
const EN_ADDED = / (?:to|for|in|with|by|on|from|via|at)$/

const MAX_LENGTH = 200

/** "到新加坡要多久" without the place is bare, as "how long with express" is without what follows. */
function withoutCircumstance(text: string): string {
  const [first] = CIRCUMSTANCES.flatMap((kind) => findSlots(text, kind))
  return first === undefined ? text : (text.slice(0, first.start) + text.slice(first.end)).trim()
}

const TO_DO = new RegExp(
  `\\bto (?:${'get|receive|have|see|hear|ship|deliver|send|arrive|process|refund|return|exchange|cancel|charge|install|repair|fix|replace|activate|approve|review|verify|use|make|do|pay|buy|order|open|close|set up|sign|register|reset|change|update|upgrade|restock|produce|clean|fill|boil|dry|assemble|reply|answer|respond|credit|transfer|clear|complete|finish|ship'})\\b`,
)

/** Whether "it takes" something that is named: an action, or a service of the shop. */
function saysWhat(needed: string): boolean {
  return TO_DO.test(needed) || findSlots(needed, 'process').length > 0 || /\bfor .{0,40}\bto\b/.test(needed)
}

/** True when a folded message speaks of something by a pronoun that nothing in it explains. */
export function refersBack(folded: string): boolean {
  return EN_PRONOUN.test(folded) || ZH_PRONOUN.test(folded.replace(ZH_FILLER, ''))
}

const EN_PRICE =
  /^(?:and |but |so |ok )?(?:how much (?:is|are|does)|what(?:'s| is| are)|whats) (?:the )?(?:price|costs?|fees?|charges?|postage|(?:shipping|delivery)(?: (?:fees?|costs?|charges?|price))?)(?: cost)?$/
const ZH_PRICE =
  /^(?:那么?|请问)?(?:运费|邮费|快递费|费用|价格|价钱|手续费)(?:是|要|得|大概|一般|大约)?(?:多少(?:钱)?|怎么(?:算|收)|如何(?:算|收))$/

/** True when a folded message asks what something costs and does not say what: it may go on about what was asked before. */
export function asksPriceAlone(folded: string): boolean {
  const text = beginningOf(folded)
  return EN_PRICE.test(text) || ZH_PRICE.test(text)
}

/** True when a folded message cannot be understood without what was said before: ellipsis, pronouns without antecedent. */
export function needsConversation(folded: string): boolean {
  const text = beginningOf(folded)
  if (text === '' || folded.length > MAX_LENGTH) return false
  return needsBeforeEnglish(text) || needsBeforeChinese(text)
}

function beginningOf(folded: string): string {
  return stripMarks(folded.slice(0, MAX_LENGTH))
}

function needsBeforeEnglish(text: string): boolean {
  if (!/[a-z]{2}/.test(text)) return false
  if (EN_LEAD.test(text) || EN_BARE.test(text) || EN_DEICTIC.test(text)) return true
  if (EN_ONE.test(text) && !/\bor\b/.test(text)) return true
  if (EN_BARE.test(withoutCircumstance(text).replace(EN_ADDED, ''))) return true
  const needed = EN_IT_TAKES.exec(text)?.[1]
  if (needed !== undefined) return !saysWhat(needed)
  return EN_PRONOUN.test(text) && !EN_EXPLETIVE.test(text) && !EN_ANTECEDENT.test(text)
}

function needsBeforeChinese(text: string): boolean {
  if (!/[\u3400-\u9fff]/.test(text)) return false
  if (ZH_BARE.test(text) || ZH_BARE.test(withoutCircumstance(text).replace(ZH_ADDED, ''))) return true
  if (ZH_LEAD.test(text) && text.length <= 16) return true
  if (ZH_ENDING.test(text) && !ZH_QUESTION.test(text)) return true
  if (ZH_SAME.test(text) && text.length <= 14) return true
  return text.length <= 24 && ZH_PRONOUN.test(text.replace(ZH_FILLER, ''))
}
