export {
  hashKey,
  isKeyName,
  makeKey,
  newKeyId,
  parseKeyFile,
  renderKeyFile,
  type StoredKey,
} from './key-file.ts'
export { keyRoutes } from './routes.ts'
export { createKeys, type Keys } from './service.ts'
