import { afterEach, expect, it } from 'vitest'
import { newStorage, type Storage } from '../../contract/support/child.ts'
import { killRounds } from '../../contract/support/kill-rounds.ts'
import { chooseSeed } from '../../contract/support/random.ts'

let storage: Storage | undefined
afterEach(() => storage?.remove())

/** `test/full/kill.test.ts` does it fifty times. */
it('loses nothing that was acknowledged when it is killed during uploads', { timeout: 400_000 }, async () => {
  storage = await newStorage()
  const seed = chooseSeed()
  console.info(`Killed with TEST_SEED=${seed}`)
  const report = await killRounds(storage, 3, seed)
  expect(report.acknowledged).toBeGreaterThan(0)
})
