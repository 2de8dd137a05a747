import { describe, expect, it } from 'vitest'
import { every } from './interval.ts'

const log = { warn: () => {} }

describe('a periodic task', () => {
  it('runs again and again, also after a failure', async () => {
    let runs = 0
    let third = (): void => {}
    const done = new Promise<void>((resolve) => {
      third = resolve
    })
    const warnings: string[] = []
    const work = async () => {
      runs += 1
      if (runs === 3) third()
      if (runs === 1) throw new Error('first')
    }
    const task = every(2, work, { warn: (_details, message) => void warnings.push(message) })
    await done
    await task.stop()
    const after = runs
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(runs).toBe(after)
    expect(warnings).toEqual(['A periodic task failed'])
  })

  it('never runs twice at once, and stopping waits for the run under way', async () => {
    let running = 0
    let most = 0
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const work = async () => {
      most = Math.max(most, ++running)
      await gate
      running -= 1
    }
    const task = every(3_600_000, work, log)
    const runs = [task.run(), task.run()]
    const stopped = task.stop().then(() => running)
    release()
    await Promise.all(runs)
    expect(await stopped).toBe(0)
    expect(most).toBe(1)
  })
})
