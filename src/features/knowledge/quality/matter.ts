import { QUALIFIER } from './claims.ts'
import type { Statement } from './statements.ts'
import { countMissing, similarity, type Weight } from './term-sets.ts'

/** Whether two statements measure the same thing, so that different values contradict each other. */

/** Numbers this close are one number, written as 30 days here and as a month there. */
const DURATION_TOLERANCE = 0.05

/** Equal within the tolerance, or a number within a range: "3 to 5 days" and "5 days" do not contradict. */
export function agree(a: Statement, b: Statement): boolean {
  const slack = a.kind === 'duration' ? DURATION_TOLERANCE : 0
  const aInB = a.low >= b.low * (1 - slack) && a.high <= b.high * (1 + slack)
  const bInA = b.low >= a.low * (1 - slack) && b.high <= a.high * (1 + slack)
  return (aInB && bInA) || (aInB && a.low === a.high) || (bInA && b.low === b.high)
}

/** Cheap conditions under which two statements can be compared at all. */
export function isComparable(a: Statement, b: Statement): boolean {
  return (
    a.measure === b.measure &&
    a.codes === b.codes &&
    a.topicCodes === b.topicCodes &&
    (a.category === 0 || b.category === 0 || a.category === b.category) &&
    (a.version === 0 || b.version === 0 || a.version === b.version) &&
    (a.bound === b.bound || a.bound === 'exact' || b.bound === 'exact') &&
    qualifiersFit(a, b)
  )
}

const ALWAYS = QUALIFIER.not | QUALIFIER.except | QUALIFIER.each
const TIME = QUALIFIER.before | QUALIFIER.after

function qualifiersFit(a: Statement, b: Statement): boolean {
  const differing = a.qualifiers ^ b.qualifiers
  if (a.kind === 'permission') return differing === 0
  // "Within 7 days" and "within 7 days after delivery" may be the same; before and after are not.
  return (differing & ALWAYS) === 0 && (differing & TIME) !== TIME
}

/**
 * How clearly two comparable statements are about the same matter, 0: not at all. They are when they use the same words;
 * or answer the same question in partly other words; or, where headings differ, are nearly the same sentence that is
 * long enough to have a matter of its own.
 */
export function sameMatter(a: Statement, b: Statement, weight: Weight): number {
  const sentence = similarity(a.about, b.about, weight)
  if (sentence < LEAST_SIMILAR || nameDifferentThings(a, b)) return 0
  const topic = similarity(a.topic, b.topic, weight)
  const needed = a.kind === 'permission' ? neededOfPermission(a, b, topic) : neededOfQuantity(a, b, topic)
  return sentence >= needed ? sentence + topic : 0
}

const LEAST_SIMILAR = 0.25
const NEVER = Number.POSITIVE_INFINITY

/** How similar the sentences must be, given how similar what stands above them is. */
function neededOfQuantity(a: Statement, b: Statement, topic: number): number {
  if (topic >= 0.9) return Math.min(a.topic.length, b.topic.length) >= 3 ? LEAST_SIMILAR : 0.35
  // "Delivery to Beijing" and "delivery to Lhasa" have much in common too.
  const headingsVary = countMissing(a.topic, b.topic) > 0 && countMissing(b.topic, a.topic) > 0
  if (topic >= (headingsVary ? 0.75 : 0.6)) return 0.5
  if (Math.min(a.length, b.length) < 3) return NEVER
  return topic >= 0.3 ? 0.75 : 0.8
}

/** Rules and their exceptions differ by a word, so a permission is compared strictly. */
function neededOfPermission(a: Statement, b: Statement, topic: number): number {
  if (Math.min(a.about.length, b.about.length) < 2) return NEVER
  return topic >= 0.6 ? 0.7 : 0.85
}

/**
 * One sentence in which one word is another (silver members, gold members), or headings and sentences that both name
 * what the other passage does not know: variants of a thing, told in the same words.
 */
function nameDifferentThings(a: Statement, b: Statement): boolean {
  const onlyA = countMissing(a.about, b.about)
  const onlyB = countMissing(b.about, a.about)
  if (onlyA === 0 || onlyB === 0) return false
  if (onlyA === 1 && onlyB === 1 && a.about.length > 2) return true
  return namesUnknown(a, b) && namesUnknown(b, a)
}

/** Whether a word stands in both the heading and the sentence of one statement and in neither of the other's. */
function namesUnknown(own: Statement, other: Statement): boolean {
  return own.about.some(
    (term) => own.topic.includes(term) && !other.topic.includes(term) && !other.about.includes(term),
  )
}
