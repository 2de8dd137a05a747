import type { Replay, ReplayChange, ReplayedAnswer } from './replay.ts'
import type { Preview } from './service.ts'
import type { MaskedValue, SimilarPassage, Solution } from './solution-types.ts'

/** From solutions to the bodies of the contract. */

export function presentSolution(solution: Solution) {
  return {
    solution_id: solution.solutionId,
    session_id: solution.sessionId,
    question: solution.question,
    solution: solution.solution,
    intent: solution.intent,
    status: solution.status,
    created_at: solution.createdAt.toISOString(),
    updated_at: solution.updatedAt.toISOString(),
    reviewed_at: solution.reviewedAt?.toISOString() ?? null,
    origin: solution.origin,
    similar: solution.similar.map(presentSimilar),
    details: solution.details,
    doc_id: solution.docId,
    reason: solution.reason,
    reviewer: solution.reviewer,
    masked: solution.masked.map(presentMasked),
    warnings: solution.warnings,
  }
}

export function presentPreview({ solution, published, masked, similar, warnings, replays }: Preview) {
  return {
    solution: presentSolution({ ...solution, masked, similar, warnings }),
    published: { question: published.question, solution: published.solution },
    masked: masked.map(presentMasked),
    similar: similar.map(presentSimilar),
    warnings,
    replays: replays.map(({ before, after, ...replay }) => {
      return { ...replay, before: presentAnswer(before), after: presentAnswer(after) }
    }),
    summary: summarise(replays),
  }
}

function presentMasked({ field, kind }: MaskedValue) {
  return { field: field as string, kind }
}

function presentSimilar({ docId, source, question, content, score }: SimilarPassage) {
  return { doc_id: docId, source, question, content, score }
}

function presentAnswer({ reply, confidence, sources }: ReplayedAnswer) {
  return { reply, confidence: confidence as string, sources: sources.map(({ source, score }) => ({ source, score })) }
}

function summarise(replays: readonly Replay[]): Record<ReplayChange, number> {
  const counts = { answered: 0, changed: 0, improved: 0, worse: 0, unchanged: 0 }
  for (const { change } of replays) counts[change] += 1
  return counts
}
