/** Sets of numbers as ascending arrays, each element once. */

/** The distinct elements of `values`, sorted; overwrites `values`. */
export function toSet(values: Uint32Array): Uint32Array {
  values.sort()
  let length = 0
  for (const value of values) if (length === 0 || values[length - 1] !== value) values[length++] = value
  return values.slice(0, length)
}

/** How many elements two sets have in common. */
export function countShared(a: Uint32Array, b: Uint32Array): number {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      shared++
      i++
      j++
    } else if (a[i]! < b[j]!) i++
    else j++
  }
  return shared
}

/** Share of the elements of both that they have in common, 0 to 1. */
export function jaccard(a: Uint32Array, b: Uint32Array): number {
  const shared = countShared(a, b)
  const union = a.length + b.length - shared
  return union === 0 ? 0 : shared / union
}
