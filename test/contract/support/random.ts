/** A repeatable source of numbers in [0, 1): mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export type Random = () => number

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The seed in TEST_SEED, else a new one. Print it: with it a failure can be repeated. */
export function chooseSeed(): number {
  const given = Number(process.env.TEST_SEED)
  return Number.isInteger(given) && given > 0 ? given : Math.floor(Math.random() * 2 ** 31) + 1
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T
}

export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}
