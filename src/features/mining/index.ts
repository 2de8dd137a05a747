export { miningRoutes } from './routes.ts'
export { createMining, type Mining, type MiningOptions } from './service.ts'
