export { businessRoutes } from './routes.ts'
export { type Business, createBusiness } from './service.ts'
