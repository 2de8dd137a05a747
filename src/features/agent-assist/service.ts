import type { Knowledge, SearchHit } from '../knowledge/index.ts'

export interface AgentAssistOptions {
  knowledge: Pick<Knowledge, 'search'>
  log: { warn(details: object, message: string): void }
}

export type AgentAssist = ReturnType<typeof createAgentAssist>
export type Recommendation = SearchHit

/** What people who answer customers work with. */
export function createAgentAssist({ knowledge, log }: AgentAssistOptions) {
  return {
    /** Passages for a person to answer with; none when retrieval fails, since the person can still answer. */
    async recommend(query: string, topK: number): Promise<Recommendation[]> {
      try {
        return await knowledge.search({ query, topK })
      } catch (error) {
        log.warn({ err: error }, 'Retrieval failed; recommending nothing')
        return []
      }
    },
  }
}
