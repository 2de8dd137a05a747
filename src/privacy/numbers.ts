import {
  exactInternationalLengths,
  isBareLandline,
  isCardNumber,
  isIdentityNumber,
  isInternationalNumber,
  isMainlandMobile,
  passesLuhn,
} from './checks.ts'
import { type Cue, cueBefore, endsNumber, startsNumber } from './context.ts'
import { type Digits, readDigits, type Span, spansFrom } from './digits.ts'
import type { Finding, MaskKind } from './kinds.ts'

const mobileShapes = new Set(['11', '3-4-4', '3-3-5', '3-8', '7-4', '4-4-3', '4-3-4', '5-6', '6-5', '4-7', '3-5-3'])
const dateShape = /(?:^|-)(?:4-[12]-[12]|[12]-[12]-4)(?:-|$)/
const tollFree = /^1?(?:400|800|833|844|855|866|877|888)/

function isDateLike(span: Span): boolean {
  return dateShape.test(span.shape)
}

function isJoinedLoosely(span: Span): boolean {
  return span.joint === 'space' || span.joint === 'dash' || span.joint === 'underscore'
}

function withoutCountry(span: Span): { digits: string; shape: string; prefixed: boolean } {
  const prefix = /^(?:0086|86)(?=1[3-9]\d{9}$)/.exec(span.digits)?.[0]
  if (prefix === undefined) return { digits: span.digits, shape: span.shape, prefixed: false }
  const [head, ...rest] = span.shape.split('-')
  const shape = Number(head) === prefix.length ? rest : [Number(head) - prefix.length, ...rest]
  return { digits: span.digits.slice(prefix.length), shape: shape.join('-'), prefixed: true }
}

function isMobile(span: Span): boolean {
  const { digits, shape, prefixed } = withoutCountry(span)
  if (!isMainlandMobile(digits)) return false
  if (mobileShapes.has(shape)) return span.joint !== 'dot' || span.whole || prefixed
  return isJoinedLoosely(span) && span.whole && !isDateLike(span)
}

function isIdentity(span: Span, text: string): boolean {
  if (span.joint === 'mixed' || (span.joint !== 'none' && !span.whole && !/^6-(?:8|4-4)-[34]$/.test(span.shape)))
    return false
  return isIdentityNumber(identityText(span, text))
}

/** The digits of a span with the check character X that may follow them. */
function identityText(span: Span, text: string): string {
  const next = text[span.end] ?? ''
  const isCheck = span.digits.length === 17 && /[xX]/.test(next) && !/[A-Za-z0-9]/.test(text[span.end + 1] ?? '')
  return isCheck ? `${span.digits}X` : span.digits
}

function isCard(span: Span): boolean {
  if (span.joint === 'none') return isCardNumber(span.digits)
  const printed = /^(?:4-4-4-[1-4]|4-4-4-4-[1-3]|4-6-[45]|6-1[03])$/.test(span.shape)
  if (printed && isCardNumber(span.digits)) return true
  if (!span.whole || span.joint === 'mixed' || isDateLike(span)) return false
  return span.shape === '4-4-4-4' ? passesLuhn(span.digits) : isCardNumber(span.digits)
}

/** Landlines and national numbers that start with a trunk zero, and numbers of the North American plan. */
function isNational(span: Span): boolean {
  const { digits, shape, joint } = span
  if (joint === 'none') return isBareLandline(digits)
  if (isDateLike(span) || joint === 'underscore' || (joint === 'dot' && !span.whole)) return false
  if (/^0\d/.test(digits)) {
    if (/^(?:3-[78]|4-[78])(?:-[1-5])?$/.test(shape)) return true
    if (shape === '4-4-4') return isBareLandline(digits)
    return digits.length >= 10 && digits.length <= 12 && span.whole && /^[2-5](?:-[2-8]){1,4}$/.test(shape)
  }
  if (!/^(?:1-)?3-3-4$/.test(shape) || tollFree.test(digits)) return false
  return (
    (span.whole || joint === 'mixed' || joint === 'bracket') &&
    /^[2-9]/.test(shape.startsWith('1-') ? digits.slice(1) : digits)
  )
}

function isAnnouncedPhone(span: Span): boolean {
  const { length } = span.digits
  return length >= 7 && length <= 15 && !isDateLike(span) && !(length >= 10 && tollFree.test(span.digits))
}

function findInternational(source: Digits, spans: readonly Span[]): Span | null {
  const first = spans[0]
  if (!first) return null
  const plus = /\+ ?\(?$/.test(source.text.slice(Math.max(0, first.start - 3), first.start))
  const isCall = source.text.startsWith('00', first.start) && source.joints[first.first] !== 'dash'
  const skip = plus ? 0 : isCall ? 2 : -1
  if (skip < 0) return null
  let longest: Span | null = null
  for (const span of spans) {
    const digits = span.digits.slice(skip)
    const isFull = plus || (span.joint === 'none' ? isKnownPlan(digits) : digits.length >= 9)
    if (!isFull || !isInternationalNumber(digits)) continue
    longest = span
    if (exactInternationalLengths(digits).includes(digits.length)) return span
  }
  return longest
}

function isKnownPlan(digits: string): boolean {
  return exactInternationalLengths(digits).includes(digits.length)
}

interface Match {
  readonly span: Span
  readonly kind: MaskKind
}

function longest(spans: readonly Span[], accepts: (span: Span) => boolean): Span | undefined {
  return spans.findLast(accepts)
}

function findAnnounced(spans: readonly Span[], text: string, cue: Cue | null): Match | null {
  const ofLength = (least: number, most: number) =>
    longest(spans, (span) => span.digits.length >= least && span.digits.length <= most)
  const announced =
    cue === 'phone'
      ? longest(spans, isAnnouncedPhone)
      : cue === 'card'
        ? ofLength(12, 19)
        : cue === 'identity'
          ? longest(spans, (span) => [15, 18].includes(identityText(span, text).length))
          : undefined
  return announced && cue && cue !== 'opaque' ? { span: announced, kind: cue } : null
}

function classify(source: Digits, spans: readonly Span[], cue: Cue | null): Match | null {
  const { text } = source
  const identity = longest(spans, (span) => span.digits.length > 14 && isIdentity(span, text))
  if (identity && (cue !== 'opaque' || identity.digits.length > 15)) return { span: identity, kind: 'identity' }
  if (cue === 'opaque') return null
  const international = findInternational(source, spans)
  if (international) return { span: international, kind: 'phone' }
  const card = longest(spans, (span) => span.digits.length > 12 && isCard(span))
  if (card) return { span: card, kind: 'card' }
  const phone = longest(spans, (span) => isMobile(span) || isNational(span))
  if (phone) return { span: phone, kind: 'phone' }
  // Trade numbers of Alipay and WeChat Pay are 28 digits.
  const trade = spans[0]?.digits.length === 28 && spans[0]
  return trade ? { span: trade, kind: 'payment' } : findAnnounced(spans, text, cue)
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const listGap = /^["'\s,、;；和与及&]{1,6}(?:and )?["']?$/

/** The first digit groups of UUIDs and of everything in them: their last part may look like a phone. */
function groupsInUuids(source: Digits): Set<number> {
  const inside = new Set<number>()
  let index = 0
  for (const match of source.text.matchAll(uuid)) {
    const end = match.index + match[0].length
    while ((source.groups[index]?.end ?? Number.POSITIVE_INFINITY) <= match.index) index++
    for (; (source.groups[index]?.start ?? end) < end; index++) inside.add(index)
  }
  return inside
}

/** Phones, identity numbers, cards and trade numbers in a folded text. Linear in its length. */
export function findNumbers(text: string, options: { opaque?: boolean } = {}): Finding[] {
  const source = readDigits(text)
  const skipped = groupsInUuids(source)
  const findings: Finding[] = []
  let opaqueEnd: number | null = null
  for (let index = 0; index < source.groups.length; index++) {
    const { start, end } = source.groups[index] ?? { start: 0, end: 0 }
    if (skipped.has(index)) continue
    const inList = opaqueEnd !== null && start - opaqueEnd <= 12 && listGap.test(text.slice(opaqueEnd, start))
    const found = findAt(source, index, options.opaque === true || inList)
    if (found === 'opaque') opaqueEnd = end
    else if (found !== null) findings.push(found.finding)
    if (found !== null && found !== 'opaque') index = found.last
  }
  return findings
}

function findAt(source: Digits, first: number, opaque: boolean): { finding: Finding; last: number } | 'opaque' | null {
  const { text, joints } = source
  const start = source.groups[first]?.start ?? 0
  const isFraction = joints[first] === 'dot' && /(?:^|\D)0\.$/.test(text.slice(Math.max(0, start - 3), start))
  if (isFraction || !startsNumber(text, start)) return null
  const spans = spansFrom(source, first).filter((span) => endsNumber(text, span.end))
  if (spans.length === 0) return null
  const cue = opaque ? 'opaque' : cueBefore(text, start)
  const match = classify(source, spans, cue)
  if (!match) return cue === 'opaque' ? 'opaque' : null
  const end = match.kind === 'identity' ? match.span.start + writtenLength(match.span, text) : match.span.end
  return { finding: { start: openingBracket(text, start, end), end, kind: match.kind }, last: match.span.last }
}

/** Moves `start` to the bracket that the number closes, as in `(+86)138…`. */
function openingBracket(text: string, start: number, end: number): number {
  const inside = text.slice(start, end)
  if (!inside.includes(')') || inside.indexOf('(') > -1) return start
  const open = text.slice(Math.max(0, start - 2), start).lastIndexOf('(')
  return open < 0 ? start : Math.max(0, start - 2) + open
}

function writtenLength(span: Span, text: string): number {
  const hasCheck = identityText(span, text).length > span.digits.length
  return span.end - span.start + (hasCheck ? 1 : 0)
}
