// Linux alone tells which file a descriptor is.
import { describe, expect, it } from 'vitest'
import { chooseSeed } from '../contract/support/random.ts'
import { cutPower } from '../support/power/power-cuts.ts'

describe.skipIf(process.platform !== 'linux')('a power cut', () => {
  it.each(['second', 'commit'] as const)(
    'at a hundred moments with EMBEDDED_SYNC=%s',
    { timeout: 7_200_000 },
    async (sync) => {
      const seed = chooseSeed()
      for (let part = 0; part < 4; part++) {
        console.info(`Cut with TEST_SEED=${seed + part}`)
        const report = await cutPower(sync, 25, 400, seed + part)
        console.info(sync, report)
        expect(report.acknowledged).toBeGreaterThan(0)
      }
    },
  )
})
