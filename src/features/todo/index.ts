export { type Todo, todoRoutes } from './routes.ts'
