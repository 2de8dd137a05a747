export { presentRating } from './present.ts'
export { ratingRoutes } from './routes.ts'
export { createRatings, type Ratings } from './service.ts'
