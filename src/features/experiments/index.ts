export { experimentRoutes } from './routes.ts'
export { createExperiments, type Experiments } from './service.ts'
