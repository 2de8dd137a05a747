export { websiteRoutes } from './routes.ts'
export { WebsiteBody } from './schemas.ts'
export { createWebsiteImports, type WebsiteImports, type WebsiteOptions } from './service.ts'
