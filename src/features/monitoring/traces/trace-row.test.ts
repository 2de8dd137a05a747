import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { span, trace } from '../../../../test/support/traces.ts'
import { maskText } from '../../../privacy/index.ts'
import { agentCallsOf, toTraceRow } from './trace-row.ts'

const same = (text: string): string => text

describe('a stored trace', () => {
  it('has the sums of its steps', () => {
    const spans = [
      span({ tokens: { inputTokens: 10, outputTokens: 2, estimated: false } }),
      span({ tokens: { inputTokens: 5, outputTokens: 1, estimated: true } }),
      span(),
    ]
    expect(toTraceRow(trace({ spans }), same)).toMatchObject({
      inputTokens: 15,
      outputTokens: 3,
      tokensEstimated: true,
      escalated: false,
      confidence: null,
      cached: false,
      startedAt: Date.parse('2026-01-01T00:00:00.000Z'),
      steps: [
        { tokens: { input_tokens: 10, output_tokens: 2, total_tokens: 12, estimated: false } },
        {},
        { tokens: null },
      ],
    })
  })

  it('counts each token once, however many spans around it sum it up', () => {
    const tokens = { inputTokens: 100, outputTokens: 20, estimated: false }
    const agent = span({ tokens: { ...tokens, inputTokens: 200 } })
    const search = span({ type: 'tool', parentId: agent.spanId })
    const first = span({ type: 'model', parentId: agent.spanId, tokens })
    const second = span({ type: 'model', parentId: search.spanId, tokens })
    const alone = span({ agent: 'router', tokens: { ...tokens, estimated: true } })
    const row = toTraceRow(trace({ spans: [first, second, search, agent, alone] }), same)
    expect(row).toMatchObject({ inputTokens: 300, outputTokens: 60, tokensEstimated: true })
  })

  it('has its steps in the order in which they began, each after the one that it belongs to', () => {
    const turn = span({ startedAt: 1 })
    const agents = span({ parentId: turn.spanId, startedAt: 3 })
    const early = span({ parentId: turn.spanId, startedAt: 1 })
    const model = span({ parentId: agents.spanId, startedAt: 3 })
    const late = span({ parentId: turn.spanId, startedAt: 4 })
    const lost = span({ parentId: 'of a span that was not recorded', startedAt: 2 })
    // A span is recorded when it ends, which is before the one that it belongs to does.
    const { steps } = toTraceRow(trace({ spans: [early, model, agents, late, turn, lost] }), same)
    expect(steps.map(({ step_id }) => step_id)).toEqual(
      [turn, early, agents, model, late, lost].map(({ spanId }) => spanId),
    )
  })

  it('holds no personal data, wherever it stood', () => {
    const text = 'call 13812345678 or mail jane.doe@mail.example'
    const row = toTraceRow(
      trace({
        error: text,
        spans: [span({ input: text, output: text, error: text })],
        subTasks: [{ taskId: 't1', question: text, sources: [{ docId: 'd1', title: text }], nested: { text: [text] } }],
      }),
      maskText,
    )
    expect(JSON.stringify(row)).not.toMatch(/13812345678|jane\.doe/)
    expect(row.subTasks).toMatchObject([{ task_id: 't1', sources: [{ doc_id: 'd1' }] }])
  })

  it('is masked before it is cut, so that a cut hides nothing from the mask', () => {
    const text = `${'x'.repeat(3_990)} 13812345678`
    const [step] = toTraceRow(trace({ spans: [span({ input: text })] }), maskText).steps
    expect(step?.input).toHaveLength(4_000)
    expect(step?.input).not.toContain('138123456')
  })

  it('is bounded, whatever the turn was', () => {
    const long = '界'.repeat(30_000)
    const spans = Array.from({ length: 500 }, () => span({ input: long, output: long, name: long, agent: long }))
    const subTasks = Array.from({ length: 500 }, () => ({ question: long, source: long }))
    const row = toTraceRow(trace({ spans, subTasks, intent: long, error: long }), same)
    expect(row.steps).toHaveLength(200)
    expect(row.subTasks).toHaveLength(50)
    expect(JSON.stringify(row.steps).length + JSON.stringify(row.subTasks).length).toBeLessThan(400_000)
    const texts = [row.error ?? '', ...row.steps.flatMap(({ input, output }) => [input, output])]
    expect(texts.join('').length).toBeLessThanOrEqual(64_000)
  })

  it('is whole text, also where a character was cut in two', () => {
    const [step] = toTraceRow(trace({ spans: [span({ input: `${'x'.repeat(3_999)}😀` })] }), same).steps
    expect(step?.input.isWellFormed()).toBe(true)
  })
})

describe('calls of agents', () => {
  it('are spans of type agent, without those inside the same agent', () => {
    const router = span({ agent: 'router' })
    const outer = span({ agent: 'knowledge', parentId: router.spanId, startedAt: 1, durationMs: 50 })
    const inner = span({ agent: 'knowledge', parentId: outer.spanId, startedAt: 2, durationMs: 40 })
    const model = span({ agent: 'knowledge', type: 'model', parentId: inner.spanId })
    const again = span({ agent: 'knowledge', startedAt: 3, durationMs: 7, status: 'error' })
    const left = span({ agent: 'business', startedAt: 4, status: 'aborted' })
    const calls = agentCallsOf([{ spans: [router, outer, inner, model] }, { spans: [again, left] }])
    expect(calls).toMatchObject([
      { agent: 'router', calls: 1, errors: 0 },
      { agent: 'knowledge', calls: 2, errors: 1, durationMs: 57, lastFailed: true },
      { agent: 'business', calls: 1, errors: 0, lastFailed: false },
    ])
    expect(calls[1]?.lastCalledAt).toBe('1970-01-01T00:00:00.003Z')
  })

  it('add up over any trace', () => {
    const anySpan = fc
      .record({
        agent: fc.constantFrom('router', 'knowledge', 'business'),
        type: fc.constantFrom('agent', 'model', 'tool'),
        status: fc.constantFrom('ok' as const, 'error' as const, 'aborted' as const),
        startedAt: fc.nat(),
        durationMs: fc.nat({ max: 1_000 }),
      })
      .map(span)
    const property = fc.property(fc.array(anySpan), (spans) => {
      const calls = agentCallsOf([{ spans }])
      const agents = spans.filter(({ type }) => type === 'agent')
      expect(calls.reduce((sum, each) => sum + each.calls, 0)).toBe(agents.length)
      expect(calls.reduce((sum, each) => sum + each.errors, 0)).toBe(
        agents.filter(({ status }) => status === 'error').length,
      )
    })
    fc.assert(property)
  })
})
