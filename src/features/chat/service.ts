import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { createKeyedQueue } from '../../kernel/keyed-queue.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { TraceSink } from '../../platform/tracing.ts'
import type { Claim, ReplyCache } from '../performance/index.ts'
import { type CachedReply, claimReply, planFromCache, settleClaim, speakCached } from './cached-reply.ts'
import { type CustomerViewOptions, createCustomerView } from './customer-view.ts'
import { phrasesFor } from './phrases.ts'
import { claimTurn, insertMessage, lockSession, openSession, recentMessages, releaseTurn } from './queries.ts'
import { endTurn, forwardToAgent } from './store-turn.ts'
import { startTrace } from './trace-recorder.ts'
import { planTurn, route, speak, type TurnDependencies, type TurnInput, type TurnPlan, type TurnReply } from './turn.ts'
import type { ChatEvent, ChatRequest, SessionRow, TurnOutcome } from './types.ts'
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

const HISTORY_MESSAGES = 50
const LEASE_POLL_MS = 100
const LEASE_WAIT_MS = 60_000

/** Conversations: one turn at a time per session, each stored before it counts as answered. */
export function createChat(options: ChatOptions) {
  const turns = createKeyedQueue()

  /**
   * Runs one turn. The events come as they happen; failures are events too, the iterable never throws. When the
   * consumer stops early or `signal` aborts, what was said so far is kept, marked as interrupted.
   */
  async function* answer(request: ChatRequest, signal?: AbortSignal): AsyncGenerator<ChatEvent> {
    const sessionId = request.sessionId || newId('sess')
    const release = await turns.acquire(sessionId)
    const owner = newId('turn')
    let ended = false
    try {
      signal?.throwIfAborted()
      for await (const event of takeTurn(options, { ...request, sessionId }, owner, signal)) {
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
      for await (const event of answer(request, signal)) {
        if (event.type === 'done') return event.outcome
        if (event.type === 'error') throw event.error
      }
      throw new AppError('internal', 'turn_without_end', 'The turn ended without a reply')
    },
  }
}

async function* takeTurn(
  options: ChatOptions,
  request: ChatRequest,
  owner: string,
  callerSignal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent> {
  const { db, live } = options
  const session = await beginTurn(options, request, owner)
  const { sessionId } = session
  const history = await recentMessages(db.executor, sessionId, HISTORY_MESSAGES)
  const takenOver = new AbortController()
  const signal = callerSignal ? AbortSignal.any([callerSignal, takenOver.signal]) : takenOver.signal
  const unsubscribe = live.subscribe(`session:${sessionId}`, ({ type }) => {
    if (type === 'accepted') takenOver.abort()
  })
  const trace = startTrace(
    { clock: options.clock, mask: options.mask, sink: options.traces },
    { sessionId, channel: session.channel },
  )
  const rules = options.understand(request.message, {
    previousTurns: history.slice(0, -1).map(({ role, content }) => ({ role, content })),
    lastIntent: session.intent,
    now: new Date(options.clock.now()),
  })
  const { understanding, standalone } = await readWithModel(options.reader, rules, history, signal)
  const input: TurnInput = { message: request.message, session, understanding, standalone, history, trace, signal }
  try {
    const events =
      session.agentStatus === 'assigned'
        ? toAgent(options, input, owner)
        : toAssistant(options, input, owner, takenOver)
    for await (const event of events) {
      if (event.type === 'done') trace.end({ status: 'ok', error: null, ...traced(event.outcome) })
      yield event
    }
  } catch (error) {
    trace.end({ status: 'error', intent: understanding.intent, error: publicText(error), subTasks: [] })
    throw error
  } finally {
    unsubscribe()
    // Only a consumer who left gets here without an end.
    trace.end({ status: 'interrupted', intent: understanding.intent, error: null, subTasks: [] })
  }
}

async function* toAssistant(
  options: ChatOptions,
  input: TurnInput,
  owner: string,
  takenOver: AbortController,
): AsyncGenerator<ChatEvent> {
  const { session, understanding } = input
  const { sessionId } = session
  const { variant, ...settings } = options.settingsFor(sessionId)
  const deps = { ...options, ...settings }
  const prepared = await prepare(deps, input, variant).catch((error: unknown) => {
    if (takenOver.signal.aborted) return null
    throw error
  })
  if (!prepared) return yield* toAgent(options, input, owner)
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
  try {
    yield { type: 'meta', sessionId, intent: understanding.intent, sources: plan.sources, escalate: plan.escalate }
    const words = claim.kind === 'hit' ? speakCached(input, claim.reply) : speak(deps, asSpoken(input, claim), plan)
    let step = await words.next()
    while (!step.done) {
      sent += step.value
      yield { type: 'token', content: step.value }
      step = await words.next()
    }
    outcome = await endTurn(options, { session, understanding, owner, decided: step.value, interrupted: false })
    settleClaim(claim, input, step.value)
  } catch (error) {
    if (!takenOver.signal.aborted) throw error
    const notice = `${sent === '' ? '' : '\n\n'}${phrasesFor(understanding.replyLanguage).takenOver}`
    sent += notice
    yield { type: 'token', content: notice }
    outcome = await endTurn(options, { session, understanding, owner, decided: partial(), interrupted: true })
  } finally {
    // Does nothing to a claim that was settled.
    if (claim.kind === 'compute') claim.fail()
    if (!outcome) await endTurn(options, { session, understanding, owner, decided: partial(), interrupted: true })
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
  variant: string,
): Promise<{ plan: TurnPlan; claim: Claim<CachedReply> }> {
  const tasks = await route(deps, input)
  const claim = await claimReply(deps.cache, input, tasks, variant)
  if (claim.kind === 'hit') return { plan: planFromCache(claim.reply), claim }
  try {
    return { plan: await planTurn(deps, input, tasks), claim }
  } catch (error) {
    if (claim.kind === 'compute') claim.fail()
    throw error
  }
}

/** While a person has the session the assistant only says that the message was passed on. */
async function* toAgent(
  options: ChatOptions,
  { session, understanding }: TurnInput,
  owner: string,
): AsyncGenerator<ChatEvent> {
  const { sessionId } = session
  const notice = phrasesFor(understanding.replyLanguage).assigned
  yield { type: 'meta', sessionId, intent: understanding.intent, sources: [], escalate: true }
  yield { type: 'token', content: notice }
  yield { type: 'done', outcome: await forwardToAgent(options.db, { session, understanding, owner, notice }) }
}

/** Opens the session, waits until no other replica runs a turn of it, and stores what the customer said. */
async function beginTurn({ db, live }: ChatOptions, request: ChatRequest, owner: string): Promise<SessionRow> {
  const { sessionId, userId, channel, message } = request
  const opened = await openSession(db.executor, { sessionId, userId, channel })
  if (userId !== '' && opened.userId !== userId) {
    throw new AppError('conflict', 'session_user', 'session_id: this session belongs to another user')
  }
  const deadline = Date.now() + LEASE_WAIT_MS
  while (!(await claimTurn(db.executor, sessionId, owner))) {
    if (Date.now() > deadline) {
      const text = 'The previous message of this session is still being answered'
      throw new AppError('unavailable', 'session_busy', text, { retryAfterSeconds: 5 })
    }
    await sleep(LEASE_POLL_MS)
  }
  return db.transaction(async (trx) => {
    // Read again, for the turn that was waited for changed it; and locked before the message is stored, so that the
    // messages of a session are numbered in the order in which they become visible: streams follow the numbers.
    const session = (await lockSession(trx, sessionId)) ?? opened
    const stored = await insertMessage(trx, { messageId: newId('msg'), sessionId, role: 'user', content: message })
    if (session.agentStatus !== null && session.agentStatus !== 'resolved') {
      await live.publish(trx, { topic: 'workspace', type: 'message', ref: stored.messageId })
    }
    await live.publish(trx, { topic: `session:${sessionId}`, type: 'message', ref: stored.messageId })
    return session
  })
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
