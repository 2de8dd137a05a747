export { DEFAULT_RETRIEVAL_PARAMETERS, type RetrievalParameters } from './parameters.ts'
export { knowledgeRoutes } from './routes.ts'
export { createKnowledge, type IngestRequest, type Knowledge } from './service.ts'
export type { DocumentMetadata, IngestResult, SearchHit, SearchRequest } from './types.ts'
