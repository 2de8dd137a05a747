import { expect, it } from 'vitest'
import { bestSolution, type SolutionCandidate } from './solutions.ts'

const candidate = (words: number[], count: number, length = 100): SolutionCandidate => {
  return { words: Uint32Array.from(words), count, length }
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

it('prefers what many alike were closed with', () => {
  const lonely = candidate(range(100, 130), 1)
  const backed = [candidate(range(0, 20), 1), candidate(range(0, 21), 1), candidate(range(0, 22), 1)]
  expect([1, 2, 3]).toContain(bestSolution([lonely, ...backed]))
})

it('prefers what explains to what only says that it was done', () => {
  expect(bestSolution([candidate([1, 2], 4), candidate(range(0, 15), 3)])).toBe(1)
})

it('takes the longer one of equals, and none of none', () => {
  expect(bestSolution([candidate(range(0, 15), 2, 50), candidate(range(0, 15), 2, 80)])).toBe(1)
  expect(bestSolution([])).toBe(-1)
})
