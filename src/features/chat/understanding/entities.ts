import { findAmounts } from './amounts.ts'
import { findDates } from './dates.ts'
import { matchesOf } from './text.ts'
import type { Entities } from './types.ts'

const EMAIL = /[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}/g
const PHONES = [
  /(?<![\d#a-z])(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)/g,
  /(?<![\d#a-z])(?:\+?1[ .-]?)?\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4}(?!\d)/g,
  /(?<![\d#a-z])(?:0\d{2,3}-?\d{7,8}|400-?\d{3}-?\d{4})(?!\d)/g,
  /\+\d(?:[ -]?\d){7,14}(?!\d)/g,
]
const TRACKING = [
  /(?<![a-z\d])(?:sf\d{12,15}|yt\d{13,15}|jd[a-z]{0,2}\d{10,15}|zto\d{10,14}|1z[a-z\d]{16}|[a-z]{2}\d{9}[a-z]{2})(?![a-z\d])/g,
  /(?:tracking (?:number|no\.?|code|id)|运单号码?|快递单号|物流单号)[ :是为#]{0,4}([a-z]{0,4}\d[a-z\d]{7,21})(?![a-z\d])/g,
]
const ORDERS = [
  /#[ ]?[a-z]{0,4}[ -]?\d{3,20}(?![a-z\d])/g,
  /(?:order (?:number|no\.?|id)?|订单编?号?码?|单号|purchase (?:number|no\.?|id))[ :是为]{0,4}([a-z]{0,4}-?\d[\d-]{3,20})(?![a-z\d])/g,
  /(?<![a-z\d#.@-])[a-z]{1,3}-?\d{6,20}(?![a-z\d])/g,
  /(?<![a-z\d#.@+-])\d{12,20}(?![a-z\d])/g,
]

// Nobody names more in one message; the bound keeps the comparison of overlaps cheap.
const MAX_MENTIONS = 50

type Hit = { start: number; end: number; text: string }

/**
 * What can be named exactly in a message: order and parcel numbers, phones, e-mails, days, sums. Each stretch of text is read
 * once, as the most specific of these; bank cards and identity numbers are none of them.
 *
 * @param now reference for relative dates, a UTC calendar day
 */
export function findEntities(folded: string, original: string, now?: Date): Entities {
  const emails = hits([EMAIL], folded, original)
  let rest = blank(folded, emails)
  const tracking = hits(TRACKING, rest, original)
  rest = blank(rest, tracking)
  const orders = hits(ORDERS, rest, original).filter((hit) => !isOtherNumber(hit.text))
  const phones = hits(PHONES, blank(rest, orders.filter(isNamedOrder)), original)
  rest = blank(rest, [...orders, ...phones])
  return {
    orderNumbers: distinct(orders.filter((hit) => !phones.some((phone) => overlaps(phone, hit)))),
    trackingNumbers: distinct(tracking),
    phones: distinct(phones),
    emails: distinct(emails),
    dates: findDates(rest, original, now),
    amounts: findAmounts(rest, original),
  }
}

function hits(patterns: readonly RegExp[], folded: string, original: string): Hit[] {
  const found: Hit[] = []
  for (const pattern of patterns)
    for (const match of matchesOf(pattern, folded)) {
      if (found.length >= MAX_MENTIONS) break
      const end = match.index + match[0].length
      const start = match[1] === undefined ? match.index : end - match[1].length
      const hit = { start, end, text: original.slice(start, end).trim().replaceAll(' ', '') }
      if (!found.some((other) => overlaps(other, hit))) found.push(hit)
    }
  return found.sort((a, b) => a.start - b.start)
}

function overlaps(a: Hit, b: Hit): boolean {
  return a.start < b.end && b.start < a.end
}

function distinct(found: readonly Hit[]): string[] {
  return [...new Set(found.map(({ text }) => text))]
}

// Found text is overwritten with a sign that no pattern knows, so that the offsets of what remains still hold.
function blank(text: string, found: readonly Hit[]): string {
  let result = ''
  let end = 0
  for (const hit of found) {
    if (hit.start < end) continue
    result += text.slice(end, hit.start) + '\u0000'.repeat(hit.end - hit.start)
    end = hit.end
  }
  return result + text.slice(end)
}

// A number that says of itself what it is wins over its looking like a phone number.
function isNamedOrder({ text }: Hit): boolean {
  return /^#|^[a-z]/i.test(text) || text.length > 11
}

function isOtherNumber(text: string): boolean {
  return isBankCard(text) || isIdentityNumber(text)
}

/** Luhn's check over 15 or 16 digits that start as card numbers do (3 to 6). */
function isBankCard(text: string): boolean {
  if (!/^[3-6]\d{14,15}$|^62\d{14,17}$/.test(text)) return false
  let sum = 0
  for (let i = 0; i < text.length; i++) {
    const digit = Number(text[text.length - 1 - i])
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    sum += i % 2 === 0 ? digit : doubled
  }
  return sum % 10 === 0
}

/** Chinese resident identity number by GB 11643: birthday inside, last sign modulo 11. */
function isIdentityNumber(text: string): boolean {
  if (!/^[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])\d{5}[\dx]$/i.test(text)) return false
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0)
  return '10x98765432'[sum % 11] === text[17]?.toLowerCase()
}
