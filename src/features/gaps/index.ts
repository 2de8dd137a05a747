export { gapRoutes } from './routes.ts'
export { createGaps, type Gaps, type GapsOptions } from './service.ts'
