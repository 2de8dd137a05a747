import { builtInMeaning } from '../../src/ai/embedder/built-in.ts'
import type { ModelEvent, ChatRequest as ModelRequest, StreamFunction } from '../../src/ai/model/port.ts'
import type { PipelineDependencies } from '../../src/features/chat/turn/pipeline.ts'
import { turnSettings } from '../../src/features/chat/turn/settings.ts'
import { openState, type TurnOpening, type TurnState } from '../../src/features/chat/turn/state.ts'
import { FIRST_TURN, newSession, outcomeOf } from '../../src/features/chat/turn/store.ts'
import { startTrace } from '../../src/features/chat/turn/trace.ts'
import type { ChatEvent } from '../../src/features/chat/types.ts'
import { loadUnderstand } from '../../src/features/chat/understanding/load.ts'
import type { SearchHit } from '../../src/features/knowledge/types.ts'
import { DEFAULTS, type TunerParameters } from '../../src/features/tuning/parameters.ts'
import type { Trace } from '../../src/kernel/tracing.ts'
import { createAnalyser } from '../../src/language/words/analyser.ts'

/** Parts of a turn that stand alone, without a database. */

export const understand = await loadUnderstand()
export const terms = { ...createAnalyser(), meaning: builtInMeaning }

export function hit(content: string, score: number, more: Partial<SearchHit> = {}): SearchHit {
  return {
    ordinal: 0,
    chunkId: 1,
    docId: 'doc_1',
    version: 1,
    source: 'returns.md',
    title: 'Returns',
    headingPath: [],
    kind: 'text',
    question: null,
    content,
    page: null,
    metadata: {},
    score,
    ...more,
  }
}

/** What a pipeline needs, of which nothing leaves the process; the shop's systems know nobody. */
export function pipelineWith(changes: Partial<PipelineDependencies> = {}): PipelineDependencies {
  return {
    understand,
    terms,
    reader: null,
    composer: null,
    cache: null,
    search: async () => [],
    business: {
      holdsRecords: async () => true,
      run: async () => ({
        outcome: 'unverified',
        reply: 'Please sign in.',
        data: {},
        error: null,
        needConfirmation: false,
        scene: 'order_status',
        maskedFields: [],
        restriction: null,
        pending: null,
      }),
    },
    tiers: { count: () => {} },
    clock: { now: () => Date.now() },
    log: { warn: () => {} },
    store: async (state) => outcomeOf(state, FIRST_TURN, { isCalled: state.card !== null, messageId: 'msg_1' }),
    ...changes,
  }
}

/** A turn that begins, the events that it gives, and its trace, of which there is one when it has ended. */
export function turnOf(
  message: string,
  {
    session = {},
    params = {},
    ...changes
  }: Omit<Partial<TurnOpening>, 'session'> & {
    session?: Partial<TurnOpening['session']>
    params?: Partial<TunerParameters>
  } = {},
): { state: TurnState; events: ChatEvent[]; traces: Trace[] } {
  const events: ChatEvent[] = []
  const traces: Trace[] = []
  const sink = { record: (trace: Trace) => void traces.push(trace) }
  const begun = newSession({ sessionId: 'sess_1', userId: 'u', channel: 'web', messageId: 'msg_0', content: message })
  const opening: TurnOpening = {
    message,
    session: { ...begun.session, ...session },
    history: begun.history,
    settings: turnSettings(DEFAULTS, params),
    trace: startTrace(() => Date.now(), sink, { sessionId: 'sess_1', channel: 'web' }),
    signal: new AbortController().signal,
    isTakenOver: () => false,
    emit: async (event) => void events.push(event),
    ...changes,
  }
  return { state: openState(opening, understand('')), events, traces }
}

/** A model that says its lines, one a call, and what it was asked. */
export function scriptedStream(...lines: (string | ModelEvent[])[]): { stream: StreamFunction; asked: ModelRequest[] } {
  const asked: ModelRequest[] = []
  const stream: StreamFunction = async function* (request) {
    const line = lines[Math.min(asked.push(request), lines.length) - 1] ?? ''
    if (typeof line !== 'string') yield* line
    else for (const text of line.match(/.{1,8}/gs) ?? []) yield { type: 'text-delta', text }
    yield { type: 'usage', usage: { inputTokens: 100, outputTokens: 10, estimated: false }, model: 'scripted' }
    yield { type: 'finish', reason: 'stop' }
  }
  return { stream, asked }
}
