import type { SearchHit } from '../knowledge/index.ts'
import { answerFromKnowledge, type KnowledgeAgent } from './agents/knowledge-agent.ts'
import { planTasks, type RouterInput } from './agents/router.ts'
import { emptyResult, type Task, type TaskResult } from './agents/task.ts'
import { joinPlain } from './compose/compose.ts'
import { phrasesFor } from './phrases.ts'
import type { Turn, Understand } from './understanding/understanding.ts'

export interface DryRunOptions extends Omit<KnowledgeAgent, 'knowledge'>, Pick<RouterInput, 'rewriteFollowUp'> {
  understand: Understand
}

export interface DryRun {
  reply: string
  /** `none`: the reply says that no answer was found; `close` and `asks`: it offers something without being sure. */
  confidence: TaskResult['confidence']
  /** The best first. */
  sources: { docId: string; source: string; score: number }[]
  /** What each part of the message was taken to ask in its conversation. */
  questions: readonly string[]
}

/**
 * What the assistant would reply without a model, by what `search` finds; nothing is stored and nobody is called.
 * Questions about the customer's own orders are answered by the rules alone: there is no customer.
 *
 * @param history what was said before, oldest first
 */
export async function dryRun(
  options: DryRunOptions,
  { message, history }: { message: string; history: readonly Turn[] },
  search: (query: string) => Promise<SearchHit[]>,
): Promise<DryRun> {
  const understanding = options.understand(message, { previousTurns: history })
  const questions = history.filter(({ role }) => role === 'user').map(({ content }) => content)
  const { rewriteFollowUp } = options
  const tasks = planTasks({ message, understanding, context: { questions }, rewriteFollowUp })
  const agent = { ...options, knowledge: { search: ({ query }: { query: string }) => search(query) } }
  const phrases = phrasesFor(understanding.replyLanguage)
  const results = await Promise.all(
    tasks.map((task) => {
      if (answersFromKnowledge(task)) return answerFromKnowledge(agent, task, understanding.replyLanguage)
      const isHandoff = task.agent === 'escalation'
      const answer = isHandoff ? phrases.handoff : phrases.chitchat[understanding.chitchatKind ?? 'small_talk']
      return emptyResult(task, answer, { confidence: 'asks' })
    }),
  )
  return {
    reply: joinPlain(results, { understanding, failedAttempts: 0 }),
    confidence: overall(results),
    sources: results.flatMap(({ sources }) => sources).sort((a, b) => b.score - a.score),
    questions: results.map(({ query }) => query),
  }
}

function answersFromKnowledge({ agent }: Task): boolean {
  return agent === 'knowledge' || agent === 'business'
}

/** One part that is settled is an answer; a message is in vain when all of it is. */
function overall(results: readonly TaskResult[]): TaskResult['confidence'] {
  const order = ['sure', 'close', 'asks'] as const
  return order.find((level) => results.some(({ confidence }) => confidence === level)) ?? 'none'
}
