export type { Demo, DemoCustomer } from './demo.ts'
export { demoRoutes } from './demo-routes.ts'
export { loadPages } from './files.ts'
export { webRoutes } from './routes.ts'
