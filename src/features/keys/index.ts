export { keyRoutes } from './routes.ts'
export { createKeys } from './service.ts'
