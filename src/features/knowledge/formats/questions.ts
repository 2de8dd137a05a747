const MAX_QUESTION_CHARS = 400

export const QUESTION_MARKER =
  /^(?:q|question|问|問|问题|問題|提问)\s{0,3}\d{0,4}\s{0,3}[:：]\s{0,5}|^(?:q|question|问题?)\s{0,3}\d{1,4}\s{0,3}[.．、)）]\s{0,5}/iu
export const ANSWER_MARKER =
  /^(?:a|answer|答|回答|答案|答复|解答)\s{0,3}\d{0,4}\s{0,3}[:：]\s{0,5}|^(?:a|answer)\s{0,3}\d{1,4}\s{0,3}[.．、)）]\s{0,5}/iu
const NUMBERING =
  /^(?:\d{1,3}(?:\.\d{1,3}){0,4}[.．、)）]?\s{1,5}|\d{1,3}[.．、)）](?!\d)|[（(]\d{1,3}[）)]|[一二三四五六七八九十]{1,3}[、．.])\s{0,5}/u

const ENGLISH_QUESTION =
  /^(?:how (?:to|do|does|did|can|could|should|would|will|is|are|much|many|long|often|soon|far|old)|wh(?:at|ere|en|y|o|ich)(?:'s| (?:is|are|was|were|do|does|did|can|could|should|would|will|if|kind|happens|to)) |(?:can|could|do|does|did|is|are|will|would|should|may|am) (?:i|you|we|they|it|my|your|the|there|a|an)) ?/i
const CHINESE_QUESTION =
  /^(?:如何|怎么|怎样|怎麼|为什么|為什麼|为何|什么是|什麼是|能否|是否|可否|可以|哪|几|多久|多少).{1,200}|.{1,200}(?:吗|嗎|呢|么|怎么办|怎麼辦|多少|是什么|是什麼|怎么样|多久|多长时间|哪些|哪里|為什麼|为什么)$/u

/** Whether a heading, title or line asks something: a question mark at its end, or the shape of a question in Chinese or English. */
export function isQuestion(text: string): boolean {
  const bare = stripNumbering(text.trim())
  if (bare.length < 2 || bare.length > MAX_QUESTION_CHARS) return false
  if (/[?？][\s"'”’」』）)\]*_`]{0,4}$/u.test(bare) || QUESTION_MARKER.test(bare)) return true
  if (/^可以/.test(bare)) return false
  return ENGLISH_QUESTION.test(bare) || CHINESE_QUESTION.test(bare)
}

/** "3. How …" and "Q2: How …" as the bare question. */
export function bareQuestion(text: string): string {
  const bare = stripNumbering(text.trim())
  return stripNumbering(bare.replace(QUESTION_MARKER, '')).trim() || text.trim()
}

export function stripAnswerMarker(text: string): string {
  return text.replace(ANSWER_MARKER, '')
}

function stripNumbering(text: string): string {
  return text.replace(NUMBERING, '')
}
