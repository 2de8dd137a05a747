import { recalling } from '../../../kernel/recalling.ts'
import { chitchatKindOf } from './chitchat.ts'
import type { IntentClassifier } from './classifier.ts'
import { confirmationOf } from './confirmation.ts'
import { emotionScoreOf } from './emotion.ts'
import { findEntities } from './entities.ts'
import { needsConversation } from './follow-up.ts'
import { humanRequestOf } from './human-request.ts'
import { normalise, settleRanking } from './intent-rules.ts'
import { languageOf, replyLanguageOf } from './language.ts'
import { sceneOf } from './scenes.ts'
import { sensitiveTopicOf } from './sensitive.ts'
import { splitTasks } from './splitting.ts'
import { fold, MAX_ANALYSED_LENGTH } from './text.ts'
import type {
  Entities,
  Intent,
  RankedIntent,
  Scene,
  SubTask,
  Turn,
  Understanding,
  UnderstandingContext,
} from './types.ts'

export { type IntentClassifier, trainIntentClassifier } from './classifier.ts'
export { loadIntentExamples } from './examples.ts'
export { rewriteFollowUp } from './rewriting.ts'
export * from './types.ts'

/** Reads a message. Pure: the same message, context and examples give the same result; it never throws. */
export type Understand = (message: string, context?: UnderstandingContext) => Understanding

/** Before anything was said. */
const OPENING = { lastIntent: 'unknown' } as const
const RECALLED = { maxEntries: 1_000, maxLength: 300 }
const MIN_HUMAN_CONFIDENCE = 0.7
const LETTER = /\p{L}/u

/** Binds a trained classifier; the result takes time linear in the message, of which the first 8,000 characters count. */
export function createUnderstand(classifier: IntentClassifier): Understand {
  // Most conversations begin with one of a few questions. What names a person or a day is read anew.
  const opening = recalling(
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

function read(classifier: IntentClassifier, message: string, context: UnderstandingContext): Read {
  const folded = fold(message)
  const entities = findEntities(folded, message, context.now)
  const confirmation = confirmationOf(folded)
  const isFollowUp = confirmation !== null || needsConversation(folded)
  const sensitiveTopic = sensitiveTopicOf(folded, entities.amounts, context.refundLimits)
  const emotionScore = emotionScoreOf(message)
  const readPart = (text: string): Reading => {
    // Most messages are one piece, and what was read in the whole of it need not be read again.
    const known = text === message ? { entities, emotionScore } : null
    return readPiece(classifier, text, { isFollowUp, lastIntent: context.lastIntent, sensitiveTopic, known })
  }
  const tasks = mergeRepeated(
    splitTasks(folded).map(({ start, end }) => readPart(message.slice(start, end))),
    message,
    readPart,
  )
  const intents = combine(tasks.length > 0 ? tasks : [readPart('')])
  return {
    intent: intents[0]!.intent,
    confidence: intents[0]!.confidence,
    intents,
    emotionScore,
    entities,
    wantsHuman: tasks.some((task) => task.wantsHuman),
    sensitiveTopic,
    chitchatKind: chitchatKindOf(folded) ?? (intents[0]!.intent === 'chitchat' ? 'small_talk' : null),
    isFollowUp,
    confirmation,
    ...workOf(tasks, entities),
    subTasks: tasks.map(({ subTask }) => subTask),
  }
}

type Reading = { subTask: SubTask; ranking: RankedIntent[]; wantsHuman: boolean }
type PieceContext = Pick<Understanding, 'isFollowUp' | 'sensitiveTopic'> & {
  lastIntent: Intent | undefined
  known: Pick<Understanding, 'entities' | 'emotionScore'> | null
}

function readPiece(classifier: IntentClassifier, text: string, context: PieceContext): Reading {
  const folded = fold(text)
  const { entities, emotionScore } = context.known ?? {
    entities: findEntities(folded, text),
    emotionScore: emotionScoreOf(text),
  }
  const ranking = classifier.rank(text)
  const wantsHuman = asksForHuman(classifier, folded, ranking)
  const settled = settleRanking(ranking, {
    wantsHuman,
    chitchatKind: chitchatKindOf(folded),
    sensitiveTopic: context.sensitiveTopic,
    emotionScore,
    isNumberOnly: isNumberOnly(folded, entities),
    isDependent: context.isFollowUp,
    lastIntent: context.lastIntent,
  })
  const { intent, confidence } = settled[0]!
  return {
    subTask: { question: text, intent, confidence, scene: sceneOf(folded, entities) },
    ranking: settled,
    wantsHuman,
  }
}

function asksForHuman(classifier: IntentClassifier, folded: string, ranking: readonly RankedIntent[]): boolean {
  const request = humanRequestOf(classifier.correct(folded))
  if (request !== 'none') return request === 'asked'
  return ranking[0]!.intent === 'human' && ranking[0]!.confidence >= MIN_HUMAN_CONFIDENCE
}

function isNumberOnly(folded: string, { orderNumbers, trackingNumbers }: Entities): boolean {
  if (orderNumbers.length + trackingNumbers.length === 0) return false
  const rest = folded
    .replace(/#? ?[a-z]{0,4}-?\d[\d-]{2,24}/g, '')
    .replace(/order|number|no\.|id|tracking|订单号?|单号|编号|是|it's|it is|my|the|is|我的|号码/g, '')
  return !LETTER.test(rest)
}

// "get me a person. a real person!" asks once, and one complaint may take five sentences.
const WITHOUT_PARTS: ReadonlySet<Intent> = new Set(['human', 'complaint', 'chitchat', 'unknown'])

/** Joins neighbours that are one matter: "I want to return it. I found it cheaper, so I want to return it" is one return. */
function mergeRepeated(readings: readonly Reading[], message: string, read: (text: string) => Reading): Reading[] {
  const merged: Reading[] = []
  let from = 0
  for (const reading of readings) {
    const previous = merged.at(-1)
    const start = message.indexOf(reading.subTask.question, from)
    from = start + reading.subTask.question.length
    if (previous === undefined || !belongTogether(previous.subTask, reading.subTask)) merged.push(reading)
    else merged[merged.length - 1] = read(message.slice(message.indexOf(previous.subTask.question), from))
  }
  return merged
}

const BACK_REFERENCE = /\b(?:it|them)\b|它/i

function belongTogether(previous: SubTask, next: SubTask): boolean {
  if (previous.intent !== next.intent) return false
  if (WITHOUT_PARTS.has(next.intent)) return true
  const isSameWork = previous.scene === next.scene || previous.scene === 'none'
  return next.scene !== 'none' && isSameWork && BACK_REFERENCE.test(next.question)
}

// The mean over the sub-tasks: a message with two matters is confidently about neither alone. A wish for a person leads.
function combine(readings: readonly Reading[]): RankedIntent[] {
  const human = readings.find(({ wantsHuman }) => wantsHuman)
  if (human !== undefined) return human.ranking
  if (readings.length === 1) return readings[0]!.ranking
  const sums = new Map<Intent, number>()
  for (const { ranking } of readings)
    for (const { intent, confidence } of ranking) sums.set(intent, (sums.get(intent) ?? 0) + confidence)
  return normalise([...sums].map(([intent, confidence]) => ({ intent, confidence })))
}

function workOf(readings: readonly Reading[], entities: Entities): Pick<Understanding, 'scene' | 'needsOwnRecords'> {
  const scenes = readings.map(({ subTask }) => subTask.scene)
  const scene = scenes.find((candidate): candidate is Exclude<Scene, 'none'> => candidate !== 'none') ?? 'none'
  return { scene, needsOwnRecords: scene !== 'none' || entities.orderNumbers.length > 0 }
}

function languagesOf(folded: string, turns: readonly Turn[]): Pick<Understanding, 'language' | 'replyLanguage'> {
  const previous = turns.filter(({ role }) => role === 'user').map(({ content }) => fold(content))
  const replyLanguage = replyLanguageOf(folded, previous)
  return { language: LETTER.test(folded) ? languageOf(folded) : replyLanguage, replyLanguage }
}
