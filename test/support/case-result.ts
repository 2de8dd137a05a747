import { type CaseResult, isAnswerable } from '../../src/features/evaluation/types.ts'

/** A case that went as said, for tests; the rest follows from that. */
export function caseResult(given: Partial<CaseResult>): CaseResult {
  const { targetRanks = [] } = given
  const found = targetRanks.filter((rank) => rank !== null)
  const rank = found.length > 0 ? Math.min(...found) : null
  const base: CaseResult = {
    query: 'How long?',
    expectedSources: ['a.md'],
    expectedDocIds: [],
    expectedContent: [],
    category: 'general',
    history: [],
    queries: [],
    retrieved: [],
    targetRanks,
    rank,
    hit: false,
    answer: '',
    confidence: 'sure',
    answerRight: true,
    latencyMs: 1,
    ...given,
  }
  return { ...base, hit: given.hit ?? (isAnswerable(base) ? rank !== null : base.confidence === 'none') }
}
