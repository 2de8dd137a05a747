export {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Input,
  type Result,
  type Route,
} from './client.ts'
export { FrontdeskError } from './error.ts'
export * from './generated/operations.ts'
export type * from './generated/routes.ts'
export { type PagedRoute, pages } from './pages.ts'
export { type StreamEvent, type StreamRoute, stream } from './stream.ts'
export type { Upload } from './upload.ts'
