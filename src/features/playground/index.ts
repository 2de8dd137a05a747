export { playgroundRoutes } from './routes.ts'
export { createPlayground, type Playground, type PlaygroundOptions } from './service.ts'
