import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../evaluation/index.ts'
import { DIMENSIONS, searchParameters } from './auto-search.ts'
import { DEFAULTS, findProblems, type TunerParameters } from './parameters.ts'

const search = (score: (params: TunerParameters) => number, budget = 60, seed = 1, start = DEFAULTS) =>
  searchParameters({ start, budget, random: createRandom(seed), score: async (params) => score(params) })

describe('the search', () => {
  it('finds a peak of one parameter and leaves the others alone', async () => {
    const { best, tried } = await search(({ vector_weight }) => 1 - Math.abs(vector_weight - 0.8))
    expect(Math.abs(best.params.vector_weight - 0.8)).toBeLessThan(0.1)
    expect({ ...best.params, vector_weight: DEFAULTS.vector_weight }).toEqual(DEFAULTS)
    expect(tried.length).toBeLessThanOrEqual(60)
    expect(tried[0]).toEqual({ params: DEFAULTS, score: 0.6 })
  })

  it('finds a peak of two parameters, one of them a count', async () => {
    const score = ({ title_weight, rrf_k }: TunerParameters) =>
      -Math.abs(title_weight - 0.1) - Math.abs(Math.log(rrf_k / 5)) / 5
    const { best } = await search(score, 120)
    expect(best.score).toBeGreaterThan(-0.1)
  })

  it('stays with what is in force when nothing is better', async () => {
    const { best } = await search((params) => (params === DEFAULTS ? 1 : 0.5))
    expect(best.params).toEqual(DEFAULTS)
    expect((await search(() => 0.5)).best.params).toEqual(DEFAULTS)
  })

  it('is the same with the same seed and another one with another', async () => {
    const score = ({ min_score, title_weight }: TunerParameters) => min_score * title_weight
    const [a, b, c] = [await search(score, 30, 5), await search(score, 30, 5), await search(score, 30, 6)]
    expect(a).toEqual(b)
    expect(a.tried).not.toEqual(c.tried)
  })

  it('tries only what may be put into force, each once, within the budget', async () => {
    const parameters = fc.record({
      direct_answer_threshold: fc.double({ min: 0, max: 1, noNaN: true }),
      clarify_threshold: fc.double({ min: 0, max: 1, noNaN: true }),
      rrf_k: fc.integer({ min: 1, max: 1_000 }),
      lexical_top_k: fc.integer({ min: 1, max: 200 }),
    })
    const run = async (given: Partial<TunerParameters>, budget: number, seed: number): Promise<void> => {
      const start = { ...DEFAULTS, ...given }
      fc.pre(start.clarify_threshold <= start.direct_answer_threshold)
      const random = createRandom(seed)
      const { tried, best } = await search(() => random(), budget, seed, start)
      expect(tried.length).toBeLessThanOrEqual(budget)
      for (const { params } of tried) expect(findProblems({ ...params }, DEFAULTS)).toEqual([])
      const keys = tried.map(({ params }) => JSON.stringify(DIMENSIONS.map(({ name }) => params[name])))
      expect(new Set(keys).size).toBe(keys.length)
      expect(tried).toContainEqual(best)
    }
    await fc.assert(fc.asyncProperty(parameters, fc.integer({ min: 10, max: 100 }), fc.nat(), run))
  })
})
