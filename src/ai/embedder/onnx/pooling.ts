import { unitVector } from '../unit-vector.ts'

/** How a model's vectors of tokens become one of the text: their mean, or that of the first token. */
export type Pooling = 'mean' | 'first'

/**
 * One vector of length 1 for each text.
 *
 * @param tokens the model's output, [texts × length × dimensions] or, when the model pools itself, [texts × dimensions]
 * @param mask 1 for a token of the text, 0 for padding, [texts × length]
 */
export function poolVectors(
  tokens: { data: Float32Array; dims: readonly number[] },
  mask: BigInt64Array,
  pooling: Pooling,
): Float32Array[] {
  const [texts = 0, length = 0] = tokens.dims
  const dimensions = tokens.dims.at(-1) ?? 0
  return Array.from({ length: texts }, (_, text) => {
    if (tokens.dims.length === 2) return unitVector(tokens.data.slice(text * dimensions, (text + 1) * dimensions))
    const vector = new Float32Array(dimensions)
    for (let token = 0; token < (pooling === 'first' ? 1 : length); token++) {
      if (mask[text * length + token] === 0n) continue
      const start = (text * length + token) * dimensions
      for (let i = 0; i < dimensions; i++) vector[i]! += tokens.data[start + i]!
    }
    return unitVector(vector)
  })
}
