import { snakeName, toSnakeCase } from '../../kernel/snake-case.ts'
import type { DroppedCandidate, ExplainedCandidate, ExplainedHit } from '../knowledge/index.ts'
import type { Tried } from './service.ts'

type ScorePart = NonNullable<ExplainedCandidate['judgement']>['parts'][number]
type PartGroup = 'lexical' | 'question' | 'heading' | 'proximity' | 'semantic' | 'document' | 'form'

/** To what of a passage each part of a score looks. */
const PART_GROUPS: Readonly<Record<ScorePart['name'], PartGroup>> = {
  coverage: 'lexical',
  bm25: 'lexical',
  plainBm25: 'lexical',
  questionCoverage: 'question',
  questionPrecision: 'question',
  otherType: 'question',
  pair: 'question',
  headingCoverage: 'heading',
  topicCoverage: 'heading',
  topicPrecision: 'heading',
  adjacency: 'proximity',
  window: 'proximity',
  semantic: 'semantic',
  model: 'semantic',
  siblings: 'document',
  length: 'form',
  telling: 'form',
  start: 'form',
}

const EXCERPT_CHARACTERS = 200

/** As the endpoint answers; without `isExplained` the passages and what is done with them alone. */
export function presentTried({ query, found, reply, parameters, thresholds }: Tried, isExplained: boolean) {
  const answering = new Set(reply.passages)
  return {
    query,
    total: found.hits.length,
    hits: found.hits.map((hit) => presentHit(hit, answering.has(hit.chunkId), isExplained)),
    reply: { confidence: reply.confidence, text: reply.reply, chunk_ids: [...answering] },
    thresholds: { answer: thresholds.directAnswer, suggest: thresholds.clarify, drop: parameters.min_score },
    params: parameters,
    explanation: isExplained ? presentExplanation(found) : null,
  }
}

function presentHit(hit: ExplainedHit, isAnswer: boolean, isExplained: boolean) {
  const { chunkId, docId, version, source, title, headingPath, question, content, page, kind, url, score } = hit
  return {
    ...toSnakeCase({ chunkId, docId, version: `v${version}`, source, title, headingPath, question, content, page }),
    ...{
      kind,
      url: url ?? null,
      applicable_version: hit.applicableVersion ?? null,
      audience: hit.audience ?? ('customers' as const),
      score,
      is_answer: isAnswer,
    },
    explanation: isExplained
      ? { ...presentCandidate(hit.candidate), reranked_score: hit.rerankedScore, highlights: hit.highlights }
      : null,
  }
}

function presentCandidate(candidate: ExplainedCandidate | null) {
  const { lexicalRank = null, lexicalScore, vectorRank = null, vectorScore, judgement = null } = candidate ?? {}
  return {
    lexical: lexicalRank === null ? null : { rank: lexicalRank, score: lexicalScore ?? 0 },
    vector: vectorRank === null ? null : { rank: vectorRank, score: vectorScore ?? 0 },
    fused_rank: candidate?.fusedRank ?? 0,
    ranking_score: judgement?.score ?? null,
    recency: judgement?.recency ?? null,
    parts: (judgement?.parts ?? []).map(({ name, value, logOdds }) => {
      return { name: snakeName(name), group: PART_GROUPS[name], value, log_odds: logOdds }
    }),
  }
}

function presentDropped({ candidate, passage, score, reason }: DroppedCandidate) {
  const { chunkId, docId, source, title, content } = passage
  const excerpt = content.slice(0, EXCERPT_CHARACTERS)
  return { ...toSnakeCase({ chunkId, docId, source, title, excerpt, score, reason }), ...presentCandidate(candidate) }
}

function presentExplanation({ words, candidates, dropped, stages }: Tried['found']) {
  return {
    words,
    candidates,
    dropped: dropped.map(presentDropped),
    stages: stages.map((stage) => ({ name: stage.name, duration_ms: stage.durationMs })),
  }
}
