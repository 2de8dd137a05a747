// Linux alone tells which file a descriptor is.
import { describe, expect, it } from 'vitest'
import { chooseSeed } from '../../contract/support/random.ts'
import { cutPower } from '../../support/power/power-cuts.ts'

/** `test/full/power-cuts.test.ts` does it at two hundred moments. */
describe.skipIf(process.platform !== 'linux')('a power cut', () => {
  it.each(['second', 'commit'] as const)(
    'at some moments with EMBEDDED_SYNC=%s',
    { timeout: 900_000 },
    async (sync) => {
      const seed = chooseSeed()
      console.info(`Cut with TEST_SEED=${seed}`)
      const report = await cutPower(sync, 5, 120, seed)
      console.info(sync, report)
      expect(report.acknowledged).toBeGreaterThan(0)
    },
  )

  it('destroys what nothing brings to the disk, as it was before: the proof can fail', {
    timeout: 900_000,
  }, async () => {
    // Some cuts spare everything: a few of them would now and then be all that are tried.
    const report = await cutPower('off', 10, 60, 7)
    console.info('off', report)
    expect(report.taken + report.broken).toBeGreaterThan(0)
  })
})
