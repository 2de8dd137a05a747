import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom, type EvaluationCase } from '../evaluation/index.ts'
import { splitCases } from './auto-split.ts'

const asked = (query: string, category: string): EvaluationCase => ({
  query,
  category,
  expectedSources: [],
  expectedDocIds: [],
  expectedContent: [],
  history: [],
})
const cases = Array.from({ length: 100 }, (_, i) => asked(`q${i}`, i % 4 === 0 ? 'rare' : 'often'))
const share = (of: readonly EvaluationCase[], category: string): number =>
  of.filter((each) => each.category === category).length

describe('the split', () => {
  it('holds four tenths out of each category', () => {
    const { train, heldOut } = splitCases(cases, createRandom(1))
    expect([train.length, heldOut.length]).toEqual([60, 40])
    expect([share(heldOut, 'rare'), share(heldOut, 'often')]).toEqual([10, 30])
  })

  it('depends on the seed alone', () => {
    expect(splitCases(cases, createRandom(1))).toEqual(splitCases(cases, createRandom(1)))
    expect(splitCases(cases, createRandom(1))).not.toEqual(splitCases(cases, createRandom(2)))
  })

  it('loses nothing, and never has a question on both sides', () => {
    const questions = fc.array(fc.tuple(fc.integer({ max: 30, min: 0 }), fc.constantFrom('a', 'b', 'c', 'd')), {
      minLength: 20,
      maxLength: 100,
    })
    fc.assert(
      fc.property(questions, fc.nat(), (given, seed) => {
        const all = given.map(([question, category], i) =>
          asked(i % 2 ? `Is it ${question}?` : `is  it ${question}?`, category),
        )
        const { train, heldOut } = splitCases(all, createRandom(seed))
        expect(new Set([...train, ...heldOut])).toEqual(new Set(all))
        expect(train.length + heldOut.length).toBe(all.length)
        const asIs = (of: readonly EvaluationCase[]) =>
          new Set(of.map(({ query }) => query.toLowerCase().replace(/ +/g, ' ')))
        expect(asIs(train).intersection(asIs(heldOut)).size).toBe(0)
      }),
    )
  })

  it('keeps many small categories to the share', () => {
    const small = Array.from({ length: 100 }, (_, i) => asked(`q${i}`, `category ${i}`))
    expect(splitCases(small, createRandom(3)).heldOut).toHaveLength(40)
  })
})
