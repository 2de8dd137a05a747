export { supportedExtensions } from './formats/detect.ts'
export { loadHtml } from './formats/html/parse.ts'
export { readWorkbook } from './formats/office/xlsx.ts'
export { contentHash, documentIdOf, SOLUTION_PREFIX, shownName } from './ingest/identity.ts'
export type { IngestRequest } from './ingest/ingest.ts'
export type { Publication } from './ingest/publish.ts'
export type { StoredFile } from './ingest/queries.ts'
export { readQualityLists } from './quality/lists.ts'
export { yesOrNo } from './quality/permissions.ts'
export type { QualityFilter, QualityReport } from './quality/service.ts'
export { findServedEmbedder } from './retrieval/embeddings/queries.ts'
export type { DroppedCandidate, ExplainedHit, ExplainedSearch } from './retrieval/explained-search.ts'
export type { Highlight } from './retrieval/highlights.ts'
export { withoutNearDuplicates } from './retrieval/near-duplicates.ts'
export { joinNeighbours, withoutRepetition } from './retrieval/neighbours.ts'
export { DEFAULT_RETRIEVAL_PARAMETERS, type RetrievalParameters } from './retrieval/parameters.ts'
export {
  isQuestionWord,
  type QuestionType,
  questionType,
  withoutQuantities,
} from './retrieval/ranking/question-type.ts'
export type { ExplainedCandidate } from './retrieval/ranking/types.ts'
export { knowledgeRoutes } from './routes.ts'
export { createKnowledge, type Knowledge } from './service.ts'
export type {
  Audience,
  DocumentMetadata,
  IngestResult,
  Passage,
  SearchHit,
  SearchRequest,
  SearchStage,
} from './types.ts'
