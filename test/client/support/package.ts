import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
export function conversationOf(client = 'frontdesk-client'): string {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  return program.replace("'frontdesk-client'", `'${client}'`)
}

/** A project of somebody else, who has installed the package as it would be published. */
export function writeProject(): string {
  const built = writePackage('built')
  const project = mkdtempSync(join(scratchFolder(), 'frontdesk-client-project-'))
  try {
    const { status, stdout } = spawnSync('tsc', ['--project', built], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stdout)
    for (const part of ['dist', 'package.json']) {
      cpSync(join(built, part), join(project, 'node_modules/frontdesk-client', part), { recursive: true })
    }
  } finally {
    rmSync(built, { recursive: true })
  }
  writeFileSync(join(project, 'package.json'), '{"type": "module"}')
  return project
}
