import { readFileSync } from 'node:fs'
import { readMigrations } from '../../src/platform/postgres/migrate.ts'

const ROOT = new URL('../../', import.meta.url)

/** The part of an archive that names the program that made it, and decides whether another one may restore it. */
export function thisProgram(): { frontdesk: string; migrations: number } {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string }
  return { frontdesk: version, migrations: readMigrations(new URL('migrations/', ROOT).pathname).length }
}
