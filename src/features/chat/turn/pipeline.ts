import { ConsumerLeft } from '../../../kernel/async-channel.ts'
import type { Spans, SpanType } from '../../../kernel/tracing.ts'
import { planTasks } from '../agents/router.ts'
import { type AgentDependencies, runTasks } from '../agents/run-tasks.ts'
import type { ReplyCache } from '../cache/reply-cache.ts'
import { awaitsModel } from '../reply/compose.ts'
import { phrasesFor } from '../reply/phrases.ts'
import { type ModelReader, readWithModel } from '../understanding/model.ts'
import { asCall, type Understand } from '../understanding/understanding.ts'
import { type CachedReply, claimReply, settleClaim } from './cache.ts'
import { decide } from './decide.ts'
import { type RenderDependencies, release, render, write } from './render.ts'
import type { TurnState } from './state.ts'
import type { TurnOutcome } from './store.ts'

export interface PipelineDependencies extends AgentDependencies, RenderDependencies {
  understand: Understand
  /** Null: messages are understood by rules alone. */
  reader: ModelReader | null
  /** Null: every reply is made anew. */
  cache: Pick<ReplyCache<CachedReply>, 'claim'> | null
  /** Makes the turn count; a dry run's store keeps nothing and calls nobody. */
  store(state: TurnState): Promise<TurnOutcome>
}

interface Step {
  name: 'understand' | 'route' | 'cache' | 'answer' | 'decide' | 'render' | 'store'
  /** Who does it, as traces and the list of agents name them, and as which kind of work. */
  by: { agent: string; type: SpanType }
  isDue(state: TurnState): boolean
  /** @param spans takes what the step is made of */
  run(deps: PipelineDependencies, state: TurnState, spans: Spans): Promise<void>
  /** The text that a trace shows of it. */
  input(state: TurnState): string
  output(state: TurnState): string
}

const always = (): boolean => true
const isOurs = ({ isAssigned }: TurnState): boolean => !isAssigned
const isNew = ({ isAssigned, claim }: TurnState): boolean => !isAssigned && claim.kind !== 'hit'
const nothing = (): string => ''
const CACHED = { hit: 'hit', compute: 'miss', bypass: 'bypass' } as const

/** A turn, for customers and dry runs alike: each step reads the state and fills in its part of it. */
const STEPS: readonly Step[] = [
  {
    name: 'understand',
    by: { agent: 'router', type: 'understanding' },
    isDue: always,
    async run({ understand, reader, clock }, state, spans) {
      const { message, history, session, signal } = state
      const rules = understand(message, {
        previousTurns: history.slice(0, -1).map(({ role, content }) => ({ role, content })),
        lastIntent: session.intent,
        now: new Date(clock.now()),
      })
      state.understanding = state.callsPerson
        ? asCall(message, rules)
        : await readWithModel(reader, rules, history, { spans, signal })
    },
    input: ({ message }) => message,
    output: ({ understanding: { intent, replyLanguage } }) => `${intent} ${replyLanguage}`,
  },
  {
    name: 'route',
    by: { agent: 'router', type: 'agent' },
    isDue: isOurs,
    async run(_, state) {
      state.tasks = planTasks({ ...state, context: state.session.context })
    },
    input: nothing,
    output: ({ tasks }) => tasks.map(({ agent, question }) => `${agent}: ${question}`).join('\n'),
  },
  {
    name: 'cache',
    by: { agent: 'cache', type: 'cache' },
    isDue: isOurs,
    async run({ cache }, state) {
      state.claim = cache ? await claimReply(cache, state) : { kind: 'bypass' }
    },
    input: nothing,
    output: ({ claim }) => CACHED[claim.kind],
  },
  {
    name: 'answer',
    by: { agent: 'agents', type: 'agents' },
    isDue: isNew,
    async run(deps, state, spans) {
      state.results = await runTasks(deps, state, spans)
    },
    input: nothing,
    output: ({ results }) => results.map(({ agent, confidence }) => `${agent}: ${confidence}`).join('\n'),
  },
  {
    name: 'decide',
    by: { agent: 'escalation', type: 'decision' },
    isDue: isNew,
    async run(deps, state) {
      state.sources = state.results.flatMap(({ sources }) => sources)
      decide(deps, state, { isOpen: deps.composer !== null && state.results.some(awaitsModel) })
    },
    input: nothing,
    output: ({ card, failedAttempts }) => card?.reason_detail ?? `no handoff, ${failedAttempts} failed attempts`,
  },
  {
    name: 'render',
    by: { agent: 'renderer', type: 'render' },
    isDue: always,
    run: render,
    input: nothing,
    // The words stand with the parts that they answer.
    output: ({ mode, reply }) => `${mode}, ${reply.length} characters`,
  },
  {
    name: 'store',
    by: { agent: 'store', type: 'store' },
    isDue: always,
    async run({ store }, state) {
      state.outcome = await store(state)
    },
    input: nothing,
    output: ({ outcome }) => outcome?.messageId ?? '',
  },
]

/** Runs a turn through its steps. Throws what a step throws; the part of a reply that was given is stored even then. */
export async function runPipeline(deps: PipelineDependencies, state: TurnState): Promise<TurnOutcome> {
  try {
    for (const step of STEPS) {
      if (!step.isDue(state)) continue
      await runStep(deps, state, step).catch((error: unknown) => endEarly(deps, state, step, error))
    }
    settleClaim(state)
    await release(state)
    return state.outcome as TurnOutcome
  } finally {
    // Does nothing to a claim that was settled.
    if (state.claim.kind === 'compute') state.claim.fail()
  }
}

function runStep(deps: PipelineDependencies, state: TurnState, { name, by, ...step }: Step): Promise<void> {
  return state.trace.span(
    { ...by, name, input: step.input(state) },
    (spans) => step.run(deps, state, spans),
    () => step.output(state),
  )
}

/** Where a person took the session over the turn goes on, and says so; any other failure ends it. */
async function endEarly(deps: PipelineDependencies, state: TurnState, step: Step, error: unknown): Promise<void> {
  const isTakenOver = state.isTakenOver() && !(error instanceof ConsumerLeft)
  if (step.name === 'store') throw error
  if (step.name !== 'render') {
    if (!isTakenOver) throw error
    state.isAssigned = true
    return
  }
  state.interrupted = true
  // A call was told to nobody.
  state.card = null
  state.held = []
  if (isTakenOver) {
    return write(state, `${state.reply === '' ? '' : '\n\n'}${phrasesFor(state.understanding.replyLanguage).takenOver}`)
  }
  await runStep(deps, state, STEPS.at(-1) as Step)
  throw error
}
