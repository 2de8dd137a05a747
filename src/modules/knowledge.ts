import { listOfPaths } from '../config.ts'
import { turnSettings } from '../features/chat/index.ts'
import { createKnowledge, findServedEmbedder, knowledgeRoutes, readQualityLists } from '../features/knowledge/index.ts'
import type { Tuner } from '../features/tuning/index.ts'
import type { App } from '../http/server.ts'
import type { Analyser } from '../language/words/analyser.ts'
import type { BreakerRegistry } from '../platform/breaker.ts'
import { createEmbedders } from './embedders.ts'
import type { Ground } from './module.ts'
import { createReranker } from './reranking.ts'

export interface KnowledgeModuleOptions {
  analyser: Analyser
  /** That the analyser was made with. */
  userDictionary: string
  breakers: BreakerRegistry
  tuner: Pick<Tuner, 'current'>
}

/** The knowledge base with the embedders, the reranker and the word lists that the settings name. */
export async function openKnowledge(
  { config, db, log }: Ground,
  { analyser, userDictionary, breakers, tuner }: KnowledgeModuleOptions,
) {
  const served = await findServedEmbedder(db.executor)
  const knowledge = await createKnowledge({
    db,
    analyser,
    embedders: await createEmbedders({ config, analyser, breaker: breakers.get('embedding'), served, log }),
    reranker: createReranker({ config, breaker: breakers.get('rerank'), log }),
    parameters: () => turnSettings(tuner.current().params).retrieval,
    qualityLists: readQualityLists({
      glossary: config.GLOSSARY_FILE,
      sensitiveWords: listOfPaths(config.SENSITIVE_WORDS_FILES),
      userDictionary,
    }),
    originalsMaxBytes: config.ORIGINALS_MAX_MB * 1_048_576,
    residentPassages: config.RESIDENT_PASSAGES,
    log,
  })
  const maxUploadMb = config.MAX_UPLOAD_MB
  return {
    service: knowledge,
    routes: (app: App) => app.register((scope) => knowledgeRoutes(scope, { knowledge, maxUploadMb })),
    close: knowledge.close,
  }
}
