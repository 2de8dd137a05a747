import type { Turn } from '../../../language/understanding.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import type { StoredMessage } from '../../sessions/index.ts'
import type { TaskResult } from '../agents/task.ts'
import { type PipelineDependencies, runPipeline } from './pipeline.ts'
import type { TurnSettings } from './settings.ts'
import { OPENING, openState } from './state.ts'
import { FIRST_TURN, newSession, outcomeOf } from './store.ts'
import { startTrace } from './trace.ts'

export interface Preview {
  reply: string
  /** `none`: the reply says that no answer was found; `close` and `asks`: it offers something without being sure. */
  confidence: TaskResult['confidence']
  /** The best first. */
  sources: { docId: string; source: string; score: number; version: string }[]
  /** Ids of the passages whose words it gives. */
  passages: number[]
  /** The question that each part was taken to ask in its conversation. */
  questions: readonly string[]
}

export interface Previewed {
  message: string
  /** Earlier messages, oldest first. */
  history: readonly Turn[]
  settings: TurnSettings
  /** In place of the knowledge base's. */
  search?: (query: string) => Promise<SearchHit[]>
}

const NOWHERE = { record: (): void => {} }
const NEVER = new AbortController().signal

/**
 * The reply to a message of somebody whom nobody knows, by the same pipeline as customers' but its store: nothing is
 * stored and nobody is called. No model writes it, so that the same question by the same settings has the same answer,
 * and a thousand of them cost nothing.
 */
export async function preview(
  deps: Omit<PipelineDependencies, 'store' | 'cache' | 'composer' | 'reader' | 'tiers'>,
  { message, history, settings, search }: Previewed,
): Promise<Preview> {
  const questions = history.filter(({ role }) => role === 'user').map(({ content }) => content)
  const { session, history: own } = newSession({ ...NOBODY, content: message })
  const [last] = own as [StoredMessage]
  const state = openState(
    {
      message,
      session: { ...session, context: { questions } },
      history: [...history.map((turn) => ({ ...last, ...turn })), last],
      settings,
      trace: startTrace(() => deps.clock.now(), NOWHERE, NOBODY),
      signal: NEVER,
      isTakenOver: () => false,
      emit: null,
    },
    deps.understand('', OPENING),
  )
  const { reply } = await runPipeline(
    {
      ...deps,
      ...(search ? { search: ({ query }) => search(query) } : {}),
      reader: null,
      composer: null,
      cache: null,
      tiers: { count: () => {} },
      store: async (ended) => outcomeOf(ended, FIRST_TURN, { isCalled: false, messageId: '' }),
    },
    state,
  )
  return {
    reply,
    confidence: overall(state.results),
    sources: state.sources.toSorted((a, b) => b.score - a.score),
    passages: state.results.flatMap(({ used }) => used.map(({ chunkId }) => chunkId)),
    questions: state.results.map(({ query }) => query),
  }
}

const NOBODY = { sessionId: '', userId: '', channel: 'api', messageId: '' } as const

/** One part that is settled is an answer; a message is in vain when all of it is. */
function overall(results: readonly TaskResult[]): TaskResult['confidence'] {
  const order = ['sure', 'close', 'asks'] as const
  return order.find((level) => results.some(({ confidence }) => confidence === level)) ?? 'none'
}
