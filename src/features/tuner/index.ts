export { findProblems, type TunerParameters } from './parameters.ts'
export { tunerRoutes } from './routes.ts'
export { createTuner, type Tuner, type TunerView } from './service.ts'
