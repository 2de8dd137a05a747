/**
 * MinHash signatures of sets (Broder, "On the resemblance and containment of documents", 1997) and locality-sensitive
 * hashing of them in bands (Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", chapter 3): sets that share
 * most of their elements meet in a bucket, without comparing every pair.
 */

export interface Banding {
  bands: number
  rows: number
}

/** The most sets that `bucketsOf` takes: a bucket and the number of a set share the 53 bits of a double. */
const MAX_SETS = 2 ** 21

/** Signature of a set of hashes: two sets agree in each place with the probability of their Jaccard similarity. */
export function signatureOf(set: Uint32Array, { bands, rows }: Banding): Uint32Array {
  const signature = new Uint32Array(bands * rows).fill(0xffffffff)
  const functions = hashFunctions(signature.length)
  for (const element of set) {
    for (let i = 0; i < signature.length; i++) {
      const hash = (Math.imul(element, functions.multipliers[i]!) + functions.increments[i]!) >>> 0
      if (hash < signature[i]!) signature[i] = hash
    }
  }
  return signature
}

export interface Bucket {
  band: number
  /** Numbers of the signatures, in their order; two and more. */
  members: readonly number[]
}

/** Groups of signatures that agree in a band. Sorting needs no table of buckets. */
export function* bucketsOf(signatures: readonly Uint32Array[], { bands, rows }: Banding): Generator<Bucket> {
  if (signatures.length > MAX_SETS) throw new RangeError(`At most ${MAX_SETS} sets can be compared`)
  for (let band = 0; band < bands; band++) {
    const keys = Float64Array.from(signatures, (each, i) => bandHash(each, band, rows) * MAX_SETS + i)
    keys.sort()
    for (let start = 0; start < keys.length; ) {
      const bucket = Math.floor(keys[start]! / MAX_SETS)
      let end = start + 1
      while (end < keys.length && Math.floor(keys[end]! / MAX_SETS) === bucket) end++
      if (end - start > 1) {
        yield { band, members: Array.from(keys.subarray(start, end), (key) => key - bucket * MAX_SETS) }
      }
      start = end
    }
  }
}

/** Whether two signatures share a bucket of one of `bands`, given as bits. */
export function meetInBand(a: Uint32Array, b: Uint32Array, bands: number, { rows }: Banding): boolean {
  for (let band = 0, left = bands; left !== 0; band++, left >>>= 1) {
    if ((left & 1) === 0) continue
    let row = 0
    while (row < rows && a[band * rows + row] === b[band * rows + row]) row++
    if (row === rows) return true
  }
  return false
}

/** In how many places two signatures agree. */
export function agreement(a: Uint32Array, b: Uint32Array): number {
  let count = 0
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) count++
  return count
}

/** MurmurHash3's finalizer: every bit of the input moves every bit of the result. */
export function mix(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function bandHash(signature: Uint32Array, band: number, rows: number): number {
  let hash = band
  for (let row = 0; row < rows; row++) hash = mix(hash ^ signature[band * rows + row]!)
  return hash
}

interface HashFunctions {
  multipliers: Uint32Array
  increments: Uint32Array
}
const known = new Map<number, HashFunctions>()

function hashFunctions(count: number): HashFunctions {
  const made = known.get(count)
  if (made) return made
  const functions = {
    multipliers: Uint32Array.from({ length: count }, (_, i) => (mix(2 * i + 1) | 1) >>> 0),
    increments: Uint32Array.from({ length: count }, (_, i) => mix(2 * i + 2)),
  }
  known.set(count, functions)
  return functions
}
