import { type CaseResult, isAnswerable, mean, reciprocalRank } from '../evaluation/index.ts'

/**
 * The use of one case to a customer, 0 to 1. Finding and answering count half each. A right answer that is offered as
 * the closest passage is worth half of one that is given as the answer; nothing at all, or a wrong passage that is not
 * claimed to be the answer, a quarter: the customer is sent on. A wrong answer is worth nothing.
 */
export function objectiveOf(result: CaseResult): number {
  if (!isAnswerable(result)) return { none: 1, close: 0.5, asks: 0.5, sure: 0 }[result.confidence]
  const answered = result.answerRight
    ? { sure: 1, close: 0.5, asks: 0.5, none: 0.25 }[result.confidence]
    : { sure: 0, close: 0.25, asks: 0.25, none: 0.25 }[result.confidence]
  return (reciprocalRank(result) + answered) / 2
}

interface Performance {
  /** Mean objective of the cases, which is what the search raises. */
  score: number
  /** Null: no case has anything to find. */
  mrr: number | null
  answerAccuracy: number
}

export function performanceOf(results: readonly CaseResult[]): Performance {
  const answerable = results.filter(isAnswerable)
  return {
    score: mean(results.map(objectiveOf)),
    mrr: answerable.length === 0 ? null : mean(answerable.map(reciprocalRank)),
    answerAccuracy: mean(results.map(({ answerRight }) => Number(answerRight))),
  }
}
