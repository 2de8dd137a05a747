export { createVersionReplay, type ReplayOptions } from './replay.ts'
export { playgroundRoutes } from './routes.ts'
export { createPlayground, type Playground, type PlaygroundOptions } from './service.ts'
