import { findEmails } from './emails.ts'
import { foldText } from './fold.ts'
import { maskValue } from './format.ts'
import type { Finding } from './kinds.ts'
import { findLabelled } from './labels.ts'
import { findNumbers } from './numbers.ts'
import { findPlaces } from './places.ts'
import { findSecrets } from './secrets.ts'

export interface MaskTextOptions {
  /** The text is an order, tracking or item number or an amount: phone and card shapes in it are coincidence. */
  readonly opaque?: boolean
  /** Values to leave readable wherever they occur, such as the shop's own service e-mail. */
  readonly keep?: readonly string[]
}

function isQuick(text: string): boolean {
  return !/[\d@\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\uFF10-\uFF19\uFF20]|姓名|人|我叫|name|密码|口令|passw|passphrase|pwd|密钥|秘钥|私钥|令牌|secret|token|bearer|basic|KEY-----|[〇零一二三四五六七八九幺壹贰叁肆伍陆柒捌玖]{7}/i.test(
    text,
  )
}

/** Personal values in free text, in order of position, none overlapping another. Linear in the length of `text`. */
export function findPersonal(text: string, options: MaskTextOptions = {}): Finding[] {
  if (isQuick(text)) return []
  const folded = foldText(text)
  const exact = [
    ...findEmails(folded),
    ...findLabelled(folded),
    ...findNumbers(folded, options),
    ...findSecrets(folded),
  ]
  const findings = options.opaque ? exact : [...exact, ...findPlaces(folded)]
  const sorted = findings.sort((a, b) => a.start - b.start || b.end - a.end)
  return withoutOverlaps(sorted)
}

function withoutOverlaps(sorted: readonly Finding[]): Finding[] {
  const kept: Finding[] = []
  for (const finding of sorted) {
    const previous = kept.at(-1)
    if (!previous || finding.start >= previous.end) kept.push(finding)
    // The rest of the later one must not stay readable, nor the ends of a secret that looks like something else too.
    else
      kept[kept.length - 1] = {
        ...previous,
        end: Math.max(previous.end, finding.end),
        kind: strictest(previous, finding),
      }
  }
  return kept
}

function strictest(a: Finding, b: Finding): Finding['kind'] {
  return b.kind === 'secret' ? 'secret' : a.kind
}

/**
 * Masks personal values in free text: e-mails, phones, identity, card and account numbers, payment ids, street addresses,
 * labelled names, and secrets: passwords, one-time and card codes, tokens and keys. Order and tracking numbers, amounts, versions and dates stay. Masking twice changes nothing more.
 */
export function maskText(text: string, options: MaskTextOptions = {}): string {
  const parts: string[] = []
  let end = 0
  for (const finding of findPersonal(text, options)) {
    const value = text.slice(finding.start, finding.end)
    const shown = options.keep?.includes(value) ? value : maskValue(value, finding.kind)
    parts.push(text.slice(end, finding.start), shown)
    end = finding.end
  }
  return end === 0 ? text : parts.join('') + text.slice(end)
}
