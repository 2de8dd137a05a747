import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseTier, type Step } from './tiers.ts'

const kinds: Step['kind'][] = ['classify', 'rewrite', 'summarise', 'chitchat', 'answer', 'act', 'compose']
const step: fc.Arbitrary<Step> = fc.record(
  {
    kind: fc.constantFrom(...kinds),
    inputTokens: fc.nat(20_000),
    subTasks: fc.nat(6),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    failedAttempts: fc.nat(4),
    sensitive: fc.boolean(),
  },
  { requiredKeys: ['kind'] },
)
const rank = (one: Step) => ['light', 'standard', 'strong'].indexOf(chooseTier(one))

describe('chooseTier', () => {
  it.each<[Step, string]>([
    [{ kind: 'classify' }, 'light'],
    [{ kind: 'rewrite', inputTokens: 9_000 }, 'standard'],
    [{ kind: 'chitchat', sensitive: true, failedAttempts: 3 }, 'standard'],
    [{ kind: 'answer' }, 'standard'],
    [{ kind: 'answer', confidence: 0.9, inputTokens: 800 }, 'light'],
    [{ kind: 'answer', confidence: 0.9, inputTokens: 800, failedAttempts: 1 }, 'standard'],
    [{ kind: 'answer', failedAttempts: 1 }, 'strong'],
    [{ kind: 'act', sensitive: true }, 'strong'],
    [{ kind: 'compose', subTasks: 2 }, 'standard'],
    [{ kind: 'compose', subTasks: 3 }, 'strong'],
  ])('for %j is %s', (one, tier) => {
    expect(chooseTier(one)).toBe(tier)
  })

  it('never gets lighter when a step gets harder', () => {
    fc.assert(
      fc.property(step, fc.nat(9_000), fc.nat(3), fc.nat(3), (one, tokens, tasks, failures) => {
        const harder: Step = {
          ...one,
          inputTokens: (one.inputTokens ?? 0) + tokens,
          subTasks: (one.subTasks ?? 1) + tasks,
          failedAttempts: (one.failedAttempts ?? 0) + failures,
          sensitive: true,
          confidence: 0,
        }
        expect(rank(harder)).toBeGreaterThanOrEqual(rank(one))
      }),
    )
  })
})
