import type { Finding } from './kinds.ts'

// RFC 5322 atext and dots, plus the Latin, Greek and Cyrillic letters of RFC 6531. Han is left out: Chinese text is
// written without spaces around an address.
const localCharacter = /[\w!#$%&'*+/=?^`{|}~.-]|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
const domainCharacter = /[A-Za-z0-9.-]|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
const topLevel = /^(?:xn--[a-z0-9-]{2,59}|\p{L}{2,63})/iu
const maxLocal = 64
const maxDomain = 255

function localStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < maxLocal && localCharacter.test(text[start - 1] ?? '')) start--
  while (start < at && /['`*_.,|{}=/-]/.test(text[start] ?? '') && /[\p{L}\d]/u.test(text.slice(start + 1, at))) start++
  return start
}

/** The end of a domain name that starts at `from`, or -1 when no top-level domain is there. */
function domainEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && end - from < maxDomain && domainCharacter.test(text[end] ?? '')) end++
  const labels = text.slice(from, end).split('.')
  for (let count = labels.length; count > 1; count--) {
    const label = topLevel.exec(labels[count - 1] ?? '')?.[0]
    const before = labels.slice(0, count - 1)
    if (label !== undefined && before.every((part) => part !== ''))
      return from + before.join('.').length + 1 + label.length
  }
  return -1
}

/** E-mail addresses in a folded text, also with one space around the at sign. Linear: at most 319 characters per `@`. */
export function findEmails(text: string): Finding[] {
  const findings: Finding[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const localEnd = text[at - 1] === ' ' ? at - 1 : at
    const start = localStart(text, localEnd)
    const end = domainEnd(text, text[at + 1] === ' ' ? at + 2 : at + 1)
    if (start < localEnd && end > 0) findings.push({ start, end, kind: 'email' })
  }
  return findings
}
