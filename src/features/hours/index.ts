export { hoursRoutes } from './routes.ts'
export { createHours, type WorkingHours } from './service.ts'
