import { describe, expect, it } from 'vitest'
import { judge } from './judgement.ts'
import { momentsOf } from './statistics.ts'
import type { Experiment, JudgedBy } from './types.ts'

const experiment = (changes: Partial<Experiment> = {}): Experiment => ({
  name: 'x',
  experimentId: 'exp',
  description: '',
  variants: ['usual', 'broad'],
  trafficSplit: { usual: 0.5, broad: 0.5 },
  variantParams: {},
  isGuarded: true,
  createdAt: new Date(0),
  endedAt: new Date(1),
  judgedBy: 'handoff',
  endsAt: null,
  sessionsPerVariant: null,
  endReason: 'by_hand',
  endedBy: null,
  ...changes,
})

/** So many ones, and zeros, of a metric. */
const share = (variant: string, ones: number, zeros: number, metric = 'contained') => ({
  variant,
  metric,
  ...momentsOf([...Array(ones).fill(1), ...Array(zeros).fill(0)]),
})
const judged = (rows: ReturnType<typeof share>[], changes: Partial<Experiment> = {}) =>
  judge(experiment(changes), rows)?.comparisons[0]

describe('an experiment', () => {
  it('is judged by nothing where nobody said by what', () => {
    expect(judge(experiment({ judgedBy: null }), [share('usual', 50, 50)])).toBeNull()
  })

  it('is never judged by how sure the assistant was', () => {
    const sure = [share('usual', 10, 990, 'confident'), share('broad', 990, 10, 'confident')]
    expect(judged(sure)).toMatchObject({ verdict: 'no_data', difference: null })
  })

  it.each([
    ['nothing of one side', [share('usual', 50, 50)], 'no_data'],
    ['a handful', [share('usual', 0, 10), share('broad', 10, 0)], 'too_few'],
    ['little of a small difference', [share('usual', 50, 50), share('broad', 55, 45)], 'too_few'],
    ['much of no difference', [share('usual', 1_000, 1_000), share('broad', 1_001, 999)], 'no_difference'],
    ['a clear gain', [share('usual', 500, 500), share('broad', 600, 400)], 'better'],
    ['a clear loss', [share('usual', 600, 400), share('broad', 500, 500)], 'worse'],
    ['all against none', [share('usual', 0, 40), share('broad', 40, 0)], 'better'],
    ['all the same', [share('usual', 40, 0), share('broad', 40, 0)], 'no_difference'],
  ])('with %s', (_, rows, verdict) => {
    expect(judged(rows)?.verdict).toBe(verdict)
  })

  it('says it in words and numbers', () => {
    const found = judged([share('usual', 500, 500), share('broad', 600, 400)])
    expect(found).toMatchObject({
      baseline: 'usual',
      variant: 'broad',
      values: { baseline: { count: 1_000, mean: 0.5 }, variant: { count: 1_000, mean: expect.closeTo(0.6, 9) } },
      difference: expect.closeTo(0.1, 9),
      neededPerVariant: expect.closeTo(1_536, -2),
      isEnough: false,
    })
    expect(found?.interval?.[0]).toBeCloseTo(0.0566, 3)
    expect(found?.interval?.[1]).toBeCloseTo(0.1434, 3)
    expect(found?.words.en).toBe(
      '"broad" is better than "usual": the share of sessions without a person is 10.0 percentage points higher.',
    )
    expect(found?.words.zh).toBe('“broad”优于“usual”：无需人工的会话占比高 10.0 个百分点。')
  })

  it('asks for more while it runs, when people look again and again, and of many variants', () => {
    const rows = [share('usual', 500, 500), share('broad', 550, 450)]
    expect(judged(rows)?.verdict).toBe('better')
    expect(judged(rows, { endedAt: null })?.verdict).toBe('too_few')
    const variants = ['usual', 'broad', 'c', 'd', 'e', 'f']
    expect(judged(rows, { variants })?.verdict).toBe('too_few')
  })

  it.each(['rating', 'feedback', 'handoff', 'resolved', 'evaluation'] satisfies JudgedBy[])(
    'is judged by %s',
    (judgedBy) => {
      const found = judge(experiment({ judgedBy }), [])
      const { metric } = found ?? { metric: '' }
      const rows = [share('usual', 500, 500, metric), share('broad', 900, 100, metric)]
      expect(judged(rows, { judgedBy })?.verdict).toBe('better')
      expect(found?.comparisons[0]?.words.zh).toMatch(/^还没有/)
    },
  )
})
