/** Lines that stand before what somebody quotes, in the words of the programs that people write with. */
const QUOTE_HEADS: readonly RegExp[] = [
  /^-{2,}\s?(?:original message|forwarded message|original|原始邮件|原邮件|转发邮件|转发的邮件|回复的原邮件)\s?-{2,}$/i,
  /^-{5,}\s?(?:begin forwarded message|原始邮件).{0,20}$/i,
  /^_{10,}$/,
  /^on\b.{5,200}\bwrote:?$/i,
  /^le\b.{5,200}\ba écrit ?:$/i,
  /^am\b.{5,200}\bschrieb.{0,100}:$/i,
  /^(?:在|于)?\s?\d{4}.{3,150}(?:写道|撰写|wrote)\s?[:：]$/,
  /^.{1,100}(?:于|在)\s?\d{4}.{3,100}(?:写道|撰写)\s?[:：]$/,
  /^at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, .{1,200} wrote:$/i,
]
/** The block of headers that Outlook and its kin put before a quote. */
const HEADER_LINE =
  /^\*?(?:from|sent|date|to|cc|subject|发件人|发送时间|发件时间|日期|时间|收件人|抄送|主题)\*?\s?[:：]/i
const FIRST_HEADER = /^\*?(?:from|发件人)\*?\s?[:：]/i
/** RFC 3676, section 4.3, and what programs write beneath mails by themselves. */
const SIGNATURE = /^(?:-- ?|—|__|\*{3,})$/
const SENT_FROM =
  /^(?:sent from (?:my|the) .{1,40}|sent from (?:outlook|mail|yahoo).{0,40}|get outlook for .{1,20}|发自我的.{1,20}|从我的.{1,20}发送|来自.{1,12}邮箱.{0,8}|发自.{1,12}邮箱.{0,8}|由.{1,15}发送)\.?$/i
const PARTING =
  /^(?:(?:best|kind|warm|many)\s?(?:regards|wishes|thanks)?|regards|thanks(?: and regards| again)?|thank you|cheers|sincerely|yours(?: truly| sincerely| faithfully)?|此致|敬礼|顺祝商祺|祝好|谢谢|多谢|祝.{1,8})[,.!，。！]?$/i
/** A name and a place to be reached: so short is what stands beneath a parting. */
const MAX_PARTING_LINES = 6
const MAX_PARTING_LINE = 60
const MAX_HEAD_LINES = 3
const MAX_HEAD = 320
/** The beginning of a head that may go on in the next line. */
const WRAPPED_HEAD = /^(?:on|at|am|le)\s|^(?:在|于)/i

/**
 * The words that somebody wrote into this mail: without what it quotes, and without the signature. Words that stand between or below
 * quoted lines are theirs, too. A mail of nothing but quotes stays as it is.
 */
export function ownWords(text: string): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
  const kept = withoutSignature(withoutQuotes(lines))
  const own = kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return own === '' ? text.trim() : own
}

function withoutQuotes(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const head = quoteHeadAt(lines, i)
    if (head === 0) {
      if (!isQuoted(lines[i] ?? '')) kept.push(lines[i] ?? '')
      continue
    }
    // Quoted lines follow that are marked: what stands below or between them is an answer to them.
    const next = lines.slice(i + head).find((line) => line.trim() !== '')
    if (next === undefined || !isQuoted(next)) break
    i += head - 1
  }
  return kept
}

function isQuoted(line: string): boolean {
  return /^\s{0,3}[>＞]/.test(line)
}

/** How many lines the head of a quote has that begins here; 0: none begins. Long ones are wrapped. */
function quoteHeadAt(lines: readonly string[], at: number): number {
  const first = (lines[at] ?? '').trim()
  if (first === '') return 0
  if (FIRST_HEADER.test(first)) {
    const block = lines.slice(at, at + 8).filter((line) => HEADER_LINE.test(line.trim()))
    return block.length >= 3 ? block.length : 0
  }
  const most = WRAPPED_HEAD.test(first) ? MAX_HEAD_LINES : 1
  for (let count = 1; count <= most; count++) {
    const wrapped = lines.slice(at, at + count).map((line) => line.trim())
    if (wrapped.includes('')) return 0
    const joined = wrapped.join(' ')
    if (joined.length <= MAX_HEAD && QUOTE_HEADS.some((head) => head.test(joined))) return count
  }
  return 0
}

function withoutSignature(lines: readonly string[]): string[] {
  const marked = lines.findIndex((line, i) => i > 0 && SIGNATURE.test(line))
  const unmarked = (marked === -1 ? lines : lines.slice(0, marked)).filter((line) => !SENT_FROM.test(line.trim()))
  const last = unmarked.findLastIndex((line) => line.trim() !== '')
  const parting = firstOfPartings(unmarked)
  const beneath = unmarked
    .slice(parting + 1, last + 1)
    .filter((line) => line.trim() !== '' && !PARTING.test(line.trim()))
  const isSignature =
    parting > 0 &&
    beneath.length <= MAX_PARTING_LINES &&
    beneath.every((line) => line.length <= MAX_PARTING_LINE && !/[?？]/.test(line))
  return isSignature ? unmarked.slice(0, parting) : unmarked
}

/** Of the last words of parting, which may be several lines; -1: there are none. */
function firstOfPartings(lines: readonly string[]): number {
  let first = lines.findLastIndex((line) => PARTING.test(line.trim()))
  for (let i = first - 1; i >= 0 && (lines[i]?.trim() === '' || PARTING.test(lines[i]?.trim() ?? '')); i--) {
    if (lines[i]?.trim() !== '') first = i
  }
  return first
}
