import { membersOf } from './centroids.ts'
import { cohesionOf } from './cohesion.ts'
import { likeness, type Matter, middlesOf } from './likeness.ts'

export interface SplittingOptions {
  /** Cohesion below which the tickets of a group have little more in common than being tickets, 0 to 1. */
  minCohesion: number
  /** Smaller groups stay as they are: nothing is made of them. */
  minTickets: number
}

const MAX_ROUNDS = 8
const ALL_TERMS = Number.POSITIVE_INFINITY

/**
 * Splits groups that are too loose in two, and those again, until each is of one mind or too small: several problems that
 * share words are found instead of being dropped together. The order of the texts decides ties.
 *
 * @param counts for how many tickets each text stands.
 * @returns for each text the number of its group, dense from 0; groups that stay keep their number.
 */
export function splitLoose(
  matter: Matter,
  counts: readonly number[],
  numbers: Uint32Array,
  { minCohesion, minTickets }: SplittingOptions,
): Uint32Array {
  const split = numbers.slice()
  const waiting = membersOf(numbers)
  let next = waiting.length
  for (let texts = waiting.pop(); texts; texts = waiting.pop()) {
    const tickets = texts.reduce((sum, text) => sum + (counts[text] as number), 0)
    if (tickets < minTickets || cohesionOf(matter, texts, counts) >= minCohesion) continue
    const halves = bisect(matter, texts)
    if (!halves) continue
    for (const text of halves[1]) split[text] = next
    next += 1
    waiting.push(...halves)
  }
  return split
}

/** Spherical 2-means, from the text nearest to the middle and the one that is least like it; null: nothing tells them apart. */
function bisect(matter: Matter, texts: readonly number[]): [number[], number[]] | null {
  const middle = middlesOf(matter, [texts], ALL_TERMS)
  const first = extreme(texts, (text) => likeness(matter, text, middle, 0))
  const second = extreme(texts, (text) =>
    text === first ? Number.NEGATIVE_INFINITY : -likeness(matter, text, matter, first),
  )
  let centres = middlesOf(matter, [[first], [second]], ALL_TERMS)
  let halves: [number[], number[]] = [[], []]
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found: [number[], number[]] = [[], []]
    for (const text of texts) {
      const isFirst = likeness(matter, text, centres, 0) > likeness(matter, text, centres, 1)
      found[isFirst ? 0 : 1].push(text)
    }
    if (found[0].length === 0 || found[1].length === 0) return null
    if (found[0].length === halves[0].length && found[0].every((text, at) => text === halves[0][at])) return found
    halves = found
    centres = middlesOf(matter, found, ALL_TERMS)
  }
  return halves
}

/** The first of those whose score is the highest. */
function extreme(texts: readonly number[], scoreOf: (text: number) => number): number {
  let best = texts[0] as number
  let highest = Number.NEGATIVE_INFINITY
  for (const text of texts) {
    const score = scoreOf(text)
    if (score <= highest) continue
    best = text
    highest = score
  }
  return best
}
