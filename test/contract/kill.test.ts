import { afterEach, expect, it } from 'vitest'
import { newStorage, type Storage } from './support/child.ts'
import { killRounds } from './support/kill-rounds.ts'
import { chooseSeed } from './support/random.ts'

let storage: Storage | undefined
afterEach(() => storage?.remove())

/** Again and again in `test/full/each-change/kill.test.ts` and `test/full/kill.test.ts`. */
it('loses nothing that was acknowledged when it is killed during uploads', { timeout: 400_000 }, async () => {
  storage = await newStorage()
  const seed = chooseSeed()
  console.info(`Killed with TEST_SEED=${seed}`)
  const report = await killRounds(storage, 1, seed)
  expect(report.acknowledged).toBeGreaterThan(0)
})
