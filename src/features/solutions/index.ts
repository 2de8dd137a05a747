export { type Answer, type Replay, type ReplayedAnswer, replayQuestions } from './replay.ts'
export { solutionRoutes } from './routes.ts'
export { createSolutions, type ExpectedAnswer, type Solutions, type SolutionsOptions } from './service.ts'
export type { Candidate, Draft, Solution } from './solution-types.ts'
