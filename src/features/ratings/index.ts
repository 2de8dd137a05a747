export { presentRating } from './present.ts'
export { ratingRoutes } from './routes.ts'
export { createRatings } from './service.ts'
