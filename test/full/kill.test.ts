import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { launch, newFolder, newStorage, type Storage, startChild } from '../contract/support/child.ts'
import { killRounds } from '../contract/support/kill-rounds.ts'
import { chooseSeed } from '../contract/support/random.ts'

const storages: Storage[] = []
afterEach(async () => {
  await Promise.all(storages.splice(0).map((storage) => storage.remove()))
})

describe('SIGKILL', () => {
  it('50 times during uploads: what was acknowledged is there, nothing is half published', {
    timeout: 7_200_000,
  }, async () => {
    const storage = await newStorage()
    storages.push(storage)
    const seed = chooseSeed()
    console.info(`Killed with TEST_SEED=${seed}`)
    const { startsMs, ...report } = await killRounds(storage, 50, seed)
    const median = startsMs.toSorted((a, b) => a - b)[Math.floor(startsMs.length / 2)]
    console.info({ ...report, medianStartMs: median, slowestStartMs: Math.max(...startsMs) })
    expect(report.rounds).toBe(50)
    expect(report.acknowledged).toBeGreaterThan(50)
    expect(report.cut.lost + report.cut.published).toBeGreaterThan(0)
  })

  /** Until when it is killed: before, during and after the making of the database. */
  it.each([100, 400, 800, 1_200, 1_600, 2_000, 2_400, 2_800, 3_200, 3_600, 4_000, 5_000])(
    'during the first start, after %d ms: the next start is clean',
    async (delayMs) => {
      const storage = await newFolder()
      storages.push(storage)
      const first = launch(storage)
      await sleep(delayMs)
      first.process.kill('SIGKILL')
      await first.exited
      const next = await startChild(storage)
      const response = await fetch(`${next.origin}/api/v1/knowledge/stats`)
      expect(await response.json()).toMatchObject({ total_documents: 0, total_chunks: 0 })
      expect(await next.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    },
  )
})
