export type { DemoCustomer, HelpPage, RecordsOf } from './demo.ts'
export { demoRoutes } from './demo-routes.ts'
export { loadPages } from './files.ts'
export { webRoutes } from './routes.ts'
