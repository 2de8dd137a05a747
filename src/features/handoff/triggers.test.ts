import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ESCALATION_REASONS, PRIORITIES, type Priority } from './reasons.ts'
import { decideEscalation, type EscalationInput, highestPriority, holdingTriggers } from './triggers.ts'

const priorityRank = (priority: Priority): number => PRIORITIES.indexOf(priority)

const calm: EscalationInput = {
  language: 'en',
  wantsHuman: false,
  emotionScore: 0,
  sensitiveTopic: null,
  failedAttempts: 0,
  knowledgeFound: true,
  restriction: null,
  toolFailure: null,
  thresholds: { escalateAfterFailures: 2, angerThreshold: -0.6 },
}

const decide = (change: Partial<EscalationInput>) => decideEscalation({ ...calm, ...change })

describe('decideEscalation', () => {
  it('leaves a calm customer with an answer to the assistant', () => {
    expect(decide({})).toBeNull()
    expect(decide({ failedAttempts: 1, emotionScore: -0.59, knowledgeFound: false })).toBeNull()
  })

  it.each<[Partial<EscalationInput>, string, string, string, string]>([
    [{ wantsHuman: true }, 'customer_request', 'medium', '客户要求转接人工', 'The customer asked for a person.'],
    [
      { failedAttempts: 2, knowledgeFound: false },
      'missing_knowledge',
      'low',
      '连续 2 轮没有可靠的回答（阈值 2 轮），知识库中没有相关内容',
      'No confident answer in 2 turns running (threshold 2); the knowledge base has nothing on it.',
    ],
    [
      { failedAttempts: 3 },
      'repeated_failure',
      'medium',
      '连续 3 轮没有可靠的回答（阈值 2 轮），找到的内容不足以作答',
      'No confident answer in 3 turns running (threshold 2); what was found is not enough to answer.',
    ],
    [
      { emotionScore: -0.6 },
      'negative_emotion',
      'high',
      '客户情绪激动：情绪分 -0.60，阈值 -0.60',
      'The customer is upset: emotion score -0.60, threshold -0.60.',
    ],
    [
      { emotionScore: -0.8 },
      'negative_emotion',
      'urgent',
      '客户情绪激动：情绪分 -0.80，阈值 -0.60',
      'The customer is upset: emotion score -0.80, threshold -0.60.',
    ],
    [
      { sensitiveTopic: 'legal' },
      'sensitive_topic',
      'high',
      '涉及必须由人工处理的话题：法律纠纷',
      'The topic needs a person: legal dispute.',
    ],
    [
      { sensitiveTopic: 'safety' },
      'sensitive_topic',
      'urgent',
      '涉及必须由人工处理的话题：人身或产品安全',
      'The topic needs a person: personal or product safety.',
    ],
    [
      { sensitiveTopic: 'fraud' },
      'sensitive_topic',
      'urgent',
      '涉及必须由人工处理的话题：欺诈或盗用',
      'The topic needs a person: fraud or theft.',
    ],
    [
      { sensitiveTopic: 'privacy' },
      'sensitive_topic',
      'high',
      '涉及必须由人工处理的话题：个人信息与隐私',
      'The topic needs a person: personal data and privacy.',
    ],
    [
      { sensitiveTopic: 'refund_limit' },
      'policy_restriction',
      'medium',
      '超出助手的处理权限：退款金额超过上限',
      'The assistant may not decide this: a refund above the limit.',
    ],
    [
      { restriction: 'exchange after 30 days' },
      'policy_restriction',
      'medium',
      '超出助手的处理权限：exchange after 30 days',
      'The assistant may not decide this: exchange after 30 days.',
    ],
    [
      { toolFailure: { system: 'orders' } },
      'tool_failure',
      'medium',
      '处理该请求所需的业务系统不可用：orders',
      'A business system that the request needs is not available: orders.',
    ],
  ])('%j: %s, %s', (change, reason, priority, chinese, english) => {
    expect(decide(change)).toEqual({ escalate: true, reason, priority, reasonDetail: english })
    expect(decide({ ...change, language: 'zh' })).toEqual({ escalate: true, reason, priority, reasonDetail: chinese })
    expect(decide({ ...change, language: 'other' })?.reasonDetail).toBe(english)
  })

  it('names all triggers, takes the weightiest as the reason and the highest priority', () => {
    const all = decide({
      wantsHuman: true,
      sensitiveTopic: 'legal',
      emotionScore: -1,
      failedAttempts: 2,
      toolFailure: { system: 'orders' },
      restriction: 'rule 7',
    })
    expect(all).toMatchObject({ reason: 'sensitive_topic', priority: 'urgent' })
    expect(all?.reasonDetail).toBe(
      'The topic needs a person: legal dispute. The customer asked for a person. ' +
        'The customer is upset: emotion score -1.00, threshold -0.60. The assistant may not decide this: rule 7. ' +
        'A business system that the request needs is not available: orders. ' +
        'No confident answer in 2 turns running (threshold 2); what was found is not enough to answer.',
    )
    expect(decide({ wantsHuman: true, emotionScore: -1 })).toMatchObject({
      reason: 'customer_request',
      priority: 'urgent',
    })
  })

  it('follows the thresholds', () => {
    const thresholds = { escalateAfterFailures: 1, angerThreshold: -0.2 }
    expect(decide({ thresholds, failedAttempts: 1 })?.reasonDetail).toContain('in 1 turn (threshold 1)')
    expect(decide({ thresholds, emotionScore: -0.2 })).toMatchObject({ reason: 'negative_emotion', priority: 'high' })
    expect(decide({ thresholds, emotionScore: -0.6 })).toMatchObject({ priority: 'urgent' })
  })

  it('never takes a neutral or friendly customer for an angry one, whatever the threshold', () => {
    const thresholds = { escalateAfterFailures: 2, angerThreshold: 0 }
    expect(decide({ thresholds, emotionScore: 0 })).toBeNull()
    expect(decide({ thresholds, emotionScore: 0.9 })).toBeNull()
    expect(decide({ thresholds, emotionScore: Number.NaN })).toBeNull()
    expect(decide({ thresholds, emotionScore: -0.01 })).not.toBeNull()
  })
})

describe('any input', () => {
  const input: fc.Arbitrary<EscalationInput> = fc.record({
    language: fc.constantFrom('zh', 'en', 'other'),
    wantsHuman: fc.boolean(),
    emotionScore: fc.double({ min: -1, max: 1, noNaN: true }),
    sensitiveTopic: fc.constantFrom(null, 'legal', 'safety', 'privacy', 'fraud', 'refund_limit'),
    failedAttempts: fc.nat(12),
    knowledgeFound: fc.boolean(),
    restriction: fc.option(fc.string({ minLength: 1 })),
    toolFailure: fc.option(fc.record({ system: fc.string({ minLength: 1 }) })),
    thresholds: fc.record({
      escalateAfterFailures: fc.integer({ min: 1, max: 10 }),
      angerThreshold: fc.double({ min: -1, max: 0, noNaN: true }),
    }),
  })

  it('escalates exactly when something holds, with a known reason and an explanation', () => {
    fc.assert(
      fc.property(input, (given) => {
        const decision = decideEscalation(given)
        expect(decision === null).toBe(holdingTriggers(given).length === 0)
        if (!decision) return
        expect(ESCALATION_REASONS).toContain(decision.reason)
        expect(decision.reasonDetail.length).toBeGreaterThan(0)
      }),
    )
  })

  it('never takes an escalation back or lowers its priority because things got worse', () => {
    fc.assert(
      fc.property(input, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(5), (given, angrier, failures) => {
        const before = decideEscalation(given)
        const after = decideEscalation({
          ...given,
          emotionScore: Math.max(-1, given.emotionScore - angrier),
          failedAttempts: given.failedAttempts + failures,
          wantsHuman: true,
        })
        expect(after).not.toBeNull()
        if (before && after) expect(priorityRank(after.priority)).toBeGreaterThanOrEqual(priorityRank(before.priority))
      }),
    )
  })
})

describe('highestPriority', () => {
  it('is the most pressing one, low for none', () => {
    expect(highestPriority(['medium', 'urgent', 'low'])).toBe('urgent')
    expect(highestPriority(['medium', 'low'])).toBe('medium')
    expect(highestPriority([])).toBe('low')
  })
})
