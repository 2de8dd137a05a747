/** A run of digits: `start` and `end` are positions in the folded text. */
interface Group {
  readonly start: number
  readonly end: number
}

/** How two neighbouring groups are joined; `far` when they are not parts of one written number. */
export type Joint = 'space' | 'dash' | 'dot' | 'underscore' | 'bracket' | 'far'

/** Consecutive groups that might be one number. `shape` holds the group lengths, as in `3-4-4`. */
export interface Span {
  readonly first: number
  readonly last: number
  readonly start: number
  readonly end: number
  readonly digits: string
  readonly shape: string
  /** The joint that all groups share, `none` for a single group, `mixed` otherwise. */
  readonly joint: Joint | 'none' | 'mixed'
  /** No neighbour is joined to the span in the way its own groups are. */
  readonly whole: boolean
}

/** The digit groups of a folded text and the joints between them: `joints[i]` stands before group `i`. */
export interface Digits {
  readonly text: string
  readonly groups: readonly Group[]
  readonly joints: readonly Joint[]
}

const minDigits = 7
const maxDigits = 28
const maxGroups = 19
/** The printed forms of phones and cards have at most this many groups; anything finer must be a whole run. */
const maxPrintedGroups = 6

function jointOf(gap: string): Joint {
  if (gap.length > 4) return 'far'
  const core = gap.replaceAll('\u200B', '').trim()
  if (core === '') return /^[ \u200B]+$/.test(gap) ? 'space' : 'far'
  if (/^-{1,2}$/.test(core)) return 'dash'
  if (core === '.') return gap === '.' ? 'dot' : 'far'
  if (core === '_') return 'underscore'
  return /^(?:\(|\)|\)-|\) ?\(|-\(|\)\.)$/.test(core) ? 'bracket' : 'far'
}

/** Splits a folded text into digit groups; linear in its length. */
export function readDigits(text: string): Digits {
  const groups: Group[] = []
  const joints: Joint[] = []
  for (const match of text.matchAll(/\d+/g)) {
    const previous = groups.at(-1)
    joints.push(previous ? jointOf(text.slice(previous.end, Math.min(match.index, previous.end + 5))) : 'far')
    groups.push({ start: match.index, end: match.index + match[0].length })
  }
  return { text, groups, joints }
}

function groupLimit(source: Digits, first: number): number {
  const before = source.joints[first]
  return before !== 'far' && before === source.joints[first + 1] ? maxPrintedGroups : maxGroups
}

/** The index after the last group that is still joined to group `first` and within the limits of a number. */
function spanEnd(source: Digits, first: number): number {
  const limit = Math.min(source.groups.length, first + groupLimit(source, first))
  let count = 0
  for (let index = first; index < limit; index++) {
    const group = source.groups[index] ?? { start: 0, end: 0 }
    count += group.end - group.start
    if (count > maxDigits || (index > first && source.joints[index] === 'far')) return index
  }
  return limit
}

function jointAfter(joint: Span['joint'], before: Joint, isSecond: boolean): Span['joint'] {
  if (isSecond) return before
  return before === joint ? joint : 'mixed'
}

/** All spans of 7 to 28 digits that begin with group `first`, shortest first. */
export function spansFrom(source: Digits, first: number): Span[] {
  const spans: Span[] = []
  const start = source.groups[first]?.start ?? 0
  const end = spanEnd(source, first)
  let [digits, shape] = ['', '']
  let joint: Span['joint'] = 'none'
  for (let last = first; last < end; last++) {
    const group = source.groups[last] ?? { start, end: start }
    digits += source.text.slice(group.start, group.end)
    shape += `${last > first ? '-' : ''}${group.end - group.start}`
    if (last > first) joint = jointAfter(joint, source.joints[last] ?? 'far', last === first + 1)
    if (digits.length < minDigits) continue
    spans.push({ first, last, start, end: group.end, digits, shape, joint, whole: isWhole(source, first, last, joint) })
  }
  return spans
}

function isWhole(source: Digits, first: number, last: number, joint: Span['joint']): boolean {
  const before = source.joints[first] ?? 'far'
  const after = source.joints[last + 1] ?? 'far'
  if (joint === 'none') return before === 'far' && after === 'far'
  return before !== joint && after !== joint
}
