import { emotionScoreOf } from '../../../language/emotion.ts'
import { fold, isHan } from '../../../language/fold.ts'
import { needsConversation } from '../../../language/follow-up.ts'

/** A sentence of a ticket that might stand for its cluster. */
export interface QuestionCandidate {
  text: string
  /** Likeness with the middle of the cluster, 0 to 1. */
  likeness: number
  /** Does it ask for something, or say that something does not work? */
  asks: boolean
  /** Content words, and how many of them are slips of the pen. */
  words: number
  slips: number
  /** Are its words known, so that it means something? */
  isUnderstood: boolean
}

const QUESTION =
  /[?？]["'”’）)\s]*$|(?:^|, )(?:how|what|why|when|where|which|who|can|could|do|does|did|is|are|will|would|should|may)\b|吗|怎么|怎样|如何|为什么|为何|什么|多久|哪|(\p{Script=Han})[不没]\1|可不可以|可以不|能否|是否|多少|(?<!好)几[天个]|咋|谁/iu
/** A statement that its last word turns into a question. */
const TAGGED = /[不没否呢](?:有)?$/u
const MASKED = /\*{2,}|\d{5}/
/** Beginnings of a conversation that say nothing of the matter. */
const VAGUE =
  /^(?:(?:i|we|there) (?:have|had|got|need|is|am having|are having)|i'm having|i've got|having)? ?(?:a|an|some|another|the same|few)? ?(?:quick |small |big |serious |urgent )?(?:problem|question|issue|query|doubt|request|concern|trouble)s?(?: (?:here|for you|please|to ask))?[.!?]*$|^(?:我)?(?:这边|这里)?(?:有|遇到|碰到|出现)(?:了)?(?:个|一个|点|些)?(?:问题|疑问|情况|事情?)(?:想)?(?:要)?(?:咨询|请教|问)?(?:一下|下)?(?:你们?)?[。！!？?]*$|^(?:我)?(?:想|要)?(?:咨询|请教|请问|问)(?:一下|下|个问题)?[。！!？?]*$/i
/** Of what was written before. */
const EARLIER =
  /\b(?:as (?:i )?(?:said|mentioned|discussed)|(?:my|your|the) (?:last|previous|earlier) (?:e?mail|message|ticket|reply|chat|call)|following up|follow-up|any (?:news|updates?)|see above|attached)\b|(?:上次|之前|刚才|前面|昨天)(?:说|提|问|联系|反馈|沟通)|如上|见附件/i
/** Of one customer's day, not of a problem. */
const PARTICULAR =
  /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6} \d{1,2}|\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:19|20)\d{2}\b|\d{1,2}月\d{1,2}|[$€£¥￥]\s?\d|\d\s?(?:元|块|usd|dollars)/i
const ENGLISH_SENTENCE =
  /\b(?:i|i'm|i've|my|we|our|you|your|the|an?|is|are|was|were|does|do|did|can|could|will|would|has|have|keeps?|how|what|where|when|why|which|who)\b/i
const MIN_WORDS = 2
const MAX_LENGTH = 160
/** From here on a sentence insults; between the two it complains, and a calm one is rather shown. */
const INSULT = -0.7
const COMPLAINT = -0.3

/**
 * How well a sentence stands for a cluster, to be read by itself; 0: not at all. One that is masked, too long for a question, rude, or that says
 * nothing of the matter does not.
 */
export function fitness({ text, likeness, asks, words, slips, isUnderstood }: QuestionCandidate): number {
  const feeling = emotionScoreOf(text)
  if (words < MIN_WORDS && !isUnderstood) return 0
  if (MASKED.test(text) || text.length > MAX_LENGTH || VAGUE.test(text.trim()) || feeling <= INSULT) return 0
  const form = QUESTION.test(text) ? 1.25 : asks ? 1.1 : 1
  // One word is a heading, not a question; three say enough.
  const fullness = words < MIN_WORDS ? 0.5 : words < 3 ? 0.85 : 1
  const manners = feeling <= COMPLAINT ? 0.6 : 1
  return likeness * form * fullness * manners * aloneness(text) * (1 - slips / Math.max(1, words))
}

/** How well a sentence is understood without what was said before, and without whose it is. */
function aloneness(text: string): number {
  const hangs = needsConversation(fold(text)) || EARLIER.test(text) ? 0.4 : 1
  const isFragment = !/\p{Script=Han}/u.test(text) && !ENGLISH_SENTENCE.test(text)
  return hangs * (isFragment ? 0.85 : 1) * (PARTICULAR.test(text) ? 0.85 : 1)
}

const FILLER = /^(?:(?:um+|uh+|oh|well|yeah|ok(?:ay)?|so)[\s,.]{1,4}|[嗯啊哦诶欸唉][，,。.\s]{0,3})+/i
const CLOSING =
  /(?<![\s,，.。!！~～;；、:：-]|\p{Extended_Pictographic}|谢谢|多谢|感谢|拜托了?|急)(?:[\s,，.。!！~～;；、:：-]|\p{Extended_Pictographic}|\b(?:thanks|thank you|thx|pls|cheers|asap)\b|谢谢|多谢|感谢|拜托了?|急+)+$/iu
const PLEASE = /,?(?<!\s)\s+(?:please|pls)$/i
const END = /(?<![\s,，.。!！~～;；、:：?？])[\s,，.。!！~～;；、:：?？]+$/u
const WISH =
  /^i(?:'m| am|'d| would| just| really| also){0,2} (?:want|need|wish|like|love|have|trying|looking|hoping) to (?!know\b|ask\b|be\b|see if\b)([^,;.:]+)$/i
const REQUEST =
  /^(?:(?:please|kindly|pls) (?:kindly |please )?([^,;.:]+)|((?:make|stop|send|cancel|change|remove|delete|drop|give|show|tell|let|add|set|turn|move|refund|replace|fix|check|update|reset|block|keep|put|take|find) [^,;.:]+))$/i
const CHINESE_REQUEST = /^(?:请(?!问)|麻烦|帮|能帮|拜托)/

/**
 * A sentence as a question of its own: without small words around it, begun with a capital, ended with a question mark. One that tells of a problem
 * asks for help with it, a wish asks how it comes true.
 */
export function asQuestion(text: string): string {
  const isMarked = /[?？]["'”’）)\s]*$/.test(text)
  const bare = withoutClosing(text.replace(FILLER, '').replace(isMarked ? END : '', ''))
  const whole = /\p{L}/u.test(bare) ? bare : text.replace(END, '')
  return capital([...whole].some(isHan) ? chineseQuestion(whole, isMarked) : englishQuestion(whole, isMarked))
}

/** Whatever stands at the end beside the matter: marks, thanks, please, pictures. */
function withoutClosing(text: string): string {
  for (let rest = text; ; ) {
    const next = rest.replace(CLOSING, '').replace(PLEASE, '').replace(END, '')
    if (next === rest) return rest
    rest = next
  }
}

function englishQuestion(text: string, isMarked: boolean): string {
  if (isMarked || QUESTION.test(text)) return `${text}?`
  const wish = WISH.exec(text)?.[1]
  if (wish !== undefined) return `How do I ${wish}?`
  const [, asked, told] = REQUEST.exec(text) ?? []
  const request = asked ?? told
  return request === undefined
    ? `${text}: what can I do?`
    : `Can you ${request.charAt(0).toLowerCase()}${request.slice(1)}?`
}

function chineseQuestion(text: string, isMarked: boolean): string {
  if (isMarked || QUESTION.test(text) || TAGGED.test(text)) return `${text}？`
  if (text.startsWith('把')) return `怎么${text}？`
  return CHINESE_REQUEST.test(text) ? `${text}，可以吗？` : `${text}，怎么办？`
}

function capital(text: string): string {
  return /^\p{Ll}(?!\p{Lu})/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}
