export type { Answer, ReplayedAnswer } from './replay.ts'
export { solutionRoutes } from './routes.ts'
export { createSolutions, type ExpectedAnswer, type Solutions, type SolutionsOptions } from './service.ts'
export type { Candidate, Solution } from './solution-types.ts'
