import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { createKeyedQueue } from '../../kernel/keyed-queue.ts'
import { ConsumerLeft, lockstep } from '../../kernel/lockstep.ts'
import { recalling } from '../../kernel/recalling.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { TraceSink } from '../../platform/tracing.ts'
import type { Claim, ReplyCache } from '../performance/index.ts'
import { type CachedReply, claimReply, planFromCache, settleClaim, speakCached } from './cached-reply.ts'
import { type CustomerViewOptions, createCustomerView } from './customer-view.ts'
import { contextOfGuest } from './identity.ts'
import { type OpenTurn, openTurn } from './open-turn.ts'
import { phrasesFor } from './phrases.ts'
import { releaseTurn } from './queries.ts'
import { storingMeanwhile } from './store-meanwhile.ts'
import { endTurn, forwardToAgent } from './store-turn.ts'
import { startTrace } from './trace-recorder.ts'
import { planTurn, route, speak, type TurnDependencies, type TurnInput, type TurnPlan, type TurnReply } from './turn.ts'
import type { BegunTurn } from './turn-queries.ts'
import { createTurnStore, type TurnStore } from './turn-store.ts'
import type { ChatEvent, ChatRequest, TurnOutcome } from './types.ts'
import type { Understand } from './understanding/understanding.ts'
import { type ModelReader, type Reading, readWithModel } from './understanding-model.ts'

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
  const trustsMade = options.identity === 'made'
  // Traces repeat the same questions and answers; what is personal is not remembered.
  const mask = recalling((text) => options.mask(text), {
    maxEntries: 1_000,
    maxLength: 4_000,
    keep: (text, masked) => text === masked,
  })
  const running: Running = { ...options, mask, turns: createTurnStore(options) }

  /** @param tell of what happens before the end, where somebody follows */
  async function run(request: ChatRequest, tell: Tell | null, signal?: AbortSignal): Promise<TurnOutcome> {
    const isStreamed = tell !== null
    const isNew = request.sessionId === ''
    const sessionId = request.sessionId || newId('sess')
    // Nobody else knows a session before its first reply names it, or the first event of its stream.
    const isKnown = !isNew || isStreamed
    const release = isKnown ? await turns.acquire(sessionId) : () => {}
    const owner = newId('turn')
    try {
      signal?.throwIfAborted()
      const turn = openTurn(running, { ...request, sessionId }, { owner, isKnown, isStreamed, isNew, trustsMade })
      return await takeTurn(running, turn, tell, signal)
    } catch (error) {
      // Ending a turn gives its lease back; one that failed or was left early still has it.
      await releaseTurn(options.db.executor, sessionId, owner).catch(() => {})
      throw error
    } finally {
      release()
    }
  }

  return {
    ...createCustomerView(options),
    /**
     * Runs one turn. The events come as they happen; failures are events too, the iterable never throws. When the
     * consumer stops early or `signal` aborts, what was said so far is kept, marked as interrupted.
     */
    async *answer(request: ChatRequest, signal?: AbortSignal): AsyncGenerator<ChatEvent> {
      try {
        const outcome = yield* lockstep<ChatEvent, TurnOutcome>((tell) => run(request, tell, signal))
        yield { type: 'done', outcome }
      } catch (error) {
        yield { type: 'error', error }
      }
    },
    /** The whole turn at once; throws what the stream would report as an error. */
    reply: (request: ChatRequest, signal?: AbortSignal): Promise<TurnOutcome> => run(request, null, signal),
  }
}

/** Hands an event to whoever follows a turn; resolves when the next is wanted. */
type Tell = (event: ChatEvent) => Promise<void>

interface Running extends ChatOptions {
  turns: TurnStore
}

async function takeTurn(
  options: Running,
  opening: OpenTurn,
  tell: Tell | null,
  callerSignal: AbortSignal | undefined,
): Promise<TurnOutcome> {
  const { isStreamed, isKnown, message } = opening
  const begun = forSpeaker(await opening.begin(), options.mask)
  const { session, history } = begun
  const { sessionId, channel } = session
  const { clock, mask, traces: sink } = options
  const trace = startTrace({ clock, mask, sink }, { sessionId, channel })
  const early = isKnown ? watchForEnd(options.live, sessionId, callerSignal) : endsWith(callerSignal)
  const { signal } = early
  let intent = 'unknown'
  try {
    const { understanding, standalone } = await read(options, message, begun, signal)
    intent = understanding.intent
    const input: TurnInput = { message, understanding, standalone, session, history, trace, signal, isStreamed }
    const outcome =
      session.agentStatus === 'assigned'
        ? await toAgent(options, input, opening, tell)
        : await toAssistant(options, input, opening, { early, tell })
    trace.end({ status: 'ok', error: null, ...traced(outcome, session) })
    return outcome
  } catch (error) {
    // A customer who leaves is no failure, which alerts would count.
    const hasLeft = error instanceof ConsumerLeft || callerSignal?.aborted
    const how = hasLeft ? INTERRUPTED : { status: 'error' as const, error: publicText(error) }
    trace.end({ ...how, intent, subTasks: [] })
    throw error
  } finally {
    early.unfollow()
  }
}

/** Guests may follow up what the session's customer asked, but get to know nothing of that customer. */
function forSpeaker(begun: BegunTurn, mask: (text: string) => string): BegunTurn {
  const { session, customersQuestions } = begun
  if (!session.isGuest) return begun
  const context = contextOfGuest(session.context, customersQuestions, (text) => mask(text) !== text)
  return { ...begun, session: { ...session, context } }
}

const INTERRUPTED = { status: 'interrupted', error: null } as const

/** What the message is about and asks, in its conversation. */
function read(
  options: Running,
  message: string,
  { session, history }: BegunTurn,
  signal: AbortSignal,
): Promise<Reading> {
  const rules = options.understand(message, {
    previousTurns: history.slice(0, -1).map(({ role, content }) => ({ role, content })),
    lastIntent: session.intent,
    now: new Date(options.clock.now()),
  })
  return readWithModel(options.reader, rules, history, signal)
}

/** What ends a turn early: its caller left, or a person took the session over. */
interface EarlyEnd {
  signal: AbortSignal
  isTakenOver(): boolean
  /** Lets go of the session, and of the caller's signal, which may outlive the turn. */
  unfollow(): void
}

/** Not `AbortSignal.any`, which holds on to its sources until the next full collection. */
function watchForEnd(live: LiveEvents, sessionId: string, caller: AbortSignal | undefined): EarlyEnd {
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

/** Of a session that nobody can take over, because nobody knows it. */
function endsWith(caller = new AbortController().signal): EarlyEnd {
  return { signal: caller, isTakenOver: () => false, unfollow() {} }
}

async function toAssistant(
  options: Running,
  input: TurnInput,
  opening: OpenTurn,
  { early: { isTakenOver }, tell }: { early: EarlyEnd; tell: Tell | null },
): Promise<TurnOutcome> {
  const { session, understanding } = input
  const { sessionId } = session
  const { variant, ...settings } = options.settingsFor(sessionId)
  const deps = variant === '' ? options : { ...options, ...settings }
  const prepared = await prepare(deps, input, opening, variant).catch((error: unknown) => {
    if (isTakenOver()) return null
    throw error
  })
  if (!prepared) return toAgent(options, input, opening, tell)
  const { plan, claim } = prepared
  let sent = ''
  let outcome: TurnOutcome | undefined
  const say = async (content: string): Promise<void> => {
    sent += content
    await tell?.({ type: 'token', content })
  }
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
    await tell?.({ type: 'meta', sessionId, intent: understanding.intent, sources, escalate })
    const decided =
      claim.kind === 'hit'
        ? await speakCached(input, claim.reply, say)
        : await speak(deps, asSpoken(input, claim), plan, say)
    outcome = await end(decided, false)
    settleClaim(claim, decided)
  } catch (error) {
    if (!isTakenOver() || error instanceof ConsumerLeft) throw error
    await say(`${sent === '' ? '' : '\n\n'}${phrasesFor(understanding.replyLanguage).takenOver}`)
    outcome = await end(partial(), true)
  } finally {
    // Does nothing to a claim that was settled.
    if (claim.kind === 'compute') claim.fail()
    if (!outcome) await end(partial(), true)
  }
  return outcome
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
async function toAgent(
  options: Running,
  { session, understanding }: TurnInput,
  { owner }: OpenTurn,
  tell: Tell | null,
): Promise<TurnOutcome> {
  const { sessionId } = session
  const notice = phrasesFor(understanding.replyLanguage).assigned
  await tell?.({ type: 'meta', sessionId, intent: understanding.intent, sources: [], escalate: true })
  await tell?.({ type: 'token', content: notice })
  return forwardToAgent(options, { session, understanding, owner, notice })
}

function traced(
  { intent, subTasks, escalationCard, confidence, mode }: TurnOutcome,
  { agentStatus }: TurnInput['session'],
) {
  // Until somebody comes every further turn shows the card again; the person was called once.
  const wasCalled = agentStatus === 'pending' || agentStatus === 'assigned'
  return {
    intent,
    subTasks,
    escalated: escalationCard !== null && !wasCalled,
    cached: mode === 'cached',
    ...(confidence === null ? {} : { confidence }),
  }
}

function publicText(error: unknown): string {
  return error instanceof AppError ? error.message : 'internal error'
}
