import { createRequire } from 'node:module'

/** Of one model, per million tokens. */
interface Price {
  input: number
  output: number
}

export interface Prices {
  currency: string
  models: ReadonlyMap<string, Price>
}

/** Few have such a file. */
const require = createRequire(import.meta.url)
const yaml = (): typeof import('yaml') => require('yaml')

export const NO_PRICES: Prices = { currency: '', models: new Map() }

/**
 * Reads a price file: `currency`, and `models` with `input` and `output` per million tokens by model name.
 * Throws an error that names what is wrong.
 */
export function parsePrices(text: string): Prices {
  const { currency, models } = fieldsOf(yaml().parse(text), 'the file')
  if (typeof currency !== 'string' || currency === '') throw new Error('PRICES_FILE: currency must be a text')
  const entries = Object.entries(fieldsOf(models, 'models')).map(([model, price]): [string, Price] => {
    const { input, output } = fieldsOf(price, model)
    return [model, { input: amount(input, `${model}.input`), output: amount(output, `${model}.output`) }]
  })
  return { currency, models: new Map(entries) }
}

/** In the currency of the prices; null when the model has no price. */
export function costOf(
  prices: Prices,
  model: string,
  tokens: { inputTokens: number; outputTokens: number },
): number | null {
  const price = prices.models.get(model)
  if (!price) return null
  return (tokens.inputTokens * price.input + tokens.outputTokens * price.output) / 1_000_000
}

function fieldsOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Error(`PRICES_FILE: ${name} must hold names and values`)
}

function amount(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new Error(`PRICES_FILE: ${name} must be a number of at least 0`)
}
