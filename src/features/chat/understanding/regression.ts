/** A row of a sparse matrix: `values` stand in `columns`. */
export type SparseRow = { columns: Int32Array; values: Float32Array }

export type SoftmaxModel = { weights: Float32Array; bias: Float32Array; classes: number }

const EPOCHS = 3
const LEARNING_RATE = 3
const BIAS_RATE = 0.2
const DECAY_PER_EPOCH = 0.4

/**
 * Multinomial logistic regression by stochastic gradient descent, in an order that is shuffled but the same at every start.
 * Stopping early is the regularisation: the rows have length one, and more epochs only sharpened what was learnt.
 */
export function trainSoftmax(
  rows: readonly SparseRow[],
  labels: Uint8Array,
  columnCount: number,
  classes: number,
): SoftmaxModel {
  const model = { weights: new Float32Array(columnCount * classes), bias: new Float32Array(classes), classes }
  const order = Int32Array.from(labels, (_, index) => index)
  const random = createRandom(1)
  const scores = new Float64Array(classes)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random)
    const rate = LEARNING_RATE / (1 + DECAY_PER_EPOCH * epoch)
    for (const row of order) step(model, rows[row]!, labels[row]!, rate, scores)
  }
  return model
}

function step(model: SoftmaxModel, row: SparseRow, label: number, rate: number, scores: Float64Array): void {
  const { weights, bias, classes } = model
  score(model, row, scores)
  scores[label]! -= 1
  for (let c = 0; c < classes; c++) bias[c]! -= rate * BIAS_RATE * scores[c]!
  for (let entry = 0; entry < row.columns.length; entry++) {
    const offset = row.columns[entry]! * classes
    const scaled = rate * row.values[entry]!
    for (let c = 0; c < classes; c++) weights[offset + c]! -= scaled * scores[c]!
  }
}

function score({ weights, bias, classes }: SoftmaxModel, { columns, values }: SparseRow, into: Float64Array): void {
  into.set(bias)
  for (let entry = 0; entry < columns.length; entry++) {
    const offset = columns[entry]! * classes
    const value = values[entry]!
    for (let c = 0; c < classes; c++) into[c]! += weights[offset + c]! * value
  }
  softmaxInPlace(into)
}

/** Probabilities of the classes for one row; they sum to 1. */
export function predict(model: SoftmaxModel, row: SparseRow): Float64Array {
  const scores = new Float64Array(model.classes)
  score(model, row, scores)
  return scores
}

function softmaxInPlace(scores: Float64Array): void {
  let max = Number.NEGATIVE_INFINITY
  for (let c = 0; c < scores.length; c++) if (scores[c]! > max) max = scores[c]!
  let sum = 0
  for (let c = 0; c < scores.length; c++) {
    scores[c] = Math.exp(scores[c]! - max)
    sum += scores[c]!
  }
  for (let c = 0; c < scores.length; c++) scores[c]! /= sum
}

/** Linear congruential generator with the constants of Numerical Recipes; 0 ≤ value < 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function shuffle(order: Int32Array, random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const held = order[i]!
    order[i] = order[j]!
    order[j] = held
  }
}
