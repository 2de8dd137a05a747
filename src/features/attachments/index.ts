export { attachmentRoutes } from './routes.ts'
export { createAttachments } from './service.ts'
