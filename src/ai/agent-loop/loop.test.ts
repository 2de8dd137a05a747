import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { recordSpans, type Span } from '../../kernel/tracing.ts'
import { modelError } from '../model/failure.ts'
import type { ChatRequest, ModelEvent, StreamFunction } from '../model/port.ts'
import { type AgentDependencies, runAgent } from './loop.ts'
import { defineTool } from './tools.ts'
import type { AgentEvent, AgentRun } from './types.ts'

/** A model that says its lines: one list of events per call. */
function fakeModel(...script: (string | ModelEvent[])[]) {
  const requests: ChatRequest[] = []
  const stream: StreamFunction = async function* (request, signal) {
    const line = script[Math.min(requests.push(request), script.length) - 1] ?? ''
    const said: ModelEvent[] = typeof line === 'string' ? [{ type: 'text-delta', text: line }] : line
    yield* said
    yield { type: 'usage', usage: { inputTokens: 100, outputTokens: 10, estimated: false }, model: 'fake' }
    yield signal?.aborted ? { type: 'error', error: modelError('aborted') } : { type: 'finish', reason: 'stop' }
  }
  return { stream, requests }
}

function calls(...names: [name: string, args?: unknown][]): ModelEvent[] {
  return names.map(([name, args = {}], index) => {
    const text = typeof args === 'string' ? args : JSON.stringify(args)
    return { type: 'tool-call', call: { id: `c${index}`, name, arguments: text } }
  })
}

const lookUp = defineTool({
  name: 'look_up',
  description: 'Finds passages.',
  parameters: Type.Object({ query: Type.String({ minLength: 1 }) }),
  execute: async ({ query }) => ({ passages: [`about ${query}`] }),
})
const failing = (name: string, error: unknown) =>
  defineTool({ name, description: name, parameters: Type.Object({}), execute: () => Promise.reject(error) })
const cancelOrder = failing('cancel_order', new Error('must never run'))

const base: AgentRun = {
  agent: 'knowledge',
  messages: [
    { role: 'system', content: 'Answer from passages.' },
    { role: 'user', content: 'Returns? My phone is 555-1234.' },
  ],
  tools: [lookUp, cancelOrder],
  allowedTools: ['look_up'],
}

async function run(stream: StreamFunction, changes: Partial<AgentRun> = {}, more: Partial<AgentDependencies> = {}) {
  const events: AgentEvent[] = []
  const spans: Span[] = []
  const result = await runAgent(
    { ...base, ...changes },
    {
      stream,
      emit: (event) => events.push(event),
      spans: recordSpans(Date.now, (span) => spans.push(span)),
      ...more,
    },
  )
  return { result, events, spans }
}

describe('the agent loop', () => {
  it('answers without tools in one step', async () => {
    const model = fakeModel('Fourteen days.')
    const { result, events } = await run(model.stream)
    expect(result).toMatchObject({
      text: 'Fourteen days.',
      stopReason: 'answer',
      steps: 1,
      error: null,
      finishReason: 'stop',
    })
    expect(result.messages).toEqual([{ role: 'assistant', content: 'Fourteen days.' }])
    expect(events.map(({ type }) => type)).toEqual(['step-start', 'text-delta', 'step-end'])
  })

  it('runs tools side by side and gives their results back in order', async () => {
    const model = fakeModel(calls(['look_up', { query: 'a' }], ['look_up', { query: 'b' }]), 'Both.')
    const { result, events } = await run(model.stream)
    expect(result).toMatchObject({ text: 'Both.', stopReason: 'answer', steps: 2 })
    expect(result.toolOutcomes.map(({ ok, result: found }) => [ok, found])).toEqual([
      [true, { passages: ['about a'] }],
      [true, { passages: ['about b'] }],
    ])
    expect(model.requests[1]?.messages.slice(2)).toEqual([
      { role: 'assistant', content: '', toolCalls: expect.arrayContaining([expect.objectContaining({ id: 'c0' })]) },
      { role: 'tool', toolCallId: 'c0', toolName: 'look_up', content: '{"passages":["about a"]}' },
      { role: 'tool', toolCallId: 'c1', toolName: 'look_up', content: '{"passages":["about b"]}' },
    ])
    expect(result.usage).toEqual({ inputTokens: 200, outputTokens: 20, estimated: false })
    expect(events.filter(({ type }) => type === 'tool-end')).toHaveLength(2)
  })

  it('offers and runs only the allowed tools', async () => {
    const model = fakeModel(calls(['cancel_order'], ['rm_rf']), 'Done.')
    const { result } = await run(model.stream)
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['look_up'])
    expect(result.toolOutcomes).toMatchObject([
      { name: 'cancel_order', ok: false, result: 'There is no such tool.' },
      { name: 'rm_rf', ok: false, result: 'There is no such tool.' },
    ])
  })

  it('offers no tool to an agent that is allowed none', async () => {
    const model = fakeModel(calls(['look_up', { query: 'a' }]), 'Done.')
    const { result } = await run(model.stream, { allowedTools: [] })
    expect(model.requests[0]?.tools).toBeUndefined()
    expect(result.toolOutcomes).toMatchObject([{ ok: false }])
  })

  it.each([['{"query": 5}'], ['{"query": ""}'], ['{}'], ['{"query": "a'], ['null'], ['']])(
    'does not run a tool with arguments %j',
    async (text) => {
      let ran = false
      const tool = defineTool({
        ...lookUp,
        execute: async () => {
          ran = true
        },
      })
      const { result } = await run(fakeModel(calls(['look_up', text]), 'Sorry.').stream, { tools: [tool] })
      expect(ran).toBe(false)
      expect(result.toolOutcomes).toMatchObject([{ ok: false, result: expect.stringContaining('Wrong arguments') }])
      expect(result.stopReason).toBe('answer')
    },
  )

  it('shows a tool’s public error to the model and hides any other', async () => {
    const tools = [
      failing('order', new AppError('not_found', 'no_order', 'Unknown order')),
      failing('stock', new Error('password=hunter2 at db.internal')),
    ]
    const changes = { tools, allowedTools: ['order', 'stock'] }
    const { result } = await run(fakeModel(calls(['order'], ['stock']), 'Sorry.').stream, changes)
    expect(result.toolOutcomes.map(({ result: told }) => told)).toEqual([
      'The tool failed: Unknown order.',
      'The tool failed.',
    ])
    expect(result.messages[1]).toMatchObject({ role: 'tool', failed: true })
  })

  it('does not wait for a tool beyond its time', async () => {
    const stuck = defineTool({ ...lookUp, execute: () => new Promise(() => {}) })
    const changes = { tools: [stuck], limits: { toolTimeoutMs: 20 } }
    const { result } = await run(fakeModel(calls(['look_up', { query: 'a' }]), 'Sorry.').stream, changes)
    expect(result.toolOutcomes).toMatchObject([{ ok: false, result: 'The tool failed: it took too long.' }])
    expect(result.text).toBe('Sorry.')
  })

  it('shortens a long result', async () => {
    const long = defineTool({ ...lookUp, execute: async () => '😀'.repeat(5_000) })
    const changes = { tools: [long], limits: { maxToolResultLength: 99 } }
    const { result } = await run(fakeModel(calls(['look_up', { query: 'a' }]), 'Ok.').stream, changes)
    const content = result.messages[1]?.content ?? ''
    expect(content.length).toBeLessThan(130)
    expect(content.isWellFormed()).toBe(true)
  })
})

describe('its limits', () => {
  const always = calls(['look_up', { query: 'again' }])

  it('end a model that only ever calls tools, after a last step that may not', async () => {
    const model = fakeModel(always)
    const { result } = await run(model.stream, { limits: { maxSteps: 3 } })
    expect(result).toMatchObject({ stopReason: 'step_limit', steps: 3 })
    expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none'])
    expect(result.toolOutcomes).toHaveLength(2)
  })

  it('stop at the token budget', async () => {
    const model = fakeModel(always)
    const { result } = await run(model.stream, { limits: { maxSteps: 99, maxTokens: 300 } })
    expect(result).toMatchObject({ stopReason: 'token_limit', steps: 3 })
    expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([300, 190, 80])
  })

  it('refuse more calls in one step than allowed', async () => {
    const many = calls(...Array.from({ length: 5 }, (): [string, unknown] => ['look_up', { query: 'x' }]))
    const { result } = await run(fakeModel(many, 'Ok.').stream, { limits: { maxToolCallsPerStep: 2 } })
    expect(result.toolOutcomes.map(({ ok }) => ok)).toEqual([true, true, false, false, false])
  })

  it('stop at the time limit and tell the tool', async () => {
    let told: AbortSignal | undefined
    const stuck = defineTool({
      ...lookUp,
      execute: (_args, { signal }) => {
        told = signal
        return new Promise(() => {})
      },
    })
    const changes = { tools: [stuck], limits: { maxDurationMs: 30 } }
    const { result } = await run(fakeModel(always, 'never').stream, changes)
    expect(result).toMatchObject({ stopReason: 'time_limit', steps: 1 })
    expect(told?.aborted).toBe(true)
  })
})

describe('what goes wrong', () => {
  it('with the model is a result, with what was said so far', async () => {
    const broken: ModelEvent[] = [{ type: 'text-delta', text: 'Fourt' }]
    const stream: StreamFunction = async function* () {
      yield* broken
      yield { type: 'error', error: modelError('connection') }
    }
    const { result, spans } = await run(stream)
    expect(result).toMatchObject({ stopReason: 'error', text: 'Fourt', error: { code: 'connection' }, messages: [] })
    expect(spans.map(({ type, status }) => [type, status])).toEqual([
      ['agent', 'error'],
      ['model', 'error'],
    ])
  })

  it.each(['', '  \n'])('a reply of %j is no answer', async (text) => {
    const { result } = await run(fakeModel(text).stream)
    expect(result).toMatchObject({ stopReason: 'error', error: { code: 'bad_response' } })
  })

  it('a stream function that throws costs one reply', async () => {
    const { result } = await run(() => {
      throw new Error('bug')
    })
    expect(result).toMatchObject({ stopReason: 'error', error: { code: 'bad_response' } })
  })

  it('a customer who leaves ends the run before the next step', async () => {
    const controller = new AbortController()
    const tool = defineTool({
      ...lookUp,
      execute: async () => {
        controller.abort()
        return 'found'
      },
    })
    const model = fakeModel(calls(['look_up', { query: 'a' }]), 'never')
    const { result, spans } = await run(model.stream, { tools: [tool] }, { signal: controller.signal })
    expect(result).toMatchObject({ stopReason: 'aborted', steps: 1 })
    expect(model.requests).toHaveLength(1)
    expect(spans[0]).toMatchObject({ type: 'agent', status: 'aborted' })
  })
})

describe('spans', () => {
  it('show every step under its agent, in order, and each token once', async () => {
    const model = fakeModel(calls(['look_up', { query: 'returns' }]), 'Within 7 days.')
    const { spans } = await run(model.stream)
    expect(spans.map(({ type, name, status }) => `${type} ${name} ${status}`)).toEqual([
      'agent knowledge ok',
      'model standard ok',
      'tool look_up ok',
      'model standard ok',
    ])
    const [agent, ...steps] = spans
    expect(agent).toMatchObject({ parentId: null, input: 'Returns? My phone is 555-1234.', output: 'Within 7 days.' })
    expect(steps.every(({ parentId }) => parentId === agent?.spanId)).toBe(true)
    expect(spans.map(({ tokens }) => tokens?.inputTokens ?? null)).toEqual([null, 100, null, 100])
  })
})
