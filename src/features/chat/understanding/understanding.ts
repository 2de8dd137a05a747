import { memoize } from '../../../kernel/memoize.ts'
import { emotionScoreOf } from '../../../language/emotion.ts'
import { countHan, fold, MAX_ANALYSED_LENGTH } from '../../../language/fold.ts'
import { needsConversation, refersBack } from '../../../language/follow-up.ts'
import { languageOf, replyLanguageOf } from '../../../language/languages.ts'
import { readOrderTalk } from '../../../language/order-talk.ts'
import type { Span } from '../../../language/spans.ts'
import type {
  Intent,
  RankedIntent,
  SubTask,
  Turn,
  Understanding,
  UnderstandingContext,
} from '../../../language/understanding.ts'
import { type Finding, findPersonal, findReferences } from '../../../privacy/index.ts'
import { chitchatKindOf } from './chitchat.ts'
import type { IntentClassifier } from './classifier.ts'
import { findEntities } from './entities.ts'
import { awaitsPerson, humanRequestOf } from './human-request.ts'
import { normalise, settleRanking } from './intent-rules.ts'
import { sensitiveTopicOf } from './sensitive.ts'
import { splitTasks } from './splitting.ts'

/** Reads a message. Pure: the same message, context and examples give the same result; it never throws. */
export type Understand = (message: string, context?: UnderstandingContext) => Understanding

/** Before anything was said. */
const OPENING = { lastIntent: 'unknown' } as const
const RECALLED = { maxEntries: 1_000, maxLength: 300 }
const MIN_HUMAN_CONFIDENCE = 0.7
const MAX_UNNAMED = { han: 20, latin: 100 }
const LETTER = /\p{L}/u

/** Binds a trained classifier; the result takes time linear in the message, of which the first 8,000 characters count. */
export function createUnderstand(classifier: IntentClassifier): Understand {
  // Most conversations begin with one of a few questions. A message that names a person or a day is read anew.
  const opening = memoize(
    (text): Understanding => ({ ...read(classifier, text, OPENING), ...languagesOf(fold(text), []) }),
    {
      ...RECALLED,
      keep: (_, { entities }) => Object.values(entities).every((found) => found.length === 0),
    },
  )
  return (message, context = {}) => {
    const text = message.slice(0, MAX_ANALYSED_LENGTH)
    const before = context.previousTurns ?? []
    const isOpening = context.lastIntent === OPENING.lastIntent && !context.refundLimits && before.length === 0
    const known = isOpening ? opening(text) : null
    if (known && known.entities.dates.length === 0) return known
    return { ...read(classifier, text, context), ...languagesOf(fold(text), before) }
  }
}

/** Everything but the languages, which lean on what was said before. */
type Read = Omit<Understanding, 'language' | 'replyLanguage'>

/** Meaning of the words of a text by themselves, of a whole message as of a part of it. */
type Facts = Pick<Understanding, 'emotionScore' | 'orders'> & { folded: string; personal: Finding[] }

function factsOf(text: string): Facts {
  const personal = findPersonal(text)
  const orders = readOrderTalk(text, findReferences(text, personal))
  return { folded: fold(text), emotionScore: emotionScoreOf(text), orders, personal }
}

function read(classifier: IntentClassifier, message: string, context: UnderstandingContext): Read {
  const facts = factsOf(message)
  const { folded, emotionScore, orders } = facts
  const entities = findEntities(folded, message, facts.personal, context.now)
  const isFollowUp = isAnswer({ orders }) || needsConversation(folded)
  const sensitiveTopic = sensitiveTopicOf(folded, entities.amounts, context.refundLimits)
  const readPart = (span: Span): Part => {
    const question = message.slice(span.start, span.end)
    // Most messages are one piece, and what was read in the whole of it need not be read again.
    const own = question === message ? facts : factsOf(question)
    const ranking = classifier.rank(question)
    const settled = settleRanking(ranking, {
      wantsHuman: asksForHuman(classifier, own.folded, ranking),
      chitchatKind: chitchatKindOf(own.folded),
      sensitiveTopic,
      emotionScore: own.emotionScore,
      isNumberOnly: isNumberOnly(own),
      isDependent: isFollowUp,
      isReaction: isAnswer(own) || own.orders.choice !== null,
      lastIntent: context.lastIntent,
    })
    return { ...span, ranking: settled, subTask: asSubTask(question, { ...settled[0]!, orders: own.orders }) }
  }
  const parts = mergeRepeated(splitTasks(folded).map(readPart), readPart)
  const intents = combine(parts.length > 0 ? parts : [readPart({ start: 0, end: 0 })])
  const { intent, confidence } = intents[0]!
  return {
    intent,
    confidence,
    intents,
    emotionScore,
    entities,
    orders,
    wantsHuman: intent === 'human',
    awaitsPerson: awaitsPerson(folded),
    sensitiveTopic,
    chitchatKind: chitchatKindOf(folded) ?? (intent === 'chitchat' ? 'small_talk' : null),
    isFollowUp,
    standalone: null,
    subTasks: parts.map(({ subTask }) => subTask),
  }
}

/** A plain yes or no, which is an answer to something; a doubtful one may ask for more. */
export function isAnswer({ orders: { consent } }: Pick<Understanding, 'orders'>): boolean {
  return consent === 'yes' || consent === 'no'
}

/** A message by which a person is called: it asks for nothing else, whatever else it says. */
export function asCall(message: string, read: Understanding): Understanding {
  const whole = { intent: 'human', confidence: 1, orders: { ...read.orders, scene: 'none' } } as const
  const subTasks = [asSubTask(message, whole)]
  return { ...read, ...whole, wantsHuman: true, chitchatKind: null, isFollowUp: false, standalone: null, subTasks }
}

/** A message or a part of it as the one thing that is asked for. */
export function asSubTask(question: string, read: Pick<Understanding, 'intent' | 'confidence' | 'orders'>): SubTask {
  const { intent, confidence, orders } = read
  return { question, intent, confidence, orders, refersBack: refersBack(fold(question)) }
}

/** A piece of the message that asks for something of its own. */
type Part = Span & { subTask: SubTask; ranking: RankedIntent[] }

function asksForHuman(classifier: IntentClassifier, folded: string, ranking: readonly RankedIntent[]): boolean {
  const request = humanRequestOf(classifier.correct(folded))
  if (request !== 'none') return request === 'asked'
  // The longer a message that names no person, the likelier is it about something else ("forwarded to three colleagues").
  if (folded.length > (countHan(folded) > 0 ? MAX_UNNAMED.han : MAX_UNNAMED.latin)) return false
  return ranking[0]!.intent === 'human' && ranking[0]!.confidence >= MIN_HUMAN_CONFIDENCE
}

function isNumberOnly({ folded, orders }: Facts): boolean {
  if (orders.references.length === 0) return false
  const rest = folded
    .replace(/#? ?[a-z]{0,4}-?\d[\d-]{2,24}/g, '')
    .replace(/order|number|no\.|id|tracking|订单号?|单号|编号|是|it's|it is|my|the|is|我的|号码/g, '')
  return !LETTER.test(rest)
}

// "get me a person. a real person!" asks once, and one complaint may take five sentences.
const WITHOUT_PARTS: ReadonlySet<Intent> = new Set(['human', 'complaint', 'chitchat', 'unknown'])

/** Joins neighbours that are one matter: "I want to return it. I found it cheaper, so I want to return it" is one return. */
function mergeRepeated(parts: readonly Part[], readPart: (span: Span) => Part): Part[] {
  const merged: Part[] = []
  for (const part of parts) {
    const previous = merged.at(-1)
    if (previous === undefined || !belongTogether(previous.subTask, part.subTask)) merged.push(part)
    else merged[merged.length - 1] = readPart({ start: previous.start, end: part.end })
  }
  return merged
}

// "cancel the filter, I still want the vacuum" and «净化器呢，到哪了» are one matter.
const KEEPS = /\bkeep\b|\bstill (?:want|need)\b|留着|还要|照常|不退|不取消/i
const SUBJECT_ALONE = /^.{1,8}呢$/

const BACK_REFERENCE = /\b(?:it|them)\b|它/i

function belongTogether(previous: SubTask, next: SubTask): boolean {
  const acts = previous.orders.asks === 'change' || previous.orders.leaning?.asks === 'change'
  const isToo = next.orders.asks === 'change' && KEEPS.test(previous.question)
  if ((acts && KEEPS.test(next.question)) || isToo || SUBJECT_ALONE.test(previous.question)) return true
  if (previous.intent !== next.intent) return false
  if (WITHOUT_PARTS.has(next.intent)) return true
  const [before, scene] = [previous.orders.scene, next.orders.scene]
  return scene !== 'none' && (before === scene || before === 'none') && BACK_REFERENCE.test(next.question)
}

// The mean over the parts: a message with two matters is confidently about neither alone. A wish for a person leads.
function combine(parts: readonly Part[]): RankedIntent[] {
  const human = parts.find(({ subTask }) => subTask.intent === 'human')
  if (human !== undefined) return human.ranking
  if (parts.length === 1) return parts[0]!.ranking
  const sums = new Map<Intent, number>()
  for (const { ranking } of parts)
    for (const { intent, confidence } of ranking) sums.set(intent, (sums.get(intent) ?? 0) + confidence)
  return normalise([...sums].map(([intent, confidence]) => ({ intent, confidence })))
}

function languagesOf(folded: string, turns: readonly Turn[]): Pick<Understanding, 'language' | 'replyLanguage'> {
  const previous = turns.filter(({ role }) => role === 'user').map(({ content }) => fold(content))
  const replyLanguage = replyLanguageOf(folded, previous)
  return { language: LETTER.test(folded) ? languageOf(folded) : replyLanguage, replyLanguage }
}
