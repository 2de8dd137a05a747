/** The parts of a message that are not what it says: quoted history, signatures, contact lines, courtesies. */

const QUOTED_HISTORY =
  /^(?:-{2,}\s?(?:original message|forwarded message|原始邮件|转发邮件|转发的邮件)|on .{6,80} wrote:|在.{6,60}写道[：:]|(?:from|发件人)\s?[：:].{3,})/i
const SIGNATURE_MARK = /^(?:--|__|—)[-_—]{0,40}$/
const CLOSING =
  /^(?:(?:best|kind|warm|many)\s)?(?:regards|wishes|thanks|cheers|sincerely|best|yours(?: (?:sincerely|faithfully|truly))?|此致|敬礼|祝好|顺祝商祺)[\s,，.!。！]{0,5}$/i
const SENT_FROM = /^(?:sent from my|get outlook for|发自我的|来自我的)/i
const CONTACT_LINE =
  /^(?:(?:my|联系|我的)\s?)?(?:tel|phone|mobile|cell|e-?mail|wechat|qq|电话|手机|手机号|微信|邮箱|姓名|地址)\s?(?:number|号|号码)?\s?[：: ]\s?\S{1,60}$/i
const MAX_SIGNATURE_LINES = 6
const MAX_SIGNATURE_LINE = 60

/** The lines that the writer wrote about the matter, without white space at their ends. */
export function bodyLines(text: string): string[] {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim())
  const quoted = lines.findIndex((line) => QUOTED_HISTORY.test(line))
  const own = (quoted > 0 ? lines.slice(0, quoted) : lines).filter((line) => line !== '' && !line.startsWith('>'))
  return withoutSignature(own).filter((line) => !SENT_FROM.test(line) && !CONTACT_LINE.test(line))
}

function withoutSignature(lines: readonly string[]): string[] {
  const mark = lines.findIndex((line, i) => i > 0 && SIGNATURE_MARK.test(line))
  if (mark > 0) return lines.slice(0, mark)
  const closing = lines.findIndex((line, i) => i > 0 && CLOSING.test(line))
  if (closing < 0) return [...lines]
  const after = lines.slice(closing + 1)
  const isSignature = after.length <= MAX_SIGNATURE_LINES && after.every((line) => line.length <= MAX_SIGNATURE_LINE)
  return isSignature ? lines.slice(0, closing) : [...lines]
}

const OPENING =
  /^(?:hi+|hello|hell|hey+|hiya|howdy|greetings|dear|good (?:morning|afternoon|evening|day)|morning|yes|yeah|yep|well|ok(?:ay)?|excuse me|sorry|thanks|thank you)\b|^(?:您好|你好|客服您好|客服你好|亲亲?|哈喽|在吗|在么|在不在|有人吗|早上好|上午好|下午好|晚上好|打扰了?|不好意思|请问一?下?|麻烦问一?下|问一?下|想问一?下|老板|客服|小二)/i
const ADDRESSEE =
  /^(?:there|all|team|sir|madam|everyone|again|(?:customer )?(?:support|service)(?: team)?|or madam|to you(?: all)?|on this (?:fine |great |beautiful |lovely )?(?:day|morning|afternoon|evening))\b/i
/** A name between a greeting and what comes after it. */
const GREETED_NAME =
  /^(?:[Hh]i+|[Hh]ello|[Hh]ey+|[Dd]ear|[Gg]ood (?:morning|afternoon|evening|day))\s+\p{Lu}[\p{L}'-]{1,30}(?: \p{Lu}[\p{L}'-]{1,30})?\s{0,2}(?=[,.!，]|$)/u
const SEPARATORS = /^[\s,.!?:;~，。！？：；～、-]{1,20}/
const MAX_OPENINGS = 8

/** A sentence without the greeting that it begins with. */
export function withoutGreeting(sentence: string): string {
  let rest = sentence
  for (let i = 0; i < MAX_OPENINGS; i++) {
    const next = rest.replace(GREETED_NAME, '').replace(OPENING, '').replace(SEPARATORS, '')
    if (next === rest) return rest
    rest = next.replace(ADDRESSEE, '').replace(SEPARATORS, '')
  }
  return rest
}

// A name begins with a capital; only after "my name is" may it be small.
const INTRODUCTIONS = [
  /\b[Mm]y (?:full )?name(?: is|'s)\s?[\p{L}'-]{1,30}(?: \p{Lu}[\p{L}'-]{1,30}){0,2}[\s,.!]{0,3}(?:and |so |but )?/gu,
  /\b(?:[Tt]his is|I am|I'm|[Ii]t'?s|[Ii]t is|[Ii]s) \p{Lu}[\p{L}'-]{1,30}(?: \p{Lu}[\p{L}'-]{1,30}){0,2}(?: (?:here|speaking|(?:on|in) this side))?(?=[\s,.!]|$)[\s,.!]{0,3}(?:and |so |but )?/gu,
  /^\p{Lu}[\p{L}'-]{1,30}(?: \p{Lu}[\p{L}'-]{1,30}){0,2} here[\s,.!]{0,3}(?:and |so |but )?/gu,
  /我(?:叫|姓|是(?=[\p{Script=Han}]{2,4}(?:[，,。]|$)))\p{Script=Han}{1,4}(?:[，,。\s]|$)/gu,
]
const REFERENCES = [
  /[（(](?:my |the )?(?:order|tracking|ticket|订单|运单|单号)[^()（）]{0,40}\d{5}[^()（）]{0,20}[)）]/giu,
  /(?:订单|运单|快递|工单)?(?:编号|单号|号码|号)(?:是|为)?\s?[:：#]?\s?#?[A-Z]{0,3}\d{6,30}/giu,
  /(?:\b(?:no\.?|number|id)\b)?(?: is)?(?: as follows)?\s?[:#]?\s?#?\b[A-Z]{0,3}\d{6,30}/giu,
]

/** A sentence without the writer's name and without numbers of orders and accounts. */
export function withoutIdentity(sentence: string): string {
  const anonymous = INTRODUCTIONS.reduce((text, pattern) => text.replace(pattern, ''), sentence)
  return REFERENCES.reduce((text, pattern) => text.replace(pattern, ''), anonymous)
    .replace(/[\s,，、]{1,5}(?=[.。?？!！]|$)/g, '')
    .replace(/\s{2,10}/g, ' ')
    .trim()
}

const COURTESIES =
  /\b(?:(?:can|could|would) (?:you|someone|anyone)(?: please| kindly)?(?: be able to)? (?:help|assist)(?: me)?(?: out)?(?: (?:with|on) (?:this|that|it|something))?|i(?:'m| am)?(?: really)? (?:need|in need of|looking for)(?: (?:some|your|urgent))? (?:help|assistance)|please|kindly|help(?: me)?|asap|as soon as possible|urgent(?:ly)?|quick(?:ly)?|hurry(?: up)?|immediately|thank(?:s| you)(?: (?:so|very) much| a lot| in advance| again)?|many thanks|cheers|regards|best(?: wishes| regards)?|kind|warm|sincerely|how are you(?: doing)?(?: today)?|(?:i )?hope (?:you(?:'re| are)|this finds you)(?: doing)?(?: well)?|have a (?:nice|good|great|lovely) (?:day|one|evening|weekend)|looking forward to (?:hearing from you|your (?:reply|answer|response))|(?:is )?(?:anyone|anybody|someone) there|are you there|hi+|hello|hey|good (?:morning|afternoon|evening|day)|sorry|sir|madam|support|team|dear|sent from my .{0,20}|and|so|ok(?:ay)?|yes|no|tests?|testing)\b|麻烦|拜托|辛苦|谢谢|感谢|多谢|请|尽快|马上|赶紧|赶快|快点|处理|解决|回复|回答|帮忙|帮帮|一下|等|在线|急用|急|在吗|在么|有人|你好|您好|你们|您们|你|您|我|的|了|啦|哦|呀|吧|吗|么|们|亲|客服|万分|十分|非常|好的?|测试|工单|忽略/gi

/** Does a sentence only greet, thank, urge or test? */
export function isCourtesy(sentence: string): boolean {
  return !/\p{L}/u.test(sentence.replace(COURTESIES, ''))
}
