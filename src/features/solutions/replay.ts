import { sentenceTerms } from '../../language/key-sentences.ts'
import type { SearchHit } from '../knowledge/index.ts'

/** The assistant's answer, without a model. */
export interface ReplayedAnswer {
  reply: string
  confidence: 'sure' | 'close' | 'asks' | 'none'
  sources: { source: string; score: number }[]
}

export type Search = (query: string) => Promise<SearchHit[]>
export type Answer = (question: string, search: Search) => Promise<ReplayedAnswer>

/**
 * `answered`: could not be answered and now can. `changed`: was answered and now is answered otherwise. `improved`: at
 * least the closest passage is offered. `worse`: was answered and no longer is.
 */
export type ReplayChange = 'answered' | 'changed' | 'improved' | 'worse' | 'unchanged'

export interface Replay {
  question: string
  /** The solution's own question; the others were left unanswered in conversations. */
  original: boolean
  before: ReplayedAnswer
  after: ReplayedAnswer
  change: ReplayChange
}

const MAX_ALIKE = 9
/** Share of the shorter question's terms that the other one has too. */
const ALIKE = 0.34

/** The questions that are most like `question`, at most nine, itself left out. */
export function alikeQuestions(question: string, others: readonly string[]): string[] {
  const own = sentenceTerms(question)
  return others
    .filter((other) => other.trim() !== question.trim())
    .map((other) => ({ other, overlap: overlapOf(own, sentenceTerms(other)) }))
    .filter(({ overlap }) => overlap >= ALIKE)
    .sort((a, b) => b.overlap - a.overlap)
    .slice(0, MAX_ALIKE)
    .map(({ other }) => other)
}

function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.intersection(b).size / Math.max(1, Math.min(a.size, b.size))
}

/** Answers each question with the knowledge base as it is and as it would be. */
export async function replayQuestions(
  questions: readonly string[],
  ports: { answer: Answer; before: Search; after: Search },
): Promise<Replay[]> {
  const replays: Replay[] = []
  for (const [index, question] of questions.entries()) {
    const before = await ports.answer(question, ports.before)
    const after = await ports.answer(question, ports.after)
    replays.push({ question, original: index === 0, before, after, change: changeOf(before, after) })
  }
  return replays
}

const CERTAINTY = { none: 0, asks: 1, close: 1, sure: 2 }

function changeOf(before: ReplayedAnswer, after: ReplayedAnswer): ReplayChange {
  const gain = CERTAINTY[after.confidence] - CERTAINTY[before.confidence]
  if (gain < 0) return 'worse'
  if (gain > 0) return after.confidence === 'sure' ? 'answered' : 'improved'
  return before.reply === after.reply ? 'unchanged' : 'changed'
}
