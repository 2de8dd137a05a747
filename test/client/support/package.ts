import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../../support/scratch.ts'

export const ROOT = join(import.meta.dirname, '../../..')
const PACKAGE = join(ROOT, 'clients/typescript')

/** A copy of the client's package to compile or to change. */
export function writePackage(name: string): string {
  const folder = mkdtempSync(join(scratchFolder(), `frontdesk-client-${name}-`))
  for (const part of ['src', 'package.json', 'tsconfig.json']) {
    cpSync(join(PACKAGE, part), join(folder, part), { recursive: true })
  }
  return folder
}

/** The program of the README, with the client from where it is. */
export function conversationOf(client: string): string {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  return program.replace("'frontdesk-client'", `'${client}'`)
}
