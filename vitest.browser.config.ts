import { defineConfig } from 'vitest/config'
import { forEveryFile, forEveryRun } from './vitest.config.ts'

/** Pages in a real browser: one file after the other, as they share it with nobody. */
export default defineConfig({
  test: {
    ...forEveryRun,
    ...forEveryFile,
    globalSetup: [...(forEveryRun.globalSetup as string[]), 'test/browser/support/build.ts'],
    include: ['test/browser/**/*.test.ts'],
    maxWorkers: 1,
    fileParallelism: false,
  },
})
