export { maskValue } from './format.ts'
export type { Finding, MaskKind } from './kinds.ts'
export { maskRecord } from './record.ts'
export { findPersonal, type MaskTextOptions, maskText } from './text.ts'
