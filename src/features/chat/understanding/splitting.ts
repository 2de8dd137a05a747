import { isHan, matchesOf } from '../../../language/fold.ts'
import { sentenceEnds } from '../../../language/sentences.ts'
import type { Span } from '../../../language/spans.ts'
import { chitchatKindOf } from './chitchat.ts'
import { type ClauseKind, clauseKindOf, isElliptic, wordedAs } from './requests.ts'

/** How a clause is joined to the one before it. */
type Joint = 'sentence' | 'item' | 'connector' | 'comma' | 'run_on'
type Clause = Span & { joint: Joint; kind: ClauseKind }

const MAX_TASKS = 8
const LOOK = 200
// Cuts of one sentence that are looked at: a sentence with more is a list of something, not of questions.
const MAX_CUTS = 100

const ITEM =
  /(?:^|[\n\s,。;:?!])(?:\(?\d{1,2}[.)、](?!\d)|[①-⑩]|[一二三四五六]、|第[一二三四五六](?:个(?:问题)?)?[,、是]|[-*•](?=\s))\s*/g
// A request may also end where no sentence does.
const PART_END = /:(?=\s)|;["')\]]*/g
const CONNECTOR =
  /(?:[,、\s]{0,6}(?:(?<![不没用需])另外|还有就是|还有(?=[,、怎如什我想请能可谁运发为多哪你那])|顺便|顺带|此外|以及|并且|同时|然后|最后|对了|其次|再就是|再问|还想|再帮|再一个|和(?=怎么|如何|什么时候|能不能|可以|为什么|多久|多少)))|[,\s]{1,6}(?:and also|and then|and|also|plus|as well as|oh and|by the way|btw|then|another thing|one more thing|finally|lastly|secondly|additionally|besides)(?=[\s,])|,|、/g
const RUN_ON =
  /(?<=[a-z0-9'] )(?=(?:where is|where are|where's|wheres|when will|when does|when can|how do i|how can i|how long|how much|how many|what is|what are|what's|whats|why is|why does|why did|can i|can you|could you|do you|is there|are there|i want to|i wanna|i'd like to|i need to)\b)|(?<=[吗呢])(?=[\u3400-\u9fff])/g
const WORD_BEFORE_RUN_ON =
  /\b(?:know|tell|me|ask|asking|wonder|wondering|sure|see|understand|explain|about|idea|if|whether|that|when|because|what|of|and|or|but|so|how|where|why|which|who|while|since|until|before|after|as|then|than|for|to|please|also|hi|hello|hey|um|uh|determine|out|figure|check|change|decide|calculate|learn|show|confirm|remember|forget|forgot|matter|depends|on|exactly|just|regarding|say|says|said|like)$/
const LEADING_JUNK =
  /^(?:[\s,.。、;:!~-]|(?:and also|and then|and|also|plus|as well as|oh and|by the way|btw|then|another thing|one more thing|finally|lastly|secondly|additionally|besides)(?=[\s,])|另外|还有就是|还有(?=[,、怎如什我想请能可谁运发为多哪你那])|顺便|顺带|此外|以及|并且|同时|然后|对了|其次|再就是|和(?=怎|如|什|能|可|为|多))+/
const TRAILING_JUNK = /[\s,、;:]/
// «不用转人工，告诉我退货期限是几天就行»: the question is in the middle.
const REFUSED_PERSON =
  /^(?:不用|不需要|不必|不要|别|无需)(?:给我|帮我)?(?:转|找|接|叫)?(?:人工|客服|真人)(?:客服|服务)?了?,\s*(?!你?告诉我就)你?(?:直接)?(?:告诉我|说)?(?=[^,]{4})/
const CONTENT_WITH_LESS = /(?:就行|就好|就可以)了?[.。!~]*$/
const FALLBACK =
  /^(?:[\s,]|and|but|or|so)*(?:if\b|otherwise\b|unless\b|or else\b|in case\b|如果|要是|假如|否则|不然|实在不行|不行的?话|没有的?话|万一)|^[\s,]*(?:but|however|但是?|不过|只是)(?![a-z])/
const ADDED =
  /^(?:[\s,]|and|oh)*(?:also\b|additionally\b|another (?:thing|problem|issue)\b|besides\b|secondly\b|i also\b|另外|还有|其次|此外)/
const VERB_BEFORE_AND =
  /\b(?:cancel|return|refund|exchange|replace|swap|change|modify|update|send|ship|deliver|track|check|add|remove|delete|order|buy|sell|wash|clean|repair|install|go|come|try|between|both|wait)$/
const NOUN_BEFORE_AND =
  /\b(?:my|the|an?|your|our|this|that|any|last|first|second|new|old|recent)(?: [a-z-]{1,20})? [a-z]{1,20}$/
// "if so, how?" hangs on the request before it even as a question.
const IF_SO =
  /^(?:[\s,]|and|but|or|so)*(?:if (?:so|yes|not|no|possible|it is|that is|available)\b|(?:如果|要是)(?:支持|可以|能|有|行|不|没|是)[^,]{0,4},)/

/**
 * Cuts a message into the things it asks for: one span when it asks one thing (or nothing), at most eight. Statements go with the
 * request that they explain, "if that is not possible …" with the request before it, greetings and thanks fall away.
 * Takes time linear in the length.
 *
 * @param folded the message as `fold` returns it; the spans hold in the original as well
 */
export function splitTasks(folded: string): Span[] {
  const clauses = cutSentences(folded).flatMap((sentence) => cutClauses(folded, sentence))
  const matter = clauses.filter((clause) => chitchatKindOf(textOf(folded, clause)) === null)
  const tasks = group(folded, matter.length > 0 ? matter : clauses).map((span) => tidy(folded, span))
  const kept = tasks.filter(({ start, end }) => end > start)
  return kept.length > 0 ? kept : wholeOf(folded)
}

function textOf(folded: string, { start, end }: Span): string {
  return folded.slice(start, end)
}

function wholeOf(folded: string): Span[] {
  const whole = tidy(folded, { start: 0, end: folded.length })
  if (whole.end > whole.start) return [whole]
  const start = folded.length - folded.trimStart().length
  const end = folded.trimEnd().length
  return end > start ? [{ start, end }] : []
}

function cutSentences(folded: string): (Span & { joint: Joint })[] {
  const items = [...folded.matchAll(ITEM)]
  if (items.length < 2) return sentencesOf(folded, { start: 0, end: folded.length }, 'sentence')
  const starts = items.map((item) => item.index + item[0].length)
  const intro = sentencesOf(folded, { start: 0, end: items[0]!.index + 1 }, 'sentence')
  const listed = starts.flatMap((start, index) =>
    sentencesOf(folded, { start, end: items[index + 1]?.index ?? folded.length }, 'item'),
  )
  return [...intro.filter((span) => clauseKindOf(textOf(folded, span)) !== 'statement'), ...listed]
}

function sentencesOf(folded: string, range: Span, first: Joint): (Span & { joint: Joint })[] {
  const text = textOf(folded, range)
  const parts = matchesOf(PART_END, text).map((match) => match.index + match[0].length)
  const ends = [...sentenceEnds(text), ...parts, text.length].sort((a, b) => a - b)
  return ends
    .map((end, index) => ({ start: range.start + (ends[index - 1] ?? 0), end: range.start + end }))
    .filter((span) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(textOf(folded, span)))
    .map((span, index) => ({ ...span, joint: index === 0 ? first : 'sentence' }))
}

/** `isStrong`: the connecting word stands after a comma, as before a new matter. */
type Cut = { at: number; length: number; joint: Joint; isStrong: boolean }

function cutClauses(folded: string, sentence: Span & { joint: Joint }): Clause[] {
  const text = textOf(folded, sentence)
  const clauses: Clause[] = []
  let start = 0
  let joint = sentence.joint
  for (const cut of cutsOf(text)) {
    if (cut.at <= start || !separates(text.slice(start, cut.at), text.slice(cut.at, cut.at + LOOK), cut)) continue
    clauses.push(toClause(sentence.start, start, cut.at, joint, text))
    start = cut.at
    joint = cut.joint
  }
  clauses.push(toClause(sentence.start, start, text.length, joint, text))
  return clauses
}

function toClause(offset: number, start: number, end: number, joint: Joint, text: string): Clause {
  const clause = text.slice(start, end).replace(LEADING_JUNK, '')
  return { start: offset + start, end: offset + end, joint, kind: clauseKindOf(clause) }
}

function cutsOf(text: string): Cut[] {
  const joined = [...text.matchAll(CONNECTOR)].map(
    (match): Cut => ({
      at: match.index,
      length: match[0].length,
      joint: match[0] === ',' || match[0] === '、' ? 'comma' : 'connector',
      isStrong:
        /^[^,、]*[,、].*(?:另外|还有|顺便|顺带|此外|对了|其次|再|also|plus|btw|by the way|another|one more|finally|lastly)/.test(
          match[0],
        ),
    }),
  )
  const runOn = [...text.matchAll(RUN_ON)].map(
    (match): Cut => ({
      at: match.index,
      length: 0,
      joint: 'run_on',
      isStrong: false,
    }),
  )
  return [...joined, ...runOn].sort((a, b) => a.at - b.at).slice(0, MAX_CUTS)
}

/** True when both sides of a cut ask for something of their own. */
function separates(before: string, after: string, cut: Cut): boolean {
  const left = before.slice(-LOOK).replace(LEADING_JUNK, '')
  const right = after.slice(cut.length).replace(LEADING_JUNK, '')
  if (chitchatKindOf(left) !== null && isClauseLike(right)) return true
  if (isElliptic(left) || isElliptic(right) || FALLBACK.test(left) || FALLBACK.test(right)) return false
  const leftKind = wordedAs(left)
  const rightKind = wordedAs(right)
  if (rightKind === 'statement' || (leftKind === 'statement' && !cut.isStrong)) return false
  if (cut.joint === 'comma') return separatesAtComma(leftKind, rightKind, left, right)
  if (cut.joint === 'run_on') return separatesRunOn(left, right)
  return isHan(right.trimStart()[0] ?? '') || separatesAtAnd(left, leftKind)
}

function isClauseLike(right: string): boolean {
  return right.trim().length > 2
}

// «怎么只有最近几张，去年的哪去了»: of the same things; "what about the opposite, when it goes quiet?" explains itself.
const HANGS_ON = /^[\u3400-\u9fff]{1,4}的(?:呢|在?哪|怎么|去|咋)/
const WHAT_ABOUT = /^(?:and |but |so )?(?:what|how) about\b/
const CIRCUMSTANCE = /^(?:when|if|while|where)\b(?! (?:do|does|can|will|is|are|should)\b)/

// "I want to return this, who pays?" is one matter; "who pays, and where do I send it" are two.
function separatesAtComma(left: ClauseKind, right: ClauseKind, before: string, after: string): boolean {
  if (left === 'desire' && right === 'question') return false
  if (HANGS_ON.test(after) || (WHAT_ABOUT.test(before) && CIRCUMSTANCE.test(after))) return false
  if (/^(?:会不会|是不是|对不对|好不好|行不行)/.test(after)) return false
  return wordsOrHan(before) >= 3 && wordsOrHan(after) >= 3
}

function separatesRunOn(left: string, right: string): boolean {
  const before = left.trimEnd()
  if (isHan(before.at(-1) ?? '')) return wordsOrHan(before) >= 4 && wordsOrHan(right) >= 4
  return wordsOrHan(before) >= 4 && !WORD_BEFORE_RUN_ON.test(before) && hasVerb(before)
}

// "what payment methods" has none yet: the question is still going on.
function hasVerb(before: string): boolean {
  return /\b(?:is|are|am|was|were|do|does|did|can|could|will|would|should|has|have|had|want|need|like|get|cancel|return|refund|exchange|track|change|order|buy|[a-z]+'s|[a-z]+n't|i)\b/.test(
    before,
  )
}

function separatesAtAnd(left: string, kind: ClauseKind): boolean {
  const before = left.trimEnd()
  if (VERB_BEFORE_AND.test(before) && !NOUN_BEFORE_AND.test(before)) return false
  return wordsOrHan(before) >= (kind === 'desire' ? 2 : 3)
}

function wordsOrHan(text: string): number {
  return (text.match(/[\u3400-\u9fff]|[a-z0-9#']+/g) ?? []).length
}

type Task = { start: number; end: number; asks: boolean; joint: Joint }

function group(folded: string, clauses: readonly Clause[]): Span[] {
  const tasks: Task[] = []
  for (const clause of clauses) {
    const previous = tasks.at(-1)
    if (previous === undefined || startsTask(folded, clause, previous)) tasks.push(toTask(folded, clause))
    else {
      previous.end = clause.end
      previous.asks ||= clause.kind !== 'statement'
    }
  }
  return limit(tasks)
}

function toTask(folded: string, clause: Clause): Task {
  const text = textOf(folded, clause)
  return {
    start: clause.start,
    end: clause.end,
    joint: clause.joint,
    asks: clause.joint === 'item' || ADDED.test(text) || (clause.kind !== 'statement' && !isElliptic(text)),
  }
}

function startsTask(folded: string, clause: Clause, previous: Task): boolean {
  if (clause.joint === 'item') return true
  const text = textOf(folded, clause)
  if (!previous.asks) return ADDED.test(text) && !isElliptic(text.replace(LEADING_JUNK, ''))
  if (IF_SO.test(text) || (FALLBACK.test(text) && !text.trimEnd().endsWith('?'))) return false
  if (isElliptic(text.replace(LEADING_JUNK, ''))) return false
  return clause.kind !== 'statement' || (ADDED.test(text) && clause.joint === 'sentence')
}

function limit(tasks: readonly Task[]): Span[] {
  if (tasks.length <= MAX_TASKS) return [...tasks]
  const last = { start: tasks[MAX_TASKS - 1]!.start, end: tasks.at(-1)!.end }
  return [...tasks.slice(0, MAX_TASKS - 1), last]
}

/** Takes connecting words, white space and stray marks off both ends. */
function tidy(folded: string, { start, end }: Span): Span {
  const text = folded.slice(start, end)
  const refused = REFUSED_PERSON.exec(text)?.[0].length ?? 0
  const lead = refused > 0 ? refused : (LEADING_JUNK.exec(text)?.[0].length ?? 0)
  let stop = refused > 0 ? end - (CONTENT_WITH_LESS.exec(text)?.[0].length ?? 0) : end
  while (stop > start + lead && TRAILING_JUNK.test(folded[stop - 1]!)) stop--
  return { start: start + lead, end: stop }
}
