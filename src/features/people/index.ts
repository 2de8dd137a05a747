export { peopleRoutes } from './routes.ts'
export { createPeople, type People } from './service.ts'
export type { Member } from './types.ts'
