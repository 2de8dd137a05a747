import { DIMENSIONS } from '../../src/ai/embedder/vectors/format.ts'
import type { Random } from '../../test/contract/support/random.ts'

/** A text as the rows of its words. */
export type Text = Uint32Array

/** What a batch is drawn from: of one family two texts that mean the same. */
export interface Sampler {
  batch(random: Random): [Text, Text][]
}

export interface TrainingOptions {
  steps: number
  rate: number
  random: Random
  progress: (step: number, loss: number) => void
}

const TEMPERATURE = 0.06
const WORD_DROPOUT = 0.3
const BETA1 = 0.9
const BETA2 = 0.999
const EPSILON = 1e-8

/**
 * Moves the rows of words so that texts of one family come close and those of others part: InfoNCE over a batch, in both
 * directions (van den Oord et al., 2018), by Adam (Kingma and Ba, 2015) on the rows that a batch touches.
 */
export function train(rows: Float32Array, sampler: Sampler, { steps, rate, random, progress }: TrainingOptions): void {
  const adam = createAdam(rows)
  for (let step = 1; step <= steps; step++) {
    const pairs = sampler.batch(random)
    const left = pairs.map(([text]) => encode(rows, dropWords(text, random)))
    const right = pairs.map(([, text]) => encode(rows, dropWords(text, random)))
    const { loss, leftGradients, rightGradients } = contrast(left, right)
    const gradients = new Map<number, Float32Array>()
    for (const [i, encoded] of left.entries()) spread(encoded, leftGradients[i] as Float32Array, gradients)
    for (const [i, encoded] of right.entries()) spread(encoded, rightGradients[i] as Float32Array, gradients)
    // The rate falls to nothing, so that the last batches weigh no more than the first.
    adam.step(gradients, rate * (1 - (step - 1) / steps), step)
    if (step % 100 === 0 || step === steps) progress(step, loss)
  }
}

interface Encoded {
  text: Text
  unit: Float32Array
  length: number
}

/** Leaves each word out by chance, so that no single one carries a text; never all. */
function dropWords(text: Text, random: Random): Text {
  const kept = text.filter(() => random() >= WORD_DROPOUT)
  return kept.length > 0 ? kept : text
}

function encode(rows: Float32Array, text: Text): Encoded {
  const sum = sumOf(rows, text)
  const length = Math.sqrt(dot(sum, sum)) || 1
  return { text, length, unit: sum.map((value) => value / length) }
}

/** The sum of a text's rows, from which its vector is made. */
export function sumOf(rows: Float32Array, text: Text): Float32Array {
  const sum = new Float32Array(DIMENSIONS)
  for (const row of text) for (let d = 0; d < DIMENSIONS; d++) sum[d]! += rows[row * DIMENSIONS + d]!
  return sum
}

function contrast(left: readonly Encoded[], right: readonly Encoded[]) {
  const size = left.length
  const similarity = new Float32Array(size * size)
  for (let i = 0; i < size; i++) {
    const one = (left[i] as Encoded).unit
    for (let j = 0; j < size; j++) similarity[i * size + j] = dot(one, (right[j] as Encoded).unit) / TEMPERATURE
  }
  const byRow = softmax(similarity, size, size, 1)
  const byColumn = softmax(similarity, size, 1, size)
  let loss = 0
  for (let i = 0; i < size; i++) {
    loss -= (Math.log(byRow[i * size + i]! + 1e-12) + Math.log(byColumn[i * size + i]! + 1e-12)) / (2 * size)
  }
  const leftGradients = left.map(() => new Float32Array(DIMENSIONS))
  const rightGradients = right.map(() => new Float32Array(DIMENSIONS))
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      const share = byRow[i * size + j]! + byColumn[i * size + j]! - (i === j ? 2 : 0)
      if (Math.abs(share) < 1e-4) continue
      const weight = share / (2 * size * TEMPERATURE)
      addScaled(leftGradients[i]!, (right[j] as Encoded).unit, weight)
      addScaled(rightGradients[j]!, (left[i] as Encoded).unit, weight)
    }
  }
  return { loss, leftGradients, rightGradients }
}

/** @param lineStep from one line to the next; @param step from one value of a line to the next */
function softmax(values: Float32Array, size: number, lineStep: number, step: number): Float32Array {
  const result = new Float32Array(values.length)
  for (let line = 0; line < size; line++) {
    const at = (k: number): number => line * lineStep + k * step
    let largest = Number.NEGATIVE_INFINITY
    for (let k = 0; k < size; k++) largest = Math.max(largest, values[at(k)]!)
    let sum = 0
    for (let k = 0; k < size; k++) {
      const value = Math.exp(values[at(k)]! - largest)
      result[at(k)] = value
      sum += value
    }
    for (let k = 0; k < size; k++) result[at(k)]! /= sum
  }
  return result
}

/** Through the normalisation to the rows. */
function spread({ text, unit, length }: Encoded, gradient: Float32Array, gradients: Map<number, Float32Array>): void {
  const along = dot(gradient, unit)
  const inner = gradient.map((value, d) => (value - along * unit[d]!) / length)
  for (const row of text) {
    const own = gradients.get(row)
    if (own) addScaled(own, inner, 1)
    else gradients.set(row, inner.slice())
  }
}

function createAdam(rows: Float32Array) {
  const first = new Float32Array(rows.length)
  const second = new Float32Array(rows.length)
  return {
    step(gradients: ReadonlyMap<number, Float32Array>, rate: number, step: number): void {
      const correction = Math.sqrt(1 - BETA2 ** step) / (1 - BETA1 ** step)
      for (const [row, gradient] of gradients) {
        for (let d = 0; d < DIMENSIONS; d++) {
          const at = row * DIMENSIONS + d
          first[at] = BETA1 * first[at]! + (1 - BETA1) * gradient[d]!
          second[at] = BETA2 * second[at]! + (1 - BETA2) * gradient[d]! ** 2
          rows[at]! -= (rate * correction * first[at]!) / (Math.sqrt(second[at]!) + EPSILON)
        }
      }
    },
  }
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function addScaled(target: Float32Array, values: Float32Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i]! += values[i]! * factor
}
