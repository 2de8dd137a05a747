import { defineConfig } from 'vitest/config'
import { forEveryFile, forEveryRun } from './vitest.config.ts'

/** Kills, floods and long runs: minutes each, so they stay out of `npm test`. One at a time, because they use every core. */
export default defineConfig({
  test: {
    ...forEveryRun,
    ...forEveryFile,
    include: ['test/full/**/*.test.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    fileParallelism: false,
  },
})
