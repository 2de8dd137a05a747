import { splitSentences } from '../../ai/analysis/sentences.ts'
import { maskText } from '../../business/masking/index.ts'

/** What is left of a ticket when greetings, signatures and personal data are taken out. */
export interface CleanTicket {
  /** The customer's request in full sentences, personal data masked. */
  text: string
  /** The sentences that ask for something; all of them when none stands out. */
  request: string
}

const GREETING =
  /^(?:(?:hi|hello|hey|hell|hiya|howdy|greetings|dear|good (?:morning|afternoon|evening|day)|morning|yes|yeah|yep|ok(?:ay)?|excuse me|sorry|please|thanks?|thank you)\b[\s,.!:-]*(?:there|all|team|sir(?: or madam)?|madam|everyone|again|support)?[\s,.!:-]*|(?:您好|你好|亲|亲亲|哈喽|在吗|在么|有人吗|早上好|下午好|晚上好|请问|麻烦问下|老板|客服)[\s，,。.!！:：~]*)+/i
const SELF_INTRODUCTION =
  /\b(?:my (?:full )?name is|this is|i am|i'm|it'?s|it is|is) [A-Z][\p{L}'-]+(?: [A-Z][\p{L}'-]+){0,2}(?: (?:here|speaking|on this side|in this side))?(?=[\s,.!]|$)[\s,.!]*(?:and |so )?|我(?:叫|是)\p{Script=Han}{2,4}(?=[，,。\s])[，,。\s]*/giu
const SIGNATURE =
  /^(?:--+|__+|best(?: regards| wishes)?|kind regards|regards|cheers|sincerely|thanks?(?: (?:you|so much|a lot|in advance|again))*|many thanks|yours|sent from my .*|祝好|此致|敬礼|谢谢.{0,4}|多谢.{0,4}|感谢.{0,4}|拜托.{0,4})[\s,.!。！~🙏]*$/iu
const SMALL_TALK =
  /^(?:how are you|hope (?:you|this)|i hope|it'?s been|have a (?:nice|good|great)|can you (?:please )?help(?: me)?(?: (?:out|with (?:this|that|something)))?|could you help(?: me)?|i need (?:some |your )?help|please help(?: me)?|thank|thanks|appreciate|looking forward|i'?ve been (?:a|your) (?:loyal )?customer|急|在线等|麻烦(?:了|您|你)?|辛苦了?|拜托了?)/i
const REQUEST =
  /\b(?:need|want|wanna|wants|like to|love to|looking|look to|trying|wish|help|can (?:i|you)|could (?:i|you)|how (?:do|can|to)|what|where|when|why|which|please|cannot|can'?t|unable|won'?t|doesn'?t|does not|forgot|lost|report|hoping|require)\b|[?？]|想|要|怎么|如何|为什么|什么|哪里|能不能|可以|可否|请|帮|吗|无法|不能|没有|没收到|坏了|失败|打不开/i
const MAX_SENTENCES = 12

/** Cleans the text of one ticket. An empty request means that nothing is left to cluster by. */
export function cleanTicket(subject: string, content: string): CleanTicket {
  const sentences = splitSentences(`${subject}\n${content}`).slice(0, MAX_SENTENCES).map(strip).filter(isSubstance)
  const requests = sentences.filter((sentence) => REQUEST.test(sentence) && !SMALL_TALK.test(sentence))
  const chosen = requests.length > 0 ? requests : sentences
  return { text: maskText(sentences.join(' ')), request: maskText([...new Set(chosen)].join(' ')) }
}

function strip(sentence: string): string {
  return sentence.replace(GREETING, '').replace(SELF_INTRODUCTION, '').trim()
}

function isSubstance(sentence: string): boolean {
  return sentence !== '' && !SIGNATURE.test(sentence) && /\p{L}/u.test(sentence)
}
