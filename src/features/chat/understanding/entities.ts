import { findDates } from '../../../language/dates.ts'
import { overlaps, type Span } from '../../../language/spans.ts'
import type { Entities } from '../../../language/understanding.ts'
import { type Finding, findReferences } from '../../../privacy/index.ts'
import { findAmounts } from './amounts.ts'

/**
 * Things that can be named exactly in a message: order and parcel numbers, phones, e-mails, days, sums. Each stretch of
 * text is read once, as the most specific of these; bank cards and identity numbers are none of them.
 *
 * @param personal what `findPersonal` says of the message
 * @param now reference for relative dates, a UTC calendar day
 */
export function findEntities(folded: string, original: string, personal: readonly Finding[], now?: Date): Entities {
  // Digits alone are an order's when there are more of them than other things have.
  const references = findReferences(original, personal).filter(
    ({ certain, text }) => certain || text.replaceAll('-', '').length >= 12,
  )
  const own = personal.filter((finding) => !references.some((reference) => overlaps(reference, finding)))
  const textsOf = (found: readonly Span[]): string[] => [
    ...new Set(found.map(({ start, end }) => original.slice(start, end).trim().replaceAll(' ', ''))),
  ]
  const ofKind = (kind: Finding['kind']): string[] =>
    textsOf(own.filter((finding) => finding.kind === kind).map((finding) => withPlus(folded, finding)))
  const rest = blank(folded, [...references, ...own.filter(({ kind }) => kind !== 'address' && kind !== 'name')])
  return {
    orderNumbers: textsOf(references.filter(({ kind }) => kind === 'order')),
    trackingNumbers: textsOf(references.filter(({ kind }) => kind === 'tracking')),
    phones: ofKind('phone'),
    emails: ofKind('email'),
    dates: findDates(rest).map(({ start, end, dayOf }) => ({
      text: original.slice(start, end).trim(),
      date: now ? dayOf(now) : null,
    })),
    amounts: findAmounts(rest, original),
  }
}

function withPlus(folded: string, { start, end }: Span): Span {
  return { start: folded[start - 1] === '+' ? start - 1 : start, end }
}

// Found text is overwritten with a sign that no pattern knows, so that the offsets of what remains still hold.
function blank(text: string, found: readonly Span[]): string {
  return found.reduce(
    (rest, { start, end }) => rest.slice(0, start) + '\u0000'.repeat(end - start) + rest.slice(end),
    text,
  )
}
