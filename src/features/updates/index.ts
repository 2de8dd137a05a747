export { folderAsked, updateRoutes } from './routes.ts'
export { StartRequest } from './schemas.ts'
export { createUpdates, type Updates } from './service.ts'
