import type { SearchHit } from '../knowledge/index.ts'
import { answerFromKnowledge, type KnowledgeAgent } from './agents/knowledge-agent.ts'
import type { Task } from './agents/task.ts'
import type { Understand } from './understanding/understanding.ts'

export interface QuestionAnswer {
  reply: string
  confidence: 'sure' | 'close' | 'asks' | 'none'
  sources: { source: string; score: number }[]
}

/** What the assistant would say to one question outside any conversation, without a model, by what `search` finds. */
export async function answerQuestion(
  deps: Omit<KnowledgeAgent, 'knowledge'> & { understand: Understand },
  question: string,
  search: (query: string) => Promise<SearchHit[]>,
): Promise<QuestionAnswer> {
  const { intent, replyLanguage } = deps.understand(question)
  const task: Task = { taskId: '', agent: 'knowledge', question, readings: [question], intent, scene: 'none' }
  const agent = { ...deps, knowledge: { search: ({ query }: { query: string }) => search(query) } }
  const { answer, confidence, sources } = await answerFromKnowledge(agent, task, replyLanguage)
  return { reply: answer, confidence, sources: sources.map(({ source, score }) => ({ source, score })) }
}
