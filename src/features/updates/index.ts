export { updateRoutes } from './routes.ts'
export { createUpdates, type Updates } from './service.ts'
