export { type AutoTuner, createAutoTuner, type Judge } from './auto.ts'
export { findProblems, TURN_PARAMETERS, type TunerParameters } from './parameters.ts'
export { autoRoutes, tunerRoutes } from './routes.ts'
export { createTuner, type Tuner, type TunerView } from './service.ts'
