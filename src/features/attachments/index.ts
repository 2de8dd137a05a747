export { presenter as attachmentPresenter } from './present.ts'
export { readFilesOf } from './queries.ts'
export { attachmentRoutes } from './routes.ts'
export { type Attachments, createAttachments } from './service.ts'
