import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { RecommendBody, RecommendResponse, SessionParams } from './schemas.ts'
import type { AgentAssist, Recommendation } from './service.ts'

const tags = ['agent-assist']

export function agentAssistRoutes(app: App, { agentAssist }: { agentAssist: AgentAssist }): void {
  app.post(
    '/api/v1/agent/sessions/:session_id/knowledge-recommend',
    {
      schema: {
        summary: 'Passages that help to answer',
        description: 'An unknown session or a failing retrieval is 200 as well.',
        tags,
        params: SessionParams,
        body: RecommendBody,
        response: { 200: RecommendResponse, ...errors(401, 422) },
      },
    },
    async ({ body }) => {
      const hits = await agentAssist.recommend(body.query, body.top_k ?? 5)
      return { chunks: hits.map(presentHit), total: hits.length }
    },
  )
}

function presentHit(hit: Recommendation) {
  return {
    content: hit.content,
    score: hit.score,
    source: hit.source,
    doc_id: hit.docId,
    version: `v${hit.version}`,
    question: hit.question,
    heading_path: hit.headingPath,
    page: hit.page,
    metadata: hit.metadata,
  }
}
