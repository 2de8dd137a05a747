import { findPersonal } from './masking/index.ts'
import { orderKey } from './types.ts'

/** A possible order or tracking number in a message. */
export interface Reference {
  /** As the customer wrote it, in ASCII. */
  readonly text: string
  readonly key: string
  /** Written with `#`, a word such as `order`, or letters in front; otherwise the digits may be something else. */
  readonly certain: boolean
}

const maxReferences = 5

const hashed = /# ?([A-Z0-9][A-Z0-9-]{2,31})/gi
const named =
  /(?:\border|订单|单号|订单号|订单编号|运单|快递单)(?: ?(?:numbers?|no\.?|id|号|编号))?(?: ?(?:is|是|为))? ?[:：]? ?([A-Z0-9][A-Z0-9-]{4,31})/gi
const lettered = /(?<![A-Z0-9@._#-])([A-Z]{1,5}-?\d{5,24}(?:-\d{1,12}){0,3})(?![A-Z0-9@])/gi
const digitsOnly = /(?<![\w@$¥€£.,-])(\d{6,24}|\d{3}-\d{7}-\d{7})(?![\w@]|[.,]\d)/g
const dateLike = /^(?:19|20)\d{2}-?\d{2}-?\d{2}$/

function found(text: string, pattern: RegExp, certain: boolean): (Reference & { at: number })[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = match[1] ?? ''
    if (!/\d/.test(value) || dateLike.test(value)) return []
    const at = match.index + match[0].length - value.length
    const written = certain && text.slice(0, at).trimEnd().endsWith('#') ? `#${value}` : value
    return [{ text: written, key: orderKey(value), certain, at }]
  })
}

/**
 * Order and tracking numbers in a message, in order of appearance, each once, at most five. Phones, cards, e-mails,
 * dates and amounts are not taken for one.
 */
export function findReferences(query: string): Reference[] {
  const text = query.normalize('NFKC').replace(/№/g, '#').slice(0, 2_000)
  const personal = findPersonal(text)
  const certain = [hashed, named, lettered].flatMap((pattern) => found(text, pattern, true))
  const candidates = [...certain, ...found(text, digitsOnly, false)]
    .filter(({ at, certain }) => certain || !personal.some(({ start, end }) => at >= start && at < end))
    .sort((a, b) => a.at - b.at || Number(b.certain) - Number(a.certain))
  const unique = new Map<string, Reference>()
  for (const { text: written, key, certain } of candidates) {
    if (!unique.has(key)) unique.set(key, { text: written, key, certain })
  }
  return [...unique.values()].slice(0, maxReferences)
}
