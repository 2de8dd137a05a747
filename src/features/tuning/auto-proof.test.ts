import { describe, expect, it } from 'vitest'
import { bootstrapInterval, createRandom, mean, verdictOf } from '../evaluation/index.ts'
import { DIMENSIONS, searchParameters } from './auto-search.ts'
import { DEFAULTS, type TunerParameters } from './parameters.ts'

const ROUNDS = 200
const TRAIN = 36
const HELD_OUT = 24

/** Objective of the cases under parameters that make each of them right with the chance `chanceOf(params)`. */
function createWorld(seed: number, chanceOf: (params: TunerParameters) => number) {
  return (params: TunerParameters): number[] => {
    const key = DIMENSIONS.reduce((sum, { name }) => Math.imul(sum, 31) + Math.round(params[name] * 1_000), seed)
    const random = createRandom(key)
    return Array.from({ length: TRAIN + HELD_OUT }, () => (random() < chanceOf(params) ? 1 : 0))
  }
}

/** How often the whole procedure calls the best of its candidates better. */
async function shareProven(chanceOf: (params: TunerParameters) => number): Promise<number> {
  let proven = 0
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const objective = createWorld(seed, chanceOf)
    const score = async (params: TunerParameters): Promise<number> => mean(objective(params).slice(0, TRAIN))
    const { best } = await searchParameters({ start: DEFAULTS, score, budget: 60, random: createRandom(seed) })
    const [before, after] = [objective(DEFAULTS).slice(TRAIN), objective(best.params).slice(TRAIN)]
    const interval = bootstrapInterval(after.map((value, i) => value - (before[i] as number)))
    if (verdictOf(interval) === 'better') proven++
  }
  return proven / ROUNDS
}

describe('what is proven on held-out cases', () => {
  it('is hardly ever chance, though the best of sixty sets is always lucky on the training cases', async () => {
    expect(await shareProven(() => 0.6)).toBeLessThan(0.06)
  })

  it('is found when it is there', async () => {
    expect(await shareProven(({ clarify_threshold }) => (clarify_threshold > 0.5 ? 0.95 : 0.5))).toBeGreaterThan(0.9)
  })
})
