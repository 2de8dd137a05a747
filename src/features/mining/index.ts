export { miningRoutes, toFilter as toTicketFilter } from './routes.ts'
export { MiningRequest } from './schemas.ts'
export { createMining, type Mining, type MiningOptions } from './service.ts'
