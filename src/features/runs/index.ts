export { type RunKind, runRoutes } from './routes.ts'
