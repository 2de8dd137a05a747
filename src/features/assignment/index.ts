export { assignmentRoutes } from './routes.ts'
export { type Assignment, createAssignment } from './service.ts'
