const yes =
  /^(?:yes|yep|yeah|yup|y|ok|okay|sure|confirm(?:ed)?|i confirm|correct|right|go ahead|do it|please do|proceed|是的?|对的?|好的?|好吧|可以|行|嗯+|确认|确定|没错|同意|没问题|就这样)(?=$|[\s,.!?，。！？]|请|帮|取消|退|换|改|吧|啊|呀)/i
const no =
  /^(?:(?:no|nope|n|don'?t|do not|stop|never ?mind|forget it|not now|not yet)(?![a-z])|不|别|否|算了|先不|暂时不)/i
const doubt =
  /\b(?:but|except|wait|unless|however|instead|don'?t|not|no|first)\b|但|不过|可是|等等|先别|除了|不要|别|不是|[?？]|吗|呢/i

/** `doubtful`: a yes with a condition or a question. `other`: no answer at all. */
export type Verdict = 'yes' | 'no' | 'doubtful' | 'other'

const maxAnswerLength = 80

/** Reads the answer to “shall I do this?”. Only a plain yes counts, for what follows cannot be undone. */
export function readAnswer(message: string): Verdict {
  const text = message.normalize('NFKC').trim()
  const isShort = text.length <= maxAnswerLength
  if (no.test(text)) return isShort ? 'no' : 'other'
  const start = yes.exec(text)
  if (!start) return 'other'
  return isShort && !doubt.test(text.slice(start[0].length)) ? 'yes' : 'doubtful'
}

const ordinals: ReadonlyArray<readonly [pattern: RegExp, index: number]> = [
  [/^(?:the )?(?:1|1st|first)(?: one)?[.!]?$|^第?一个?$|^第1个?$/i, 0],
  [/^(?:the )?(?:2|2nd|second)(?: one)?[.!]?$|^第?[二两]个?$|^第2个?$/i, 1],
  [/^(?:the )?(?:3|3rd|third)(?: one)?[.!]?$|^第?三个?$|^第3个?$/i, 2],
  [/^(?:the )?(?:4|4th|fourth)(?: one)?[.!]?$|^第?四个?$|^第4个?$/i, 3],
  [/^(?:the )?(?:5|5th|fifth)(?: one)?[.!]?$|^第?五个?$|^第5个?$/i, 4],
  [/^(?:the )?last(?: one)?[.!]?$|^最后一?个?$/i, -1],
]

/** The element that an answer such as `2`, `the first one` or `第二个` chooses from a list, if it is one. */
export function readChoice<T>(message: string, candidates: readonly T[]): T | undefined {
  const text = message.normalize('NFKC').trim()
  const index = ordinals.find(([pattern]) => pattern.test(text))?.[1]
  return index === undefined ? undefined : candidates.at(index)
}

const englishAddress = /\b(?:to|as|is)\b ?:? ?(.{8,200})$/is
const chineseAddress =
  /(?:改成|改为|改到|改寄到?|改送到?|换成|换到|更新为|更新成|寄到|送到|地址[是为:])[:： ]{0,2}(.{4,200})$/s

/** The new address that a message states, as written, or null. */
export function readAddress(message: string): string | null {
  const text = message.normalize('NFKC').slice(0, 1_000).trim()
  const stated = chineseAddress.exec(text)?.[1] ?? lastEnglish(text)
  return stated === undefined ? null : asAddress(stated)
}

function lastEnglish(text: string): string | undefined {
  for (const match of text.matchAll(/\b(?:to|is|as|address)\b ?:?/gi)) {
    const rest = text.slice(match.index + match[0].length).trim()
    if (/^\d{1,6}[A-Za-z]? +\S+/.test(rest) && !/^#/.test(rest)) return rest
  }
  const tail = englishAddress.exec(text)?.[1]
  return tail !== undefined && /,/.test(tail) && /\d/.test(tail) && !/#/.test(tail) ? tail : undefined
}

/** A whole message as an address: it has letters and, in Latin script, a number. Null when it cannot be one. */
export function asAddress(message: string): string | null {
  const text = message
    .trim()
    .replace(/[.。!！]$/, '')
    .replace(/\s+/g, ' ')
  if (text.length < 5 || text.length > 200 || /[?？]/.test(text)) return null
  const isChinese = /[\u4E00-\u9FFF]{3}/.test(text) && /[\d省市区县路街镇乡村号]/.test(text)
  return isChinese || (/\d/.test(text) && /[A-Za-z]{2}/.test(text) && text.includes(' ')) ? text : null
}
