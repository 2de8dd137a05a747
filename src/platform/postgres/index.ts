export { type Database, type Executor, type LexicalEngine, notify, ping, toJson } from './database.ts'
export { migrationStatus } from './migrate.ts'
export { type OpenOptions, openDatabase } from './open.ts'
