import { describe, expect, it } from 'vitest'
import { createPriorityGate } from './priority-gate.ts'

describe('background work', () => {
  it('goes on at once when nobody waits', async () => {
    const order: string[] = []
    const work = createPriorityGate()
      .giveWay()
      .then(() => order.push('background'))
    setTimeout(() => order.push('timer'), 50)
    await work
    expect(order).toEqual(['background'])
  })

  it('goes on when the last of those who wait is served', async () => {
    const foreground = createPriorityGate()
    const [first, second] = [foreground.begin(), foreground.begin()]
    const order: string[] = []
    const work = foreground.giveWay().then(() => order.push('background'))
    first()
    // Ending twice counts once.
    first()
    setTimeout(() => {
      order.push('served')
      second()
    }, 20)
    await work
    expect(order).toEqual(['served', 'background'])
  })

  it('is not held up for ever', async () => {
    const foreground = createPriorityGate()
    foreground.begin()
    await expect(foreground.giveWay()).resolves.toBeUndefined()
  })
})
