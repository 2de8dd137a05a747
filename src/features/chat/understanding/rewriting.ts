import { countHan, fold } from '../../../language/fold.ts'
import { asksPriceAlone, needsConversation } from '../../../language/follow-up.ts'
import { namesPlaceOrPayment, replaceAt, sharedSlot, stripMarks } from '../../../language/slots.ts'
import { lacksSubject } from './requests.ts'
import { rewriteChinese, topicsOf as topicsIn } from './rewriting-chinese.ts'
import { rewriteEnglish } from './rewriting-english.ts'
import { splitTasks } from './splitting.ts'

const MAX_READINGS = 3
const LOOK_BACK = 5
const MAX_QUESTION_LENGTH = 300

/**
 * Rewrites a follow-up so that it stands alone: "and for electronics?" after "What is the return window?" becomes "What is the
 * return window for electronics?". One result: the message itself when it needs nothing, or its only reading. Several results are
 * equally likely (the question before asked two things, or named two goods): ask the customer which is meant.
 *
 * @param previousQuestions the customer's earlier messages, oldest first; follow-ups among them are resolved on the way
 */
export function rewriteFollowUp(message: string, previousQuestions: readonly string[]): string[] {
  const recent = previousQuestions.slice(-LOOK_BACK).map((question) => question.trim().slice(0, MAX_QUESTION_LENGTH))
  let bases: string[] = []
  for (const question of recent) {
    if (question === '') continue
    bases = needsConversation(fold(question)) && bases.length > 0 ? readingsOf(question, bases) : partsOf(question)
  }
  const text = message.trim()
  return bases.length > 0 && needsConversation(fold(text)) ? readingsOf(text, bases) : [message]
}

/**
 * A part of a message as it stands alone: 期限是多久 after 发票可以补开吗 asks for the invoice's deadline. The subject
 * of the part before is put in front of a part that has no subject of its own.
 *
 * @param before the part before it, as that one stands alone
 */
export function inheritSubject(part: string, before: string): string {
  const folded = fold(part)
  if (!lacksSubject(folded) && !needsConversation(folded)) return part
  const asked = before.trim().replace(/[吗呢么]?[\s?？!！。.,，~]{0,20}$/, '')
  return joined(asked, part)
}

/** 运费谁出 after 怎么退货 may mean 退货运费谁出; null: nothing can be put in front (English does not). */
export function withTopicOf(part: string, before: string): string | null {
  if (countHan(part) === 0) return null
  const [topic] = topicsIn(before)
  return topic === undefined || part.includes(topic) ? null : `${topic}${part}`
}

/**
 * The question before with the place, day or means of this one: "Do you deliver to Singapore?" for "How long does it take to
 * Singapore?" after "Do you deliver to Hong Kong?". Where the one was answered the other often is; null: they share none.
 */
export function withOtherCircumstance(message: string, previousQuestions: readonly string[]): string | null {
  const before = lastOf(previousQuestions)
  const shared = sharedSlot(message, before)
  return shared && replaceAt(before, shared.other, message.slice(shared.own.start, shared.own.end))
}

/**
 * A price asked for after a question that names a place or a payment is that of it: 运费多少 after 能寄到香港吗, "what is the
 * fee?" after "can I pay in instalments?". Null: the question before names neither, or this one says what it is about.
 */
export function withPlaceBefore(message: string, previousQuestions: readonly string[]): string | null {
  const before = lastOf(previousQuestions)
  if (!asksPriceAlone(fold(message)) || !namesPlaceOrPayment(fold(before))) return null
  return joined(stripMarks(before), message.trim())
}

function lastOf(previousQuestions: readonly string[]): string {
  return previousQuestions.at(-1)?.slice(0, MAX_QUESTION_LENGTH) ?? ''
}

function joined(before: string, message: string): string {
  return `${before}${countHan(message) > 0 ? '，' : ', '}${message}`
}

function partsOf(question: string): string[] {
  return splitTasks(fold(question)).map(({ start, end }) => question.slice(start, end))
}

function readingsOf(message: string, bases: readonly string[]): string[] {
  const readings = bases.flatMap((base) => rewriteOne(message, base))
  const distinct = [...new Set(readings)].slice(0, MAX_READINGS)
  return distinct.length > 0 ? distinct : [message]
}

function rewriteOne(message: string, base: string): string[] {
  return countHan(message) > 0 ? rewriteChinese(message, base) : rewriteEnglish(message, base)
}
