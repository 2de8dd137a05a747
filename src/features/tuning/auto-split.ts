import { plainForm } from '../../language/fold.ts'
import type { EvaluationCase } from '../evaluation/index.ts'

export interface Split {
  train: EvaluationCase[]
  heldOut: EvaluationCase[]
}

const HELD_OUT_SHARE = 0.4

/**
 * Divides cases at random so that each category keeps its share on both sides and repetitions of a question stay
 * together: what was trained on is never what proves it.
 *
 * @param random numbers in [0, 1)
 */
export function splitCases(cases: readonly EvaluationCase[], random: () => number): Split {
  const split: Split = { train: [], heldOut: [] }
  // Carried over from category to category, so that many small ones add up to the share as well.
  let owed = 0
  for (const questions of Map.groupBy(groupByQuestion(cases), ([first]) => first?.category).values()) {
    for (const repetitions of shuffle(questions, random)) {
      owed += HELD_OUT_SHARE * repetitions.length
      const isHeldOut = owed >= repetitions.length / 2
      if (isHeldOut) owed -= repetitions.length
      split[isHeldOut ? 'heldOut' : 'train'].push(...repetitions)
    }
  }
  return split
}

function groupByQuestion(cases: readonly EvaluationCase[]): EvaluationCase[][] {
  return [...Map.groupBy(cases, ({ query }) => plainForm(query).replace(/\s+/g, ' ')).values()]
}

/** Fisher and Yates. */
export function shuffle<T>(values: readonly T[], random: () => number): T[] {
  const shuffled = [...values]
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T]
  }
  return shuffled
}
