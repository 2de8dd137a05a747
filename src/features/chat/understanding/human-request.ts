import { MAX_ANALYSED_LENGTH } from '../../../language/fold.ts'
import { splitSentences } from '../../../language/sentences.ts'

// Every gap below is bounded, so that a search over a message takes time linear in its length.
const PERSON =
  '(?<!\\b(?:my|our|his|her|their) )(?:human(?! hair| size| resources)|person|people|someone|somebody|agents?|representatives?|reps?|operator|managers?|supervisors?|advis[eo]r|specialist|employee|colleagues?|staff|boss|superior|being|customer (?:service|care|support)|support(?: team| staff)?|live chat|(?:who|whoever is|someone|somebody) in charge)'
const STRICT_PERSON =
  "(?:(?:real|live|actual|human) (?:human|person|people|being|agent|rep|representative|operator|one|support)|human(?! hair| size| resources| error)|live agent|human being|(?:an?|your|(?:the )?next available) (?:agent|representative|rep|supervisor|manager|operator|human|(?:real )?person(?! of|'s)|employee|advis[eo]r)\\b(?! fee)|the (?:supervisor|manager|boss)\\b)"

const ENGLISH_REQUESTS = [
  `\\b(?:talk(?:ing)?|speak(?:ing)?|chat(?:ting)?|deal(?:ing)?|a word) (?:to|with)\\b[^.?!\\n]{0,30}?\\b${PERSON}\\b`,
  `\\b(?:connect(?:ed)?|transfer(?:red)?|put|pass|hand|forward|refer|escalate|hook|switch|send) (?:me|us|this|it|(?:this|the|my) (?:chat|conversation|case))?\\b[^.?!\\n]{0,25}?\\b(?:to|with|through to|over to|up with|on to) [^.?!\\n]{0,20}?\\b${PERSON}\\b`,
  `\\b(?:connect|transfer|put) me (?:through|over)\\b|^transfer(?: me)?(?: please)?$`,
  `\\b(?:get|give|find|bring|send|fetch|need|want|prefer|like|demand|request) (?:me |us )?(?:to (?:have|see|reach) )?${STRICT_PERSON}`,
  `\\b(?:let|have|ask|tell|make) ${STRICT_PERSON} [^.?!\\n]{0,20}?\\b(?:answer|handle|help|call|phone|ring|contact|look|take|reply|respond|deal)`,
  `\\b(?:someone|somebody|person|agent|manager|supervisor|colleagues?|employee|specialist|representative|staff|team|responsible)\\b[^.?!\\n]{0,25}?\\b(?:call|phone|ring|contact|get back to|reach out to) me\\b(?! back yesterday)`,
  `\\b(?:have|ask|let|get|please have) [^.?!\\n]{0,25}?\\b(?:call|phone|ring|contact) me\\b`,
  `\\b(?:put|get) (?:a|an|some|your|me a|me an|real|live|actual)* ?(?:human|person|agent|operator|supervisor|manager)\\b`,
  `\\b(?:is|isn't) there (?:a|any|some)[^.?!\\n]{0,20}?\\b(?:human|real person|live agent|live person|actual person|person i c)`,
  `\\b(?:real|live|actual) (?:person|human|agent|people)\\b(?=[^.?!\\n]{0,20}(?:please|now|$|help|answer|here))`,
  `\\b(?:no more|stop|enough with|not|without|isn't|instead of|don't want|do not want)\\b[^.?!\\n]{0,25}?\\b(?:bots?|robots?|machines?|automated|chatbots?)\\b[^?\\n]{0,30}?\\b(?:person|human|someone|somebody|agent|people)\\b`,
  `\\b(?:person|human|agent|someone|somebody|talk|speak|chat|colleague)\\b[^.?!\\n]{0,25}?\\b(?:not|isn't|instead of|rather than|don't want)\\b[^.?!\\n]{0,15}?\\b(?:bot|robot|machine|automated|chatbot|computer)`,
  `\\b(?:don't want|do not want|dont want|refuse) to (?:talk|speak|chat|deal|discuss)\\b[^.?!\\n]{0,15}?\\b(?:bot|robot|machine|chatbot|computer)`,
  `\\b(?:let|can|could|may) (?:one of )?(?:your|a) (?:colleagues?|team members?|members? of staff|staff|human|employees?)\\b[^.?!\\n]{0,25}?\\b(?:take|handle|help|look|answer|call)`,
  `\\b(?:someone|somebody) (?:real|human)\\b`,
  `^(?:(?:a|an|the|live|real|human|customer service|customer support|support) ?){0,3}(?:agent|human|person|operator|representative|rep|supervisor|manager|somebody|customer service|customer support|live chat)(?:[ ,]+(?:please|now|asap|agent|human|person|operator|representative)){0,4}$`,
]
// Words that name such a person without asking for one: hours, numbers, jobs, the past, a refusal, other trades.
const ENGLISH_EXCLUSIONS = [
  '\\b(?:hours|phone number|number|e-?mail|address|salary|job|vacanc(?:y|ies)|reviews?)\\b[^.?!\\n]{0,30}?\\b(?:customer (?:service|support|care)|support|agents?|manager)',
  '\\b(?:customer (?:service|support|care)|support|agents?|manager)\\b[^.?!\\n]{0,25}?\\b(?:hours|number|e-?mail|address|open|available until)\\b',
  '\\b(?:when|what time|until when) [^.?!\\n]{0,25}?\\b(?:customer (?:service|support|care)|support|agents?)',
  "\\b(?:don't|do not|dont|no need to|without having to|never|not want to|rather not|instead of) (?:want to |need to |have to |wish to )?(?:(?:talk|speak|chat)(?:ing)? (?:to|with)|be (?:transferred|connected))(?![^.?!\\n]{0,12}(?:bot|robot|machine|computer))",
  "\\b(?:don't|do not|dont|no) (?:need|want) (?:a |an |any |to see a )?(?:human|agent|person|representative|manager|real person)",
  '\\b(?:was|were|been|after|already|just|i) (?:talking|speaking|chatting|spoke|talked|chatted)\\b',
  '\\b(?:are you|is this|is it|am i (?:talking|chatting|speaking))\\b',
  '\\b(?:every|each|another|other) (?:employee|agent|person|manager|representative)',
  '\\b(?:to|for|with|by) (?:my|our|his|her|their) (?:own )?(?:colleagues?|managers?|boss|staff|agents?|assistant|supervisor|team)\\b(?! (?:to )?(?:call|contact))',
  '\\b(?:real estate|travel|cleaning|insurance|shipping|delivery|secret) agents?\\b',
]

const HAN_PERSON = '(?:人工|真人|活人|真的人|活的人|大活人|真客服|真的客服)'
const HAN_BOSS =
  '(?:经理|主管|领导|负责人|老板|专员|上级|组长|店长|管事的|值班的|同事|员工|坐席|工作人员|客服人员|客服专员)'
const CHINESE_REQUESTS = [
  `转(?:接|到|给|至|去|一下)?(?:到|给|你们)?(?:的)?(?:${HAN_PERSON}|客服|${HAN_BOSS})`,
  `(?:找|要|叫|换|接|连|派|安排|来|联系|呼叫|需要|请|给我|帮我|求|想|用)(?!了|过|求)[^，。？！,.?!\\n]{0,6}${HAN_PERSON}(?!智能|费|草|湖|皮|合成|成本|泪|呼吸|成|台)`,
  `(?:找|叫|换|派|安排|联系|请|让|喊|要)(?!了|过|求)[^，。？！,.?!\\n]{0,4}${HAN_BOSS}[^，。？！,.?!\\n]{0,8}(?:来|联系|打电话|回电|出来|处理|跟我|接|说|谈|电话|过来|看)`,
  `(?:找|叫|联系上?)(?:一下)?你们(?:的)?${HAN_BOSS}`,
  `(?:跟|和|与|同|对)(?:你们)?(?:的)?(?:一个)?(?:${HAN_PERSON}|客服|${HAN_BOSS}|人)(?:来)?(?:说话|说|聊|讲|谈|沟通|对话|交流|反映|反应|理论)`,
  `(?:让|叫|请|派|安排)(?:一个|个|你们的?|真的?)?(?:人|客服|${HAN_BOSS})[^，。？！,.?!\\n]{0,4}(?:联系我|打电话|打个电话|回电|回个电话|电话联系|出来|来处理|来跟我|处理|过来|看看|给我打|给我回)`,
  '(?:找|叫|换|来|派)(?:一)?(?:个|位)?(?:真的|活的|能说话的|别的|懂的)?人(?:来|跟我|和我|处理|说|帮|过来|接|工)',
  '(?:换人|找个人|叫个人|来个人|派个人|换个人|来个活的|来个真的)',
  '(?:我要|我想|我想找|我要找|帮我找|帮我叫|麻烦叫|接通|连线|接入|呼叫|转接)(?:一下)?(?:你们)?(?:的)?(?:个|一个|一位)?(?:在线|真正的|真的)?客服(?!电话|热线|邮箱|时间|微信)',
  '(?:叫|安排|派)(?:一个|个|一位|位)?客服',
  '有没有(?:真人|活人|人工)|有(?:真人|活人|人工)(?:吗|么|没|客服)|(?:能不能|可不可以|可以|能)(?:让)?(?:真的?人|活人|真的?客服)',
  '(?:不要|不想|别|别再|不跟|不和)[^，。？！,.?!\\n]{0,6}(?:机器人|机器|自动回复)[^。？！?!\\n]{0,8}(?:人|客服)',
  '(?:不要|不想)(?:再)?(?:跟|和|对着|与)?(?:你们的?|这个)?机器人?(?:聊|说话|说|讲)',
  '^(?:请|麻烦|我要|给我)?(?:人工|真人)(?:客服|服务|坐席|人工|处理|协助|帮助|咨询)*(?:吧|啊|呢|谢谢|在吗)?$',
  '^(?:转|要|呼叫|在线)?客服(?:在吗|呢|出来|快出来)?$|客服呢',
]
const CHINESE_EXCLUSIONS = [
  `(?:不要|不用|不需要|不必|别|无需|没必要|不想)(?:给我|帮我|再)?(?:转|找|接|叫|联系)[^，。？！,.?!\\n]{0,3}(?:${HAN_PERSON}|客服|${HAN_BOSS})`,
  `(?:不要|不用|不需要|无需)(?:人工|真人)`,
  `(?:${HAN_PERSON}|客服)[^，。？！,.?!\\n]{0,6}(?:几点|什么时候|时间|上班|下班|热线|邮箱|多少号|工资|招聘|是多少)`,
  '客服电话|人工智能|人工费|人工成本|纯人工|人工草|人工皮|人工合成',
]

// Somebody who tells of a caller in the shop's name wants to be warned, and names a person without asking for one.
const IMPOSTORS = [
  "\\b(?:claim(?:s|ed|ing)?|pretend(?:s|ed|ing)?|said|says|saying)\\b[^.?!\\n]{0,15}?\\b(?:to be|they(?:'re| are| were)|(?:he|she|it) (?:is|was)|from)\\b",
  '\\b(?:scam(?:mer|med)?|fraud|impersonat\\w{1,5})\\b',
  '(?:自称|冒充|假冒|假装|假扮|(?:有人|对方|他|她)[^。？！?!\\n]{0,4}说(?:自己)?是)[^。？！?!\\n]{0,8}客服|诈骗',
]

const impostors = compile(IMPOSTORS)
const requests = compile([...ENGLISH_REQUESTS, ...CHINESE_REQUESTS])
const exclusions = compile([...ENGLISH_EXCLUSIONS, ...CHINESE_EXCLUSIONS])

function compile(sources: readonly string[]): RegExp[] {
  return sources.map((source) => new RegExp(source))
}

const AWAITS_PERSON =
  /^(?:hello|hi|hey)?[ ,?!]*(?:is |are )?(?:anyone|anybody|someone|somebody|nobody) (?:there|here|coming|around)\b|^(?:hello|hi|hey)?[ ,?!]*(?:i'm |i am )?still (?:waiting|here|nobody|no one)\b|\bhow (?:much )?long(?:er)? (?:do|must|will|should) i (?:have to )?wait|\bwhere is (?:the|my|your) (?:agent|colleague|person|human)\b|^(?:(?:怎么)?还(?:没|没有)(?:有)?人|人呢|人在哪|有人(?:吗|在吗)|(?:我)?(?:都)?等了(?:半天|很?久|好久|\d+|这么)|还要等多久|(?:客服|人工)(?:呢|在哪|怎么还))/

/** Whether a folded message, of somebody who waits for a person, asks where that person is. */
export function awaitsPerson(folded: string): boolean {
  return AWAITS_PERSON.test(folded.trim())
}

/** `excluded`: a person is named, but not asked for. */
export type HumanRequest = 'asked' | 'excluded' | 'none'

/**
 * Whether a folded message explicitly asks for a person. Judged sentence by sentence: "are your agents available on Sunday?"
 * is no request, and does not cancel one in the next sentence.
 */
export function humanRequestOf(folded: string): HumanRequest {
  const sentences = splitSentences(folded.slice(0, MAX_ANALYSED_LENGTH))
  const verdicts = sentences.map((sentence) => judge(sentence.replace(/^[,~\s]{1,20}|[,~.?!。…;\s]{1,20}$/g, '')))
  if (verdicts.includes('asked')) return 'asked'
  return verdicts.includes('excluded') ? 'excluded' : 'none'
}

function judge(sentence: string): HumanRequest {
  if (exclusions.some((pattern) => pattern.test(sentence))) return 'excluded'
  if (requests.some((pattern) => pattern.test(sentence))) return 'asked'
  return impostors.some((pattern) => pattern.test(sentence)) ? 'excluded' : 'none'
}
