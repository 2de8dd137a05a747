export { noteRoutes } from './notes/routes.ts'
export { createNotes } from './notes/service.ts'
export { deskRoutes } from './routes.ts'
export { createDesk } from './service.ts'
