export { loadPages } from './files.ts'
export { webRoutes } from './routes.ts'
