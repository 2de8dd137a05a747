import type { ChunkKind, ChunkOptions } from './types.ts'
import type { Unit } from './units.ts'

/** Content of one chunk before it is placed in its document. */
export interface Packed {
  kind: ChunkKind
  content: string
  tokens: number
  page: number | null
}

/**
 * Units that fit one chunk stay whole. Otherwise gathers them in order into chunks of about the same size near
 * `targetTokens`, never above `maxTokens`. A lead-in moves to the chunk of what it introduces; a short rest joins the
 * chunk before it.
 */
export function pack(units: Unit[], allowed: ChunkOptions): Packed[] {
  const total = groupTokens(units)
  const whole = total <= allowed.maxTokens && !units.some((unit) => unit.overlaps)
  if (whole) return units.length > 0 ? [packed(units)] : []
  const options = { ...allowed, targetTokens: evenTarget(total, allowed.targetTokens) }
  const groups: Unit[][] = []
  let group: Unit[] = []
  let tokens = 0
  for (const unit of units) {
    const size = tokens + cost(unit, group.at(-1))
    if (group.length > 0 && (unit.overlaps || size > limitFor(group, unit, options))) {
      const carried = leadIns(group, unit, options)
      groups.push(group.slice(0, group.length - carried.length))
      group = carried
      tokens = groupTokens(group)
    }
    tokens += cost(unit, group.at(-1))
    group.push(unit)
  }
  if (group.length > 0) groups.push(group)
  return absorbRest(groups, options).map(packed)
}

/** Spreads the total over the chunks it needs anyway, with some slack for units that do not divide. */
function evenTarget(total: number, target: number): number {
  return Math.min(target, Math.ceil((total / Math.ceil(total / target)) * 1.15))
}

/** The unit that a lead-in introduces may go past the target, rather than be parted from it. */
function limitFor(group: Unit[], next: Unit, options: ChunkOptions): number {
  const onlyLeadIns = group.every((unit) => unit.leadsOn)
  return onlyLeadIns && !next.overlaps ? options.maxTokens : options.targetTokens
}

/** Trailing lead-ins of a full group that fit before the next unit; never the whole group. */
function leadIns(group: Unit[], next: Unit, options: ChunkOptions): Unit[] {
  if (next.overlaps) return []
  let from = group.length
  while (from > 1 && group[from - 1]?.leadsOn) from--
  const carried = group.slice(from)
  return groupTokens(carried) + cost(next, carried.at(-1)) <= options.maxTokens ? carried : []
}

/** Tokens that a unit adds after another one: its own, and its table's header when that is not there yet. */
function cost(unit: Unit, previous: Unit | undefined): number {
  return unit.tokens + (unit.header && unit.header !== previous?.header ? unit.header.tokens : 0)
}

function groupTokens(group: Unit[]): number {
  return group.reduce((sum, unit, index) => sum + cost(unit, group[index - 1]), 0)
}

function absorbRest(groups: Unit[][], options: ChunkOptions): Unit[][] {
  const last = groups.at(-1)
  const before = groups.at(-2)
  if (!last || !before || last[0]?.overlaps || groupTokens(last) > options.targetTokens / 5) return groups
  const both = [...before, ...last]
  return groupTokens(both) <= options.maxTokens ? [...groups.slice(0, -2), both] : groups
}

function packed(group: Unit[]): Packed {
  const parts: string[] = []
  for (const [index, unit] of group.entries()) {
    if (index > 0) parts.push(unit.separator)
    if (unit.header && unit.header !== group[index - 1]?.header) parts.push(unit.header.text, '\n')
    parts.push(unit.text)
  }
  const kinds = new Set(group.map((unit) => unit.kind))
  return {
    kind: kinds.size === 1 ? (group[0]?.kind ?? 'text') : 'text',
    content: parts.join(''),
    tokens: groupTokens(group),
    page: group[0]?.page ?? null,
  }
}
