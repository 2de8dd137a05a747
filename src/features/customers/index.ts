export { HOLDINGS } from './holdings.ts'
export { privacyRoutes } from './routes.ts'
export { createPrivacy, type Privacy } from './service.ts'
