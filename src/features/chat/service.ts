import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { createKeyedQueue } from '../../kernel/keyed-queue.ts'
import { recalling } from '../../kernel/recalling.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { TraceSink } from '../../platform/tracing.ts'
import type { Claim, ReplyCache } from '../performance/index.ts'
import { type CachedReply, claimReply, planFromCache, settleClaim, speakCached } from './cached-reply.ts'
import { type CustomerViewOptions, createCustomerView } from './customer-view.ts'
import { type OpenTurn, openTurn } from './open-turn.ts'
import { phrasesFor } from './phrases.ts'
import { releaseTurn } from './queries.ts'
import { storingMeanwhile } from './store-meanwhile.ts'
import { endTurn, forwardToAgent } from './store-turn.ts'
import { startTrace } from './trace-recorder.ts'
import { planTurn, route, speak, type TurnDependencies, type TurnInput, type TurnPlan, type TurnReply } from './turn.ts'
import { createTurnStore, type TurnStore } from './turn-store.ts'
import type { ChatEvent, ChatRequest, TurnOutcome } from './types.ts'
import type { Understand } from './understanding/understanding.ts'
import { type ModelReader, readWithModel } from './understanding-model.ts'

export interface ChatOptions extends TurnDependencies, CustomerViewOptions {
  db: Database
  live: LiveEvents
  traces: TraceSink
  mask: (text: string) => string
  understand: Understand
  cache: Pick<ReplyCache<CachedReply>, 'claim'>
  /** What experiments change for a session; `variant` tells settings apart, '' for those in force. */
  settingsFor(sessionId: string): Partial<Pick<TurnDependencies, 'knowledge' | 'thresholds' | 'escalation'>> & {
    variant: string
  }
  /** Null: messages are understood by rules alone. */
  reader: ModelReader | null
}

export type Chat = ReturnType<typeof createChat>

/** Conversations: one turn at a time per session, each stored before it counts as answered. */
export function createChat(options: ChatOptions) {
  const turns = createKeyedQueue()
  // Traces repeat the same questions and answers; what is personal is not remembered.
  const mask = recalling((text) => options.mask(text), {
    maxEntries: 1_000,
    maxLength: 4_000,
    keep: (text, masked) => text === masked,
  })
  const running: Running = { ...options, mask, turns: createTurnStore(options) }

  /**
   * Runs one turn. The events come as they happen; failures are events too, the iterable never throws. When the
   * consumer stops early or `signal` aborts, what was said so far is kept, marked as interrupted.
   */
  const answer = (request: ChatRequest, signal?: AbortSignal): AsyncGenerator<ChatEvent> => run(request, true, signal)

  async function* run(request: ChatRequest, isStreamed: boolean, signal?: AbortSignal): AsyncGenerator<ChatEvent> {
    const isNew = request.sessionId === ''
    const sessionId = request.sessionId || newId('sess')
    // Nobody else knows a session before its first reply names it.
    const release = isNew && !isStreamed ? () => {} : await turns.acquire(sessionId)
    const owner = newId('turn')
    let ended = false
    try {
      signal?.throwIfAborted()
      const turn = openTurn(running, { ...request, sessionId }, { owner, isNew, isStreamed })
      for await (const event of takeTurn(running, turn, signal)) {
        ended ||= event.type === 'done'
        yield event
      }
    } catch (error) {
      yield { type: 'error', error }
    } finally {
      // Ending a turn gives its lease back; one that failed or was left early still has it.
      if (!ended) await releaseTurn(options.db.executor, sessionId, owner).catch(() => {})
      release()
    }
  }

  return {
    ...createCustomerView(options),
    answer,
    /** The whole turn at once; throws what the stream would report as an error. */
    async reply(request: ChatRequest, signal?: AbortSignal): Promise<TurnOutcome> {
      for await (const event of run(request, false, signal)) {
        if (event.type === 'done') return event.outcome
        if (event.type === 'error') throw event.error
      }
      throw new AppError('internal', 'turn_without_end', 'The turn ended without a reply')
    },
  }
}

interface Running extends ChatOptions {
  turns: TurnStore
}

async function* takeTurn(
  options: Running,
  opening: OpenTurn,
  callerSignal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent> {
  const { live } = options
  const { isStreamed, message } = opening
  const { session, history } = await opening.begin()
  const { sessionId } = session
  const turnEnd = watchForEnd(callerSignal)
  const { signal } = turnEnd
  const unsubscribe = live.subscribe(`session:${sessionId}`, ({ type }) => {
    if (type === 'accepted') turnEnd.takeOver()
  })
  const trace = startTrace(
    { clock: options.clock, mask: options.mask, sink: options.traces },
    { sessionId, channel: session.channel },
  )
  const rules = options.understand(message, {
    previousTurns: history.slice(0, -1).map(({ role, content }) => ({ role, content })),
    lastIntent: session.intent,
    now: new Date(options.clock.now()),
  })
  const { understanding, standalone } = await readWithModel(options.reader, rules, history, signal)
  const reading = { message, understanding, standalone }
  const input: TurnInput = { ...reading, session, history, trace, signal, isStreamed }
  try {
    const events =
      session.agentStatus === 'assigned'
        ? toAgent(options, input, opening)
        : toAssistant(options, input, opening, turnEnd)
    for await (const event of events) {
      if (event.type === 'done') trace.end({ status: 'ok', error: null, ...traced(event.outcome) })
      yield event
    }
  } catch (error) {
    trace.end({ status: 'error', intent: understanding.intent, error: publicText(error), subTasks: [] })
    throw error
  } finally {
    unsubscribe()
    turnEnd.unfollow()
    // Only a consumer who left gets here without an end.
    trace.end({ status: 'interrupted', intent: understanding.intent, error: null, subTasks: [] })
  }
}

/** What ends a turn early: its caller left, or a person took the session over. */
interface EarlyEnd {
  signal: AbortSignal
  takeOver(): void
  isTakenOver(): boolean
  /** Lets go of the caller's signal, which may outlive the turn. */
  unfollow(): void
}

/** Not `AbortSignal.any`, which holds on to its sources until the next full collection. */
function watchForEnd(caller: AbortSignal | undefined): EarlyEnd {
  const controller = new AbortController()
  let takenOver = false
  const follow = (): void => controller.abort(caller?.reason)
  if (caller?.aborted) follow()
  caller?.addEventListener('abort', follow)
  return {
    signal: controller.signal,
    takeOver() {
      takenOver = true
      controller.abort()
    },
    isTakenOver: () => takenOver,
    unfollow: () => caller?.removeEventListener('abort', follow),
  }
}

async function* toAssistant(
  options: Running,
  input: TurnInput,
  opening: OpenTurn,
  { isTakenOver }: EarlyEnd,
): AsyncGenerator<ChatEvent> {
  const { session, understanding } = input
  const { sessionId } = session
  const { variant, ...settings } = options.settingsFor(sessionId)
  const deps = { ...options, ...settings }
  const prepared = await prepare(deps, input, opening, variant).catch((error: unknown) => {
    if (isTakenOver()) return null
    throw error
  })
  if (!prepared) return yield* toAgent(options, input, opening)
  const { plan, claim } = prepared
  let sent = ''
  let outcome: TurnOutcome | undefined
  const partial = (): TurnReply => ({
    reply: sent,
    mode: 'notice',
    sources: plan.sources,
    subTasks: [],
    failedAttempts: plan.failedAttempts,
    confident: false,
    confidence: null,
    context: session.context,
    card: null,
  })
  const end = async (decided: TurnReply, interrupted: boolean): Promise<TurnOutcome> => {
    // A call for a person changes a session that is there.
    if (decided.card) await opening.store()
    const start = opening.notStored()
    return endTurn(options, { session, start, understanding, owner: opening.owner, decided, interrupted })
  }
  try {
    const { sources, escalate } = plan
    if (input.isStreamed) yield { type: 'meta', sessionId, intent: understanding.intent, sources, escalate }
    const words = claim.kind === 'hit' ? speakCached(input, claim.reply) : speak(deps, asSpoken(input, claim), plan)
    let step = await words.next()
    while (!step.done) {
      sent += step.value
      if (input.isStreamed) yield { type: 'token', content: step.value }
      step = await words.next()
    }
    outcome = await end(step.value, false)
    settleClaim(claim, input, step.value)
  } catch (error) {
    if (!isTakenOver()) throw error
    const notice = `${sent === '' ? '' : '\n\n'}${phrasesFor(understanding.replyLanguage).takenOver}`
    sent += notice
    yield { type: 'token', content: notice }
    outcome = await end(partial(), true)
  } finally {
    // Does nothing to a claim that was settled.
    if (claim.kind === 'compute') claim.fail()
    if (!outcome) await end(partial(), true)
  }
  yield { type: 'done', outcome }
}

/** A reply that may be given to others must not lean on this conversation. */
function asSpoken(input: TurnInput, claim: Claim<CachedReply>): TurnInput {
  return claim.kind === 'compute' ? { ...input, history: input.history.slice(-1) } : input
}

/** What there is to say: an answer that is known already, or what the agents find. */
async function prepare(
  deps: ChatOptions,
  input: TurnInput,
  opening: OpenTurn,
  variant: string,
): Promise<{ plan: TurnPlan; claim: Claim<CachedReply> }> {
  const tasks = await route(deps, input)
  const claim = await claimReply(deps.cache, input, tasks, variant)
  if (claim.kind === 'hit') return { plan: planFromCache(claim.reply), claim }
  try {
    return {
      plan: await storingMeanwhile(opening, planTurn(deps, input, tasks), { atOnce: deps.composer !== null }),
      claim,
    }
  } catch (error) {
    if (claim.kind === 'compute') claim.fail()
    throw error
  }
}

/** While a person has the session the assistant only says that the message was passed on. */
async function* toAgent(
  options: Running,
  { session, understanding }: TurnInput,
  { owner }: OpenTurn,
): AsyncGenerator<ChatEvent> {
  const { sessionId } = session
  const notice = phrasesFor(understanding.replyLanguage).assigned
  yield { type: 'meta', sessionId, intent: understanding.intent, sources: [], escalate: true }
  yield { type: 'token', content: notice }
  yield { type: 'done', outcome: await forwardToAgent(options, { session, understanding, owner, notice }) }
}

function traced({ intent, subTasks, escalationCard, confidence, mode }: TurnOutcome) {
  return {
    intent,
    subTasks,
    escalated: escalationCard !== null,
    cached: mode === 'cached',
    ...(confidence === null ? {} : { confidence }),
  }
}

function publicText(error: unknown): string {
  return error instanceof AppError ? error.message : 'internal error'
}
