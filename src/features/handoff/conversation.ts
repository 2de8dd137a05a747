import { excerpt, keySentences, withoutRepeats } from '../../language/key-sentences.ts'
import { splitSentences } from '../../language/sentences.ts'
import type { Source, StoredMessage } from '../sessions/index.ts'

export type CardSource = Pick<Source, 'source' | 'score'>

/** A message as the card needs it. A reply that was not confident did not settle the question. */
export type CardMessage = Pick<StoredMessage, 'role' | 'content' | 'intent' | 'sources' | 'details'>

export type AttemptedAnswer = { question: string; answer: string; sources: CardSource[] }

/** A customer's message and the last reply to it: a notice that the answer takes long may come before the answer. */
type Exchange = { message: CardMessage; reply: CardMessage | null }

/** The same without greetings and calls for a person. */
type Matter = { question: string; reply: CardMessage | null }

/** `maskText` replaces personal data; `asksForPerson` tells sentences that only call for a person and say nothing else. */
export type DigestHelpers = { maskText: (text: string) => string; asksForPerson: (sentence: string) => boolean }

const MAX_SENTENCE = 200
const MAX_QUESTION = 500
const MAX_ANSWER = 1000
const MAX_ITEMS = 5

/** Exchanges that are looked at: the first, for how it began, and the latest. A card lists five of anything. */
const MAX_EXCHANGES = 40

/** The matter of a conversation, cut out of it word for word. All texts are single-spaced and bounded in number and length. */
export type ConversationDigest = {
  /** The customer's wish in their words; the last message where it says nothing but "a person, please". */
  customerRequest: string
  summary: string[]
  openQuestions: string[]
  attemptedAnswers: AttemptedAnswer[]
  sources: CardSource[]
}

/**
 * Digests `messages`, oldest first, from the start of the conversation or from the last resolution. Texts are masked before
 * they are cut to length: half a phone number would no longer look like one.
 */
export function digestConversation(messages: readonly CardMessage[], helpers: DigestHelpers): ConversationDigest {
  const mask = (message: CardMessage) => maskMessage(message, helpers.maskText)
  const exchanges = bounded(pairExchanges(messages)).map(({ message, reply }) => {
    return { message: mask(message), reply: reply && mask(reply) }
  })
  const matters = exchanges.map(({ message, reply }) => ({ question: matterOf(message, helpers.asksForPerson), reply }))
  const relevant = matters.filter(({ question }) => question !== '')
  const attemptedAnswers = relevant.flatMap(attemptsOf).slice(-MAX_ITEMS)
  const customerRequest = relevant.at(-1)?.question ?? exchanges.at(-1)?.message.content ?? ''
  return {
    customerRequest: excerpt(customerRequest, MAX_QUESTION),
    summary: summarise(relevant),
    openQuestions: openQuestionsOf(relevant),
    attemptedAnswers,
    sources: mergeSources(attemptedAnswers.flatMap(({ sources }) => sources)),
  }
}

function pairExchanges(messages: readonly CardMessage[]): Exchange[] {
  const exchanges: Exchange[] = []
  for (const message of messages) {
    const current = exchanges.at(-1)
    if (message.role === 'user') exchanges.push({ message, reply: null })
    else if (message.role !== 'system' && current) current.reply = message
  }
  return exchanges
}

function bounded(exchanges: readonly Exchange[]): readonly Exchange[] {
  if (exchanges.length <= MAX_EXCHANGES) return exchanges
  return [...exchanges.slice(0, 1), ...exchanges.slice(1 - MAX_EXCHANGES)]
}

function maskMessage(message: CardMessage, maskText: (text: string) => string): CardMessage {
  const { content, details } = message
  const subTasks = details.subTasks?.map((task) => ({
    ...task,
    question: maskText(task.question),
    answer: maskText(task.answer),
  }))
  return { ...message, content: maskText(content), details: { ...details, ...(subTasks && { subTasks }) } }
}

/** The part of a message that is about something; empty for small talk. */
function matterOf(message: CardMessage, asksForPerson: (sentence: string) => boolean): string {
  if (message.intent === 'chitchat') return ''
  return splitSentences(message.content)
    .filter((sentence) => !asksForPerson(sentence))
    .join(' ')
}

function attemptsOf({ question, reply }: Matter): AttemptedAnswer[] {
  if (reply?.role !== 'assistant') return []
  const parts = reply.details.subTasks ?? []
  if (parts.length < 2) return [attempt(question, reply.content, reply.sources)]
  const answered = parts.filter(({ answer }) => answer.trim() !== '')
  return answered.map((part) => attempt(part.question, part.answer, part.sources))
}

function attempt(question: string, answer: string, sources: readonly CardSource[] | null): AttemptedAnswer {
  const copied = (sources ?? []).map(({ source, score }) => ({ source, score }))
  return { question: excerpt(question, MAX_QUESTION), answer: excerpt(answer, MAX_ANSWER), sources: copied }
}

/** Questions that nobody answered with confidence, nor later when they were asked again; the latest few. */
function openQuestionsOf(matters: readonly Matter[]): string[] {
  const asked = matters.flatMap(questionsOf)
  // The last time a question was asked decides whether it is settled, so repeats are dropped from the end.
  const latest = withoutRepeats([...asked].reverse(), ({ question }) => question).reverse()
  return latest
    .filter(({ isOpen }) => isOpen)
    .map(({ question }) => question)
    .slice(-MAX_ITEMS)
}

function questionsOf({ question, reply }: Matter): { question: string; isOpen: boolean }[] {
  const cut = (text: string) => excerpt(text, MAX_QUESTION)
  if (reply?.role === 'agent') return [{ question: cut(question), isOpen: false }]
  const parts = reply?.details.subTasks ?? []
  if (parts.length > 1) return parts.map((part) => ({ question: cut(part.question), isOpen: part.status !== 'done' }))
  return [{ question: cut(question), isOpen: reply?.details.confident !== true }]
}

function summarise(matters: readonly Matter[]): string[] {
  const sentences = matters.flatMap(({ question }) => splitSentences(question))
  return keySentences(
    sentences.map((sentence) => excerpt(sentence, MAX_SENTENCE)),
    MAX_ITEMS,
  )
}

/** Each source once, with its best score, best first. */
function mergeSources(sources: readonly CardSource[]): CardSource[] {
  const best = new Map<string, number>()
  for (const { source, score } of sources) best.set(source, Math.max(score, best.get(source) ?? 0))
  return [...best].map(([source, score]) => ({ source, score })).sort((a, b) => b.score - a.score)
}
