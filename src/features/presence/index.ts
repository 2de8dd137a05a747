export { presenceRoutes } from './routes.ts'
export { createPresence } from './service.ts'
