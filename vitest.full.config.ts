import { defineConfig, mergeConfig } from 'vitest/config'
import standard from './vitest.config.ts'

/** Kills, floods and long runs: minutes each, so they stay out of `npm test`. One at a time, because they use every core. */
export default mergeConfig(
  { ...standard, test: { ...standard.test, include: [], exclude: ['node_modules/**'] } },
  defineConfig({
    test: {
      include: ['test/full/**/*.test.ts'],
      passWithNoTests: true,
      testTimeout: 1_800_000,
      hookTimeout: 300_000,
      maxWorkers: 1,
      fileParallelism: false,
    },
  }),
)
