// `npm run check`: every static check, all of them even when one fails, so that one run shows all there is to mend.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const CHECKS: { name: string; command: string; args: string[] }[] = [
  { name: 'format and lint', command: 'biome', args: ['check', '--diagnostic-level=warn', '--max-diagnostics=200'] },
  { name: 'types', command: 'tsc', args: ['--noEmit', '--pretty'] },
  { name: 'types of pages', command: 'tsc', args: ['--noEmit', '--pretty', '--project', 'web'] },
  { name: 'import rules', command: 'depcruise', args: ['src', 'test', 'bench', 'scripts', 'web'] },
  { name: 'unused code', command: 'knip', args: ['--no-progress'] },
]

const root = join(import.meta.dirname, '..')
const outcomes = CHECKS.map((check) => ({ ...check, ...run(check.command, check.args) }))

console.log('')
for (const { name, passed, seconds } of outcomes) {
  console.log(`${passed ? '✔' : '✖'} ${name.padEnd(16)} ${seconds.toFixed(1)} s`)
}
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1

function run(command: string, args: string[]): { passed: boolean; seconds: number } {
  console.log(`\n── ${command} ${args.join(' ')}`)
  const start = performance.now()
  // npm puts node_modules/.bin, and with it the pinned Node, at the front of PATH.
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (error) console.log(error.message)
  return { passed: status === 0, seconds: (performance.now() - start) / 1000 }
}
