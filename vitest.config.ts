import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

type TestOptions = NonNullable<ViteUserConfig['test']>

// Whatever starts anew need not compile its libraries again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache/compiled')

export const forEveryRun: TestOptions = {
  globalSetup: ['scripts/check-test-database.ts', 'test/support/scratch.ts'],
  reporters: process.env.TEST_REPORT ? ['default', ['json', { outputFile: process.env.TEST_REPORT }]] : ['default'],
}
export const forEveryFile: TestOptions = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes: how soon depends on who else uses the machine.
  expect: { poll: { timeout: 20_000 } },
  // Threads share one process: native code of ended ones brought it down once. Processes are their own.
  pool: 'forks',
}

const files = globSync('{src,test,scripts,web}/**/*.test.ts', { cwd: import.meta.dirname })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/^test\/(?:full|browser)\//.test(path))
  // What is about the embedded database alone says nothing new on a server.
  .filter((path) => !process.env.TEST_DATABASE_URL || !/^src\/platform\/postgres\/(?:data-folder|embedded)/.test(path))
const wantsOwnProcess = (path: string): boolean =>
  readFileSync(join(import.meta.dirname, path), 'utf8').startsWith('// Own process: ')

/**
 * Two processes run nearly all files, one after the other: with a process for each, loading the same libraries again took
 * most of the time. So a file leaves nothing behind: it closes what it opened and restores what it set. One that cannot,
 * or that needs memory by the gigabyte, begins with `// Own process: ` and the reason.
 */
export default defineConfig({
  test: {
    ...forEveryRun,
    // Each worker may run an embedded database; more of them than cores only makes every test slower.
    maxWorkers: 2,
    projects: [
      // In turn: a shared process ends when the next file in the queue wants its own.
      {
        test: {
          ...forEveryFile,
          name: 'own process',
          include: files.filter(wantsOwnProcess),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...forEveryFile,
          name: 'shared',
          include: files.filter((path) => !wantsOwnProcess(path)),
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
