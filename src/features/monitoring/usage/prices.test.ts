import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { costOf, NO_PRICES, parsePrices } from './prices.ts'

describe('a price file', () => {
  it('gives the price of a model per million tokens', () => {
    const prices = parsePrices(readFileSync(new URL('../../../../sample/prices.yaml', import.meta.url), 'utf8'))
    expect(prices.currency).toBe('USD')
    expect(costOf(prices, 'example-model', { inputTokens: 2_000_000, outputTokens: 500_000 })).toBe(4)
    expect(costOf(prices, 'unknown', { inputTokens: 1, outputTokens: 1 })).toBeNull()
    expect(costOf(NO_PRICES, 'example-model', { inputTokens: 1, outputTokens: 1 })).toBeNull()
  })

  it.each([
    ['', 'the file must hold names and values'],
    ['[]', 'the file must hold names and values'],
    ['models: {}', 'currency must be a text'],
    ['currency: EUR', 'models must hold names and values'],
    ['currency: EUR\nmodels: {m: 3}', 'm must hold names and values'],
    ['currency: EUR\nmodels: {m: {input: 1}}', 'm.output must be a number of at least 0'],
    ['currency: EUR\nmodels: {m: {input: -1, output: 1}}', 'm.input must be a number of at least 0'],
    ['currency: EUR\nmodels: {m: {input: .inf, output: 1}}', 'm.input must be a number of at least 0'],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parsePrices(text)).toThrow(message)
  })
})
