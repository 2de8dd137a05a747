import type { Chat, Understand } from '../features/chat/index.ts'
import type { Evaluation } from '../features/evaluation/index.ts'
import type { Business } from '../features/orders/index.ts'
import { createSolutions, type SolutionsOptions, solutionRoutes } from '../features/solutions/index.ts'
import type { App } from '../http/server.ts'
import type { Ground } from './module.ts'

export interface SolutionsModuleOptions extends Pick<SolutionsOptions, 'knowledge'> {
  orders: Pick<Business, 'recordsOf'>
  chat: Pick<Chat, 'preview'>
  understand: Understand
  evaluation: { testsets: Pick<Evaluation['testsets'], 'addCase' | 'dropCase'> }
}

/** Answers of people, which become cases of the evaluation when they are approved. */
export function openSolutions(
  { db, log }: Ground,
  { chat, understand, evaluation, knowledge, orders }: SolutionsModuleOptions,
) {
  const solutions = createSolutions({
    db,
    knowledge,
    recordsOf: orders.recordsOf,
    intentOf: (text) => understand(text).intent,
    answer: (message, search) => chat.preview({ message, history: [], search }),
    addEvaluationCase: (executor, { query, source, category }) =>
      evaluation.testsets.addCase(executor, { query, expectedSources: [source], category }),
    dropEvaluationCase: evaluation.testsets.dropCase,
    log,
  })
  return { service: solutions, routes: (app: App) => solutionRoutes(app, { solutions }), close: () => {} }
}
