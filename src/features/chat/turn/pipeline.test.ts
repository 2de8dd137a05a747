import { describe, expect, it } from 'vitest'
import { hit, pipelineWith, scriptedStream, turnOf, understand } from '../../../../test/support/turns.ts'
import type { ChatModel } from '../../../ai/model/port.ts'
import type { Span } from '../../../kernel/tracing.ts'
import type { SearchRequest } from '../../knowledge/index.ts'
import { runPipeline } from './pipeline.ts'
import { FIRST_TURN, outcomeOf } from './store.ts'

const ANSWER = hit('Goods may be returned within 7 days.', 0.9)
const answering =
  (...hits: (typeof ANSWER)[]) =>
  async (): Promise<(typeof ANSWER)[]> =>
    hits
const streamed = (events: { type: string; content?: string }[]): string =>
  events.map(({ content = '' }) => content).join('')

function modelOf(...lines: Parameters<typeof scriptedStream>) {
  const { stream, asked } = scriptedStream(...lines)
  const model = { stream } as unknown as ChatModel
  return { composer: { model, mask: (text: string) => text, maxTokensPerReply: 10_000 }, asked }
}

describe('a turn', () => {
  it('goes through every step in order, each a span of its trace, and gives meta before the reply', async () => {
    const { state, events, traces } = turnOf('What is the return window?')
    const search = async ({ onStage }: SearchRequest) => {
      onStage?.({ name: 'candidates', durationMs: 0, lexical: 3, vector: 2 })
      onStage?.({ name: 'ranking', durationMs: 0, judged: 4, topScores: [0.9] })
      return [ANSWER]
    }
    const outcome = await runPipeline(pipelineWith({ search }), state)
    expect(outcome).toMatchObject({ confidence: 'sure', failedAttempts: 0, escalate: false, mode: 'extractive' })
    expect(events[0]).toMatchObject({ type: 'meta', traceId: outcome.traceId })
    expect(streamed(events)).toBe(outcome.reply)
    state.trace.end({ status: 'ok', intent: 'faq', error: null, subTasks: [] })
    const spans = traces[0]?.spans ?? []
    const within = (parent: Span | undefined) =>
      spans.filter(({ parentId }) => parentId === (parent?.spanId ?? null)).map(({ name }) => name)
    const named = (wanted: string) => spans.find(({ name }) => name === wanted)
    expect(within(undefined)).toEqual(['understand', 'route', 'cache', 'answer', 'decide', 'render', 'store'])
    expect(within(named('answer'))).toEqual(['knowledge'])
    expect(within(named('knowledge'))).toEqual(['search'])
    expect(within(named('search'))).toEqual(['candidates', 'ranking'])
    expect(named('candidates')?.output).toBe('3 lexical, 2 vector')
    expect(named('cache')?.output).toBe('bypass')
  })

  it('has parts that take no longer than the whole, and counts each token once', async () => {
    const { composer } = modelOf('Within 7 days [1].')
    let now = 0
    const clock = { now: () => (now += 3) }
    const { state, traces } = turnOf('What is the return window?', {})
    await runPipeline(pipelineWith({ composer, clock, search: answering(ANSWER) }), state)
    state.trace.end({ status: 'ok', intent: 'faq', error: null, subTasks: [] })
    const [trace] = traces
    const parts = trace?.spans.filter(({ parentId }) => parentId === null) ?? []
    expect(parts.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBeLessThanOrEqual(trace?.durationMs ?? 0)
    const composed = trace?.spans.find(({ name }) => name === 'render')
    expect(trace?.spans.filter(({ parentId }) => parentId === composed?.spanId).map(({ type }) => type)).toEqual([
      'agent',
      'guard',
    ])
    expect(trace?.spans.reduce((sum, { tokens }) => sum + (tokens?.inputTokens ?? 0), 0)).toBe(100)
  })

  it('shows the model call by which a message was understood', async () => {
    const read = { intent: 'product', emotion_score: 0, questions: ['What is the warranty of the lamp?'] }
    const { stream } = scriptedStream(JSON.stringify(read))
    const reader = { model: { stream } as unknown as ChatModel, understand, mask: (text: string) => text }
    const { history } = turnOf('What is the warranty of the lamp?').state
    const again = turnOf('And for electronics?')
    const { state, traces } = turnOf('And for electronics?', { history: [...history, ...again.state.history] })
    const outcome = await runPipeline(pipelineWith({ reader, search: answering(ANSWER) }), state)
    state.trace.end({ status: 'ok', intent: outcome.intent, error: null, subTasks: [] })
    const [understood, call] = traces[0]?.spans ?? []
    expect([understood?.name, call?.type, call?.parentId]).toEqual(['understand', 'model', understood?.spanId])
    expect(call?.tokens).toMatchObject({ inputTokens: 100, outputTokens: 10 })
    expect(outcome.intent).toBe('product')
  })

  it('hands its settings to the search, to what a model is given, and to what the model searches', async () => {
    const requests: SearchRequest[] = []
    const search = async (request: SearchRequest) => {
      requests.push(request)
      return Array.from({ length: 5 }, (_, i) =>
        hit(`${ANSWER.content} ${'More of it. '.repeat(60)}`, 0.9, { chunkId: i }),
      )
    }
    const again = { id: 'c1', name: 'search_knowledge', arguments: '{"query":"window"}' }
    const passages = async (params: object): Promise<number> => {
      const { composer, asked } = modelOf([{ type: 'tool-call', call: again }], 'Within 7 days [1].')
      const { state } = turnOf('What is the return window?', { params: { min_score: 0.42, ...params } })
      await runPipeline(pipelineWith({ search, composer }), state)
      return asked[0]?.messages.at(-1)?.content.split('<passage id').length ?? 0
    }
    expect(await passages({ max_context_tokens: 300 })).toBeLessThan(await passages({}))
    expect(requests).toHaveLength(4)
    expect(requests.every(({ parameters }) => parameters?.minScore === 0.42)).toBe(true)
  })

  it('says only that the message was passed on while a person has the session', async () => {
    const { state, events } = turnOf('What is the return window?', { session: { agentStatus: 'assigned' } })
    const search = () => Promise.reject(new Error('searched'))
    const outcome = await runPipeline(pipelineWith({ search }), state)
    expect(outcome).toMatchObject({ escalate: true, messageId: '', mode: 'notice', subTasks: [] })
    expect(streamed(events)).toBe('Your message has been passed on to our colleague; please wait a moment.')
  })
})

describe('a call for a person', () => {
  const CALLED = /called a colleague/

  it.each(['I want to talk to a person', 'This is theft, I will sue you! What is the return window?'])(
    'is told once it is stored, and not before: %s',
    async (message) => {
      const { state, events } = turnOf(message)
      let toldBefore = ''
      const deps = pipelineWith({ search: answering(ANSWER) })
      const outcome = await runPipeline(
        {
          ...deps,
          store: (ended) => {
            toldBefore = streamed(events)
            return deps.store(ended)
          },
        },
        state,
      )
      expect(toldBefore).not.toMatch(CALLED)
      expect(outcome).toMatchObject({ escalate: true, reply: expect.stringMatching(CALLED) })
      expect(streamed(events)).toBe(outcome.reply)
    },
  )

  it('is not told where it could not be stored', async () => {
    const { state, events } = turnOf('I want to talk to a person')
    const store = () => Promise.reject(new Error('no database'))
    await expect(runPipeline(pipelineWith({ store }), state)).rejects.toThrow('no database')
    expect(streamed(events)).toBe('')
  })

  it('is not told anew while the customer waits', async () => {
    const { state } = turnOf('I want to talk to a person', { session: { agentStatus: 'pending' } })
    const { reply } = await runPipeline(pipelineWith(), state)
    expect(reply).toBe('A colleague has been called; please wait a moment.')
  })

  it.each(['Please update my agent profile', 'order 12345', 'What is the return window?'])(
    'is neither told nor made: %s',
    async (message) => {
      const { state } = turnOf(message)
      const { reply, escalationCard } = await runPipeline(pipelineWith({ search: answering(ANSWER) }), state)
      expect([CALLED.test(reply), escalationCard]).toEqual([false, null])
    },
  )

  it('follows unsure answers as often as the parameter says', async () => {
    const close = answering({ ...ANSWER, score: 0.3 })
    const ask = async (failedAttempts: number) => {
      const { state } = turnOf('Do you sell horses?', { session: { failedAttempts } })
      return runPipeline(pipelineWith({ search: close }), state)
    }
    const [first, second] = [await ask(0), await ask(1)]
    expect(first.escalate).toBe(false)
    expect(second).toMatchObject({ escalate: true, escalationCard: { reason: 'repeated_failure', failed_attempts: 2 } })
    expect(second.reply).toMatch(CALLED)
  })
})

describe('a turn that ends early', () => {
  const leaving = () => {
    const controller = new AbortController()
    const stored: string[] = []
    const deps = pipelineWith({
      search: answering(ANSWER),
      store: async (state) => {
        stored.push(`${state.interrupted ? 'interrupted: ' : ''}${state.reply}`)
        return outcomeOf(state, FIRST_TURN, { isCalled: false, messageId: 'm' })
      },
    })
    return { controller, stored, deps }
  }

  it('keeps what was said when the customer leaves, and no more', async () => {
    const { deps, stored } = leaving()
    let tokens = 0
    const { state } = turnOf('What is the return window?', {
      emit: async ({ type }) => {
        if (type === 'token' && ++tokens === 3) throw new Error('left')
      },
    })
    await expect(runPipeline(deps, state)).rejects.toThrow('left')
    expect(stored).toEqual(['interrupted: Goods may be'])
  })

  it('says so when a person takes over while it is written', async () => {
    const { deps, stored } = leaving()
    let isTakenOver = false
    const { state } = turnOf('What is the return window?', {
      isTakenOver: () => isTakenOver,
      emit: async ({ type }) => {
        if (type !== 'token' || isTakenOver) return
        isTakenOver = true
        throw new Error('taken over')
      },
    })
    await runPipeline(deps, state)
    expect(stored).toEqual([expect.stringMatching(/^interrupted: Goods\n\nA colleague has joined/)])
  })

  it('passes the message on when a person takes over before', async () => {
    const { deps } = leaving()
    const { state } = turnOf('What is the return window?', { isTakenOver: () => true, signal: AbortSignal.abort() })
    const { reply } = await runPipeline({ ...deps, search: () => Promise.reject(new Error('aborted')) }, state)
    expect(reply).toMatch(/passed on/)
  })
})

it('shares a reply by the settings that the turn goes by, whatever is in force when it is kept', async () => {
  const scopes: string[] = []
  const cache = {
    claim: async ({ scope }: { scope: string }) => {
      scopes.push(scope)
      return { kind: 'bypass' as const }
    },
  }
  for (const clarify_threshold of [0.2, 0.2, 0.3]) {
    await runPipeline(
      pipelineWith({ cache }),
      turnOf('How heavy is the lantern?', { params: { clarify_threshold } }).state,
    )
  }
  expect(scopes[1]).toBe(scopes[0])
  expect(scopes[2]).not.toBe(scopes[0])
})
