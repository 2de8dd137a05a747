import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Each test file has a process of its own; without it half of its time would be compiling the same libraries again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache/compiled')

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: ['test/full/**', 'node_modules/**'],
    globalSetup: ['scripts/check-test-database.ts', 'test/support/scratch.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Threads share one process: native code of ended ones brought it down once. Processes are their own.
    pool: 'forks',
    // Each worker may run an embedded database; more of them than cores only makes every test slower.
    maxWorkers: 2,
    reporters: process.env.TEST_REPORT ? ['default', ['json', { outputFile: process.env.TEST_REPORT }]] : ['default'],
  },
})
