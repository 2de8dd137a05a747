export { deskRoutes } from './routes.ts'
export { createDesk } from './service.ts'
