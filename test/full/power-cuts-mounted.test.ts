import { expect, it } from 'vitest'
import { chooseSeed } from '../contract/support/random.ts'
import { canMount, cutMounted } from '../support/power/mounted-cuts.ts'

// The second proof beside power-cuts.test.ts: here the kernel says what is on the disk, and not a model of it.
it.skipIf(process.platform !== 'linux' || !canMount()).each([
  ['second', 20],
  ['commit', 10],
  // What is lost where nothing is brought to the disk: without it the other two would prove nothing.
  ['off', 5],
] as const)(
  'cuts under a real file system in an image, with EMBEDDED_SYNC=%s',
  { timeout: 3_600_000 },
  async (sync, cuts) => {
    const seed = chooseSeed()
    console.info(`Cut with TEST_SEED=${seed}`)
    const report = await cutMounted(sync, cuts, seed)
    console.info(sync, report)
    expect(report.acknowledged).toBeGreaterThan(0)
    if (sync === 'off') expect(report.oldestTakenMs).toBeGreaterThan(1_000)
  },
)
