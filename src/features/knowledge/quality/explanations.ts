import { agree } from './matter.ts'
import type { Statement } from './statements.ts'
import { similarity, type Weight } from './term-sets.ts'

/** A document's statements that measure the same. */
interface Siblings {
  all: Statement[]
  /** Those with a single value, by that value. */
  points: Statement[]
  ranges: Statement[]
}

/** Of a long list, so many are enough to see that its values depend on their headings. */
const MAX_SEEN = 500
/** A little more than what `agree` tolerates. */
const SLACK = 0.06

/**
 * Two documents that list the same cases do not contradict each other: the other document also says what this one says,
 * of something at least as similar; or one document gives several values for the same words under different headings
 * (guarantees of different products), so that the words alone do not name the matter.
 *
 * @returns whether two statements that differ are explained by what else their documents say.
 */
export function createExplanations(
  statements: readonly Statement[],
  weight: Weight,
): (a: Statement, b: Statement) => boolean {
  const places = new Map([...Map.groupBy(statements, placeOf)].map(([place, all]) => [place, toSiblings(all)]))
  return (a, b) => {
    const ofA = places.get(placeOf(a))!
    const ofB = places.get(placeOf(b))!
    return (
      says(ofA, b, a, weight) ||
      says(ofB, a, b, weight) ||
      dependsOnHeading(ofA, a, b, weight) ||
      dependsOnHeading(ofB, b, a, weight)
    )
  }
}

function placeOf({ document, measure }: Statement): string {
  return `${document} ${measure}`
}

function toSiblings(all: Statement[]): Siblings {
  const points = all.filter(({ low, high }) => low === high).sort((a, b) => a.low - b.low)
  return { all, points, ranges: all.filter(({ low, high }) => low !== high) }
}

/** Whether a document says what `statement` says, of something no less similar to it than `rival` is. */
function says({ points, ranges }: Siblings, statement: Statement, rival: Statement, weight: Weight): boolean {
  const closeness = (other: Statement): number =>
    similarity(other.about, statement.about, weight) + 0.5 * similarity(other.topic, statement.topic, weight)
  const needed = closeness(rival) - 0.1
  const isSame = (other: Statement): boolean => other !== rival && agree(other, statement) && closeness(other) >= needed
  for (let i = firstFrom(points, statement.low * (1 - SLACK)); i < points.length; i++) {
    if (points[i]!.low > statement.high * (1 + SLACK)) break
    if (isSame(points[i]!)) return true
  }
  return ranges.some(isSame)
}

/** Index of the first of the statements, sorted by value, that is not below `value`. */
function firstFrom(points: readonly Statement[], value: number): number {
  let from = 0
  let till = points.length
  while (from < till) {
    const middle = (from + till) >> 1
    if (points[middle]!.low < value) from = middle + 1
    else till = middle
  }
  return from
}

function dependsOnHeading({ all }: Siblings, own: Statement, other: Statement, weight: Weight): boolean {
  if (similarity(own.topic, other.topic, weight) >= 0.6) return false
  return all
    .slice(0, MAX_SEEN)
    .some(
      (sibling) =>
        sibling.chunk !== own.chunk && !agree(sibling, own) && similarity(sibling.about, own.about, weight) >= 0.75,
    )
}
