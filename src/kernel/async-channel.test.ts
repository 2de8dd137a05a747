import { expect, test } from 'vitest'
import { asyncChannel, ConsumerLeft } from './async-channel.ts'

test('gives items in their order and ends in the result, one step behind the consumer', async () => {
  const log: string[] = []
  const items = asyncChannel<number, string>(async (give) => {
    for (const item of [1, 2]) {
      log.push(`gives ${item}`)
      await give(item)
      log.push(`gave ${item}`)
    }
    return 'done'
  })
  expect(log).toEqual([])
  expect(await items.next()).toEqual({ done: false, value: 1 })
  expect(log).toEqual(['gives 1'])
  expect(await items.next()).toEqual({ done: false, value: 2 })
  expect(log).toEqual(['gives 1', 'gave 1', 'gives 2'])
  expect(await items.next()).toEqual({ done: true, value: 'done' })
  expect(log).toEqual(['gives 1', 'gave 1', 'gives 2', 'gave 2'])
})

test('throws what the work rejects with', async () => {
  const items = asyncChannel<number, void>(async (give) => {
    await give(1)
    throw new Error('broken')
  })
  expect((await items.next()).value).toBe(1)
  await expect(items.next()).rejects.toThrow('broken')
})

test('tells the work that the consumer left, and waits until it has ended', async () => {
  const log: unknown[] = []
  const items = asyncChannel<number, void>(async (give) => {
    try {
      await give(1)
    } catch (error) {
      log.push(error)
      await new Promise(setImmediate)
      log.push('tidied up')
      // A sender who does not mind is told again.
      await give(2).catch((again: unknown) => log.push(again))
    }
  })
  for await (const item of items) {
    expect(item).toBe(1)
    break
  }
  expect(log).toEqual([expect.any(ConsumerLeft), 'tidied up', expect.any(ConsumerLeft)])
})

test('work that fails after its consumer left fails quietly', async () => {
  const items = asyncChannel<number, void>(async (give) => {
    await give(1).catch(() => {})
    throw new Error('nobody hears')
  })
  await items.next()
  expect(await items.return()).toEqual({ done: true, value: undefined })
})
