import type { Business, BusinessResult, BusinessSession } from '../../orders/index.ts'
import { namesSubject } from '../reply/piece.ts'
import { answerFromKnowledge, type KnowledgeAgent } from './knowledge-agent.ts'
import { emptyResult, type Task, type TaskResult } from './task.ts'

export interface BusinessAgent extends KnowledgeAgent {
  /** The shop's own systems. */
  business: Pick<Business, 'run' | 'holdsRecords'>
}

/** Rules that fit a question this well are what was asked for: by somebody, too, who names an order of their own. */
const RULES_SCORE = 0.8

type Asker = BusinessSession & { language: string }

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
  // To say who one is leads nowhere where there is nothing to see.
  if (!task.orders.introduces && !(await deps.business.holdsRecords()))
    return { ...result, business: { ...business, outcome: 'none', restriction: null } }
  // Who is not known can be told the rules, and what it takes to see more.
  const isOwn = task.orders.references.length > 0 || !namesSubject(task.question, deps.terms)
  const areAskedFor = (found.hits[0]?.score ?? 0) >= RULES_SCORE
  if (found.confidence === 'sure' && (areAskedFor || !isOwn)) {
    // Who wants something done learns from rules how to do it, and from the rest how to have it done here.
    const isAll = areAskedFor && !isOwn && task.orders.asks !== 'change'
    return isAll ? result : { ...result, answer: `${found.answer}\n\n${business.reply}` }
  }
  const asks = { ...result, agent: 'business', confidence: 'asks' } as const
  if (found.confidence === 'close' && !isOwn) return { ...asks, answer: `${business.reply}\n\n${found.answer}` }
  return { ...asks, answer: business.reply, sources: [], suggestions: [], rest: '' }
}

function confidenceOf({ outcome }: BusinessResult): TaskResult['confidence'] {
  if (outcome === 'failed') return 'none'
  return outcome === 'ask' || outcome === 'confirm' ? 'asks' : 'sure'
}
