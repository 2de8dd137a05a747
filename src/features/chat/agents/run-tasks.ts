import type { Log } from '../../../kernel/log.ts'
import type { Spans } from '../../../kernel/tracing.ts'
import type { ChitchatKind } from '../../../language/understanding.ts'
import type { Knowledge } from '../../knowledge/index.ts'
import type { SessionContext } from '../../sessions/index.ts'
import { shortened } from '../reply/excerpt.ts'
import { phrasesFor, talkFor } from '../reply/phrases.ts'
import type { TurnState } from '../turn/state.ts'
import { answerFromBusiness, type BusinessAgent } from './business-agent.ts'
import { answerFromKnowledge, type KnowledgeAgent } from './knowledge-agent.ts'
import { tracedSearch } from './search.ts'
import { emptyResult, type Task, type TaskResult } from './task.ts'

export interface AgentDependencies extends Pick<BusinessAgent, 'terms' | 'business'> {
  search: Knowledge['search']
  log: Log
}

type Rest = NonNullable<SessionContext['rest']>

const MAX_PARALLEL = 4
const MAX_TASKS = 8
const TASK_TIMEOUT_MS = 20_000

/** Runs the tasks of a message, a few at a time, each within its time; one that fails leaves the others alone. */
export async function runTasks(deps: AgentDependencies, state: TurnState, spans: Spans): Promise<TaskResult[]> {
  const { tasks, understanding } = state
  const results: TaskResult[] = []
  for (let start = 0; start < Math.min(tasks.length, MAX_TASKS); start += MAX_PARALLEL) {
    const batch = tasks.slice(start, Math.min(start + MAX_PARALLEL, MAX_TASKS))
    results.push(...(await Promise.all(batch.map((task) => runTask(deps, task, state, spans)))))
  }
  const tooMany = phrasesFor(understanding.replyLanguage).tooMany
  return [
    ...results,
    ...tasks.slice(MAX_TASKS).map((task) => emptyResult(task, tooMany, { status: 'skipped', confidence: 'asks' })),
  ]
}

async function runTask(deps: AgentDependencies, task: Task, state: TurnState, spans: Spans): Promise<TaskResult> {
  const { agent } = task
  try {
    return await spans.span(
      { agent, type: 'agent', name: agent, input: task.question },
      (within) => {
        const search = tracedSearch(deps.search, state.settings, { agent, spans: within })
        const { thresholds } = state.settings
        return withinTime(perform({ ...deps, search, thresholds }, task, state), state.signal)
      },
      (result) => result.answer,
    )
  } catch (error) {
    state.signal.throwIfAborted()
    deps.log.warn({ err: error, agent }, 'A part of a turn failed')
    return emptyResult(task, phrasesFor(state.understanding.replyLanguage).failed, { status: 'failed' })
  }
}

async function perform(
  agent: BusinessAgent,
  task: Task,
  { session, understanding, history, settings }: TurnState,
): Promise<TaskResult> {
  const before = history.filter(({ role }) => role === 'user').at(-2)?.content ?? ''
  const { replyLanguage: language, chitchatKind } = understanding
  const { sessionId, userId, context } = session
  switch (task.agent) {
    case 'knowledge':
      if (task.goesOn && context.rest) return goOn(task, context.rest, language)
      return answerFromKnowledge(agent, task, language)
    case 'business':
      return answerFromBusiness(agent, task, { sessionId, userId, ...context, before, language })
    case 'chitchat':
      return smallTalk(agent, task, talkFor(language, chitchatKind ?? 'small_talk', settings.assistant), {
        kind: chitchatKind,
        language,
      })
    case 'escalation':
      // Whether a person is called is decided when all parts are answered.
      return emptyResult(task, '', { confidence: 'asks' })
  }
}

/** As much of the rest of the last answer as a reply takes. */
function goOn(task: Task, { text: whole, sources }: Rest, language: string): TaskResult {
  const { text, rest } = shortened(whole)
  const phrases = phrasesFor(language)
  const more = rest === '' ? '' : `\n\n${phrases.more}`
  return emptyResult(task, `${text}${more}`, { rest, confidence: 'sure', sources: [...sources] })
}

/** A greeting is a greeting; what merely sounds like small talk may be a question that the knowledge base answers. */
async function smallTalk(
  agent: KnowledgeAgent,
  task: Task,
  words: string,
  { kind, language }: { kind: ChitchatKind | null; language: string },
): Promise<TaskResult> {
  const talk = emptyResult(task, words, { confidence: 'asks' })
  if (kind !== null && kind !== 'small_talk') return talk
  const found = await answerFromKnowledge(agent, task, language)
  const goesOn = task.before?.leans === true && found.confidence === 'close'
  return found.confidence === 'sure' || goesOn ? { ...found, agent: 'knowledge' } : talk
}

async function withinTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const timeout = AbortSignal.timeout(TASK_TIMEOUT_MS)
  const either = AbortSignal.any([signal, timeout])
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(either.reason)
    either.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => either.removeEventListener('abort', stop))
  })
}
