import { asyncChannel, ConsumerLeft } from '../../kernel/async-channel.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import { withLogContext } from '../../kernel/log-context.ts'
import type { TraceSink } from '../../kernel/tracing.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import {
  type CustomerViewOptions,
  contextOfGuest,
  createCustomerView,
  type FeedbackFilter,
  listFeedback,
  originOf,
  type Rated,
  type RatedPosition,
} from '../sessions/index.ts'
import { type PipelineDependencies, runPipeline } from './turn/pipeline.ts'
import { type Preview, type Previewed, preview } from './turn/preview.ts'
import type { BegunTurn } from './turn/queries.ts'
import type { TurnSettings } from './turn/settings.ts'
import { type Emit, OPENING, openState } from './turn/state.ts'
import { createTurnStores, type TurnOutcome, type TurnStore } from './turn/store.ts'
import { startTrace } from './turn/trace.ts'
import type { ChatEvent, ChatRequest } from './types.ts'

export interface ChatOptions extends Omit<PipelineDependencies, 'store'>, CustomerViewOptions {
  db: Database
  live: LiveEvents
  traces: TraceSink
  mask: (text: string) => string
  /** With what the experiments of the session change; of no session, those in force. */
  settingsFor(sessionId: string | null): TurnSettings
}

export type Chat = ReturnType<typeof createChat>

/** Conversations: one turn at a time per session, each stored before it counts as answered. */
export function createChat(options: ChatOptions) {
  const { mask } = options
  const turns = createKeyedMutex()
  const openStore = createTurnStores(options)

  /** @param emit null: nobody follows what happens before the end */
  async function run(request: ChatRequest, emit: Emit | null, signal?: AbortSignal): Promise<TurnOutcome> {
    const isNew = request.sessionId === ''
    const sessionId = request.sessionId || newId('sess')
    const start = {
      sessionId,
      userId: request.userId,
      origin: originOf(request, isNew),
      trustsMade: options.identity === 'made',
      channel: request.channel,
      owner: newId('turn'),
      messageId: request.messageId ?? newId('msg'),
      content: request.message,
    }
    // Before the first reply nobody knows a session but who follows a stream; a model takes its time.
    const store = openStore(start, isNew && emit === null && options.composer === null)
    const unlock = await turns.acquire(sessionId)
    try {
      signal?.throwIfAborted()
      const begun = forSpeaker(await store.begin(), mask)
      return await takeTurn(
        options,
        request,
        { ...begun, history: untilMessage(begun.history, start.messageId) },
        { store, emit, signal },
      )
    } catch (error) {
      // Ending a turn gives its lease back; one that failed or was left early still has it.
      await store.release().catch(() => {})
      throw error
    } finally {
      unlock()
    }
  }

  return {
    ...createCustomerView(options),
    /**
     * Runs one turn. The events come as they happen; failures are events too, the iterable never throws. When the
     * consumer stops early or `signal` aborts, what was said so far is kept, marked as interrupted.
     */
    async *answer(request: ChatRequest, signal?: AbortSignal): AsyncGenerator<ChatEvent> {
      let isOpen = false
      try {
        const outcome = yield* asyncChannel<ChatEvent, TurnOutcome>((give) => {
          const emit: Emit = (event) => {
            isOpen = true
            return give(event)
          }
          return run(request, emit, signal)
        })
        yield { type: 'done', outcome }
      } catch (error) {
        if (!isOpen) yield { ...UNREAD, sessionId: request.sessionId }
        yield { type: 'error', error }
      }
    },
    /** Ratings, the last given first, without personal data. */
    rated: (filter: FeedbackFilter) => listRated(options, filter),
    /** The whole turn at once; throws what the stream would report as an error. */
    reply: (request: ChatRequest, signal?: AbortSignal): Promise<TurnOutcome> => run(request, null, signal),
    /**
     * The reply that there would be; nothing is stored and nobody is called. By the settings in force, unless others
     * are given.
     */
    preview: ({
      settings = options.settingsFor(null),
      ...question
    }: Omit<Previewed, 'settings'> & Partial<Previewed>): Promise<Preview> =>
      preview(options, { ...question, settings }),
  }
}

async function listRated(
  { db, mask }: Pick<ChatOptions, 'db' | 'mask'>,
  filter: FeedbackFilter,
): Promise<{ items: Rated[]; next: RatedPosition | null }> {
  const found = await listFeedback(db.executor, { ...filter, limit: filter.limit + 1 })
  const page = found.slice(0, filter.limit)
  const last = page.at(-1)
  const items = page.map((each) => ({
    ...each,
    reply: mask(each.reply),
    question: each.question && mask(each.question),
    comment: each.comment && mask(each.comment),
  }))
  return { items, next: found.length > page.length && last ? { atMs: last.atMs, messageId: last.messageId } : null }
}

/** Runs a turn that has begun, whose end its caller or a person may bring about early. */
async function takeTurn(
  options: ChatOptions,
  { message, callsPerson = false }: Pick<ChatRequest, 'message' | 'callsPerson'>,
  { session, history }: BegunTurn,
  turn: { store: TurnStore; emit: Emit | null; signal: AbortSignal | undefined },
): Promise<TurnOutcome> {
  const { sessionId, channel } = session
  const trace = startTrace(() => options.clock.now(), options.traces, { sessionId, channel })
  const { unfollow, ...early } = watchForEnd(options.live, sessionId, turn.signal)
  const settings = options.settingsFor(sessionId)
  const { emit } = turn
  const state = openState(
    { message, callsPerson, session, history, settings, trace, emit, ...early },
    options.understand('', OPENING),
  )
  const deps = { ...options, store: turn.store.end }
  try {
    const outcome = await withLogContext({ sessionId, traceId: trace.traceId }, () => runPipeline(deps, state))
    trace.end({ status: 'ok', error: null, ...traced(outcome) })
    return outcome
  } catch (error) {
    // A customer who leaves is no failure, which alerts would count.
    const hasLeft = error instanceof ConsumerLeft || turn.signal?.aborted
    const how = hasLeft ? INTERRUPTED : { status: 'error' as const, error: publicText(error) }
    trace.end({ ...how, intent: state.understanding.intent, subTasks: [] })
    throw error
  } finally {
    unfollow()
  }
}

/** A message that is sent again, as its answer failed, is the last: what was begun of that answer is none. */
function untilMessage(history: BegunTurn['history'], messageId: string): BegunTurn['history'] {
  const at = history.findIndex((message) => message.messageId === messageId)
  return at < 0 ? history : history.slice(0, at + 1)
}

/** Guests may follow up what the session's customer asked, but get to know nothing of that customer. */
function forSpeaker(begun: BegunTurn, mask: (text: string) => string): BegunTurn {
  const { session, customersQuestions } = begun
  if (!session.isGuest) return begun
  const context = contextOfGuest(session.context, customersQuestions, (text) => mask(text) !== text)
  return { ...begun, session: { ...session, context } }
}

/** The first event of a stream is the same whatever follows: here a turn that failed before it was understood. */
const UNREAD = { type: 'meta', traceId: '', intent: 'unknown', sources: [], escalate: false } as const

const INTERRUPTED = { status: 'interrupted', error: null } as const

/**
 * The reasons that end a turn early: its caller left, or a person took the session over. `unfollow` lets go of the
 * session, and of the caller's signal, which may outlive the turn. Not `AbortSignal.any`, which holds on to its sources
 * until the next full collection.
 */
function watchForEnd(live: LiveEvents, sessionId: string, caller: AbortSignal | undefined) {
  const controller = new AbortController()
  let takenOver = false
  const unsubscribe = live.subscribe(`session:${sessionId}`, ({ type }) => {
    if (type !== 'accepted') return
    takenOver = true
    controller.abort()
  })
  const follow = (): void => controller.abort(caller?.reason)
  if (caller?.aborted) follow()
  caller?.addEventListener('abort', follow)
  return {
    signal: controller.signal,
    isTakenOver: () => takenOver,
    unfollow() {
      unsubscribe()
      caller?.removeEventListener('abort', follow)
    },
  }
}

function traced({ intent, subTasks, isCalled, confidence, mode, messageId }: TurnOutcome) {
  return {
    intent,
    subTasks,
    escalated: isCalled,
    cached: mode === 'cached',
    ...(confidence === null ? {} : { confidence }),
    ...(messageId === '' ? {} : { messageId }),
  }
}

function publicText(error: unknown): string {
  return error instanceof AppError ? error.message : 'internal error'
}
