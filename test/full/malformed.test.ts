import { expect, it } from 'vitest'
import { expectToStand } from '../contract/support/malformed/run.ts'

it('stands 10,000 malformed requests', async () => {
  const { byStatus, byKind, memoryBytes } = await expectToStand(10_000)
  console.info({ byStatus, byKind, memoryBytes })
  const answered = Object.values(byStatus).reduce((sum, count) => sum + count, 0)
  expect(answered).toBe(10_000)
})
