import { expect, it } from 'vitest'
import { expectToStand } from './support/malformed/run.ts'

/** `test/full/malformed.test.ts` sends ten thousand. */
it('stands 500 malformed requests', { timeout: 400_000 }, async () => {
  const { byStatus } = await expectToStand(500)
  expect(Object.keys(byStatus)).toEqual(expect.arrayContaining(['400', '401', '404', '405', '415', '422']))
})
