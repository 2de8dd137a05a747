import { expect, it } from 'vitest'
import { storingMeanwhile } from './store-meanwhile.ts'

const NEVER_MS = 3_600_000

function opening(error?: Error) {
  const stored: string[] = []
  const store = async (): Promise<void> => {
    stored.push('message')
    if (error) throw error
  }
  return { stored, store }
}

it('leaves the message to be stored with a reply that is there soon', async () => {
  const turn = opening()
  expect(await storingMeanwhile(turn, Promise.resolve('plan'), { atOnce: false, afterMs: NEVER_MS })).toBe('plan')
  expect(turn.stored).toEqual([])
})

it('stores it while the work goes on, after a moment or at once', async () => {
  for (const when of [
    { atOnce: false, afterMs: 1 },
    { atOnce: true, afterMs: NEVER_MS },
  ]) {
    const turn = opening()
    const { promise, resolve } = Promise.withResolvers<string>()
    const waiting = storingMeanwhile(turn, promise, when)
    await expect.poll(() => turn.stored).toEqual(['message'])
    resolve('plan')
    expect(await waiting).toBe('plan')
    expect(turn.stored).toEqual(['message'])
  }
})

it('stores what could not be answered, once, and tells why it was not', async () => {
  for (const atOnce of [false, true]) {
    const turn = opening()
    const failing = Promise.reject(new Error('search'))
    await expect(storingMeanwhile(turn, failing, { atOnce, afterMs: NEVER_MS })).rejects.toThrow('search')
    expect(turn.stored).toEqual(['message'])
  }
  const both = opening(new Error('store'))
  const failing = Promise.reject(new Error('search'))
  await expect(storingMeanwhile(both, failing, { atOnce: false })).rejects.toThrow('search')
})

it('fails where the message could not be stored', async () => {
  const turn = opening(new Error('store'))
  await expect(storingMeanwhile(turn, Promise.resolve('plan'), { atOnce: true })).rejects.toThrow('store')
})
