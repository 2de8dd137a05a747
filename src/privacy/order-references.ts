import { foldMarks } from '../language/fold.ts'
import type { OrderReference } from '../language/order-talk.ts'
import type { Finding } from './kinds.ts'
import { findPersonal } from './text.ts'

export interface FoundReference extends OrderReference {
  readonly kind: 'order' | 'tracking'
  /** Where it stands in the message, in UTF-16 units; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

const maxReferences = 5

const number = '([A-Z]{0,5}-?\\d[A-Z0-9-]{2,30})'
const hashed = new RegExp(`# ?${number}`, 'gi')
const named = new RegExp(
  `(?:\\border|\\bpurchase|订单|单号|订单号|订单编号|运单|快递单|物流单|\\btracking)(?: ?(?:numbers?|no\\.?|id|code|号码?|编号))?(?: ?(?:is|是|为))? ?:? ?${number}`,
  'gi',
)
const lettered = /(?<![A-Z0-9@._#-])([A-Z]{1,5}-?\d{5,24}(?:-\d{1,12}){0,3})(?![A-Z0-9@])/gi
// Parcels of UPS, and the international form of the post (UPU S10).
const parcel = /(?<![A-Z0-9])(1Z[A-Z0-9]{16}|[A-Z]{2}\d{9}[A-Z]{2})(?![A-Z0-9])/gi
const digitsOnly = /(?<![\w@$¥€£.,-])(\d{6,24}|\d{3}-\d{7}-\d{7})(?![\w@]|[.,]\d)/g
const dateLike = /^(?:19|20)\d{2}-?\d{2}-?\d{2}$/
const trackingForm =
  /^(?:SF\d{12,15}|YT\d{13,15}|JD[A-Z]{0,2}\d{10,15}|ZTO\d{10,14}|1Z[A-Z0-9]{16}|[A-Z]{2}\d{9}[A-Z]{2})$/i
const trackingWord = /(?:tracking|运单|快递单|物流单)\D{0,12}$/i
const postcodeWord = /(?:邮编|邮政编码|zip|post ?code|postal)\D{0,8}$/i

function found(text: string, pattern: RegExp, certain: boolean): FoundReference[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = (match[1] ?? '').replace(/-{1,24}$/, '')
    const at = match.index + match[0].lastIndexOf(value)
    const before = text.slice(Math.max(0, at - 24), at)
    if (value.length < 3 || dateLike.test(value) || (!certain && postcodeWord.test(before))) return []
    const sign = certain ? (/# ?$/.exec(before)?.[0] ?? '') : ''
    const isTracking = trackingForm.test(value) || trackingWord.test(before)
    const kind = isTracking ? 'tracking' : 'order'
    const written = sign === '' ? value : `#${value}`
    return [{ text: written, key: orderKey(value), kind, certain, start: at - sign.length, end: at + value.length }]
  })
}

/**
 * Order and tracking numbers in a message, in order of appearance, each once, at most five. Phones, cards, e-mails,
 * dates, postcodes and amounts are not taken for one.
 *
 * @param personal what `findPersonal` says of the message
 */
export function findReferences(
  message: string,
  personal: readonly Finding[] = findPersonal(message),
): FoundReference[] {
  const text = foldMarks(message).replaceAll('№', '#').slice(0, 2_000)
  const certain = [hashed, named, parcel, lettered].flatMap((pattern) => found(text, pattern, true))
  const candidates = [...certain, ...found(text, digitsOnly, false)]
    .filter(({ start: at, certain }) => certain || !personal.some(({ start, end }) => at >= start && at < end))
    .sort((a, b) => a.start - b.start || Number(b.certain) - Number(a.certain))
  const unique = new Map<string, FoundReference>()
  for (const reference of candidates) if (!unique.has(reference.key)) unique.set(reference.key, reference)
  return [...unique.values()].slice(0, maxReferences)
}

/**
 * The form in which order numbers are compared: compatibility forms folded, upper case, without `#` and spaces.
 * `#w2611340`, `Ｗ2611340` and `W2611340` are one order.
 */
export function orderKey(orderId: string): string {
  return orderId
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[#№\s]/g, '')
}
