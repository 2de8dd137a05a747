import type { Business, BusinessResult, BusinessSession } from '../../orders/index.ts'
import { answerFromKnowledge, type KnowledgeAgent } from './knowledge-agent.ts'
import { emptyResult, type Task, type TaskResult } from './task.ts'

export interface BusinessAgent extends KnowledgeAgent {
  /** The shop's own systems. */
  business: Pick<Business, 'run'>
}

type Asker = BusinessSession & { language: string }

/**
 * Somebody who asks for their own order is told the rules only when they fit the question this well; of money that is
 * to come, when they answer surely: how long that takes is the same for everybody.
 */
const RULES_SCORE = 0.8

/**
 * Looks up or changes what belongs to the customer. Questions that turn out to be no such matter, and those an unknown
 * customer asks, may still be answered by the knowledge base.
 */
export async function answerFromBusiness(deps: BusinessAgent, task: Task, asker: Asker): Promise<TaskResult> {
  const language = asker.language === 'zh' ? 'zh' : 'en'
  const business = await deps.business.run({ talk: task.orders, session: asker, language, role: 'customer' })
  if (business.outcome === 'none' || business.outcome === 'unverified') {
    return withKnowledge(deps, task, asker, business)
  }
  const status = business.outcome === 'failed' ? 'failed' : 'done'
  return emptyResult(task, business.reply, { status, business, confidence: confidenceOf(business) })
}

async function withKnowledge(
  deps: BusinessAgent,
  task: Task,
  asker: Asker,
  business: BusinessResult,
): Promise<TaskResult> {
  const found = await answerFromKnowledge(deps, task, asker.language)
  const result: TaskResult = { ...found, agent: 'knowledge', business }
  if (business.outcome === 'none') return result
  // Who is not known can be told the rules, and what it takes to see more.
  const { asks, references } = task.orders
  const isForAll = asks === 'money' && references.length === 0 && found.confidence === 'sure'
  if (!isForAll && (found.hits[0]?.score ?? 0) < RULES_SCORE)
    return { ...result, agent: 'business', answer: business.reply, confidence: 'asks', sources: [] }
  return { ...result, answer: `${found.answer}\n\n${business.reply}` }
}

function confidenceOf({ outcome }: BusinessResult): TaskResult['confidence'] {
  if (outcome === 'failed') return 'none'
  return outcome === 'ask' || outcome === 'confirm' ? 'asks' : 'sure'
}
