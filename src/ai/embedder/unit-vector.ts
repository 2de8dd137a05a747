/** The same direction with length 1; zeros stay zeros. */
export function unitVector(values: ArrayLike<number>): Float32Array {
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += values[i]! * values[i]!
  const length = Math.sqrt(squares) || 1
  return Float32Array.from(values, (value) => value / length)
}
