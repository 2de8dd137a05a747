import { phrasesFor } from '../phrases.ts'
import type { TraceRecorder } from '../trace-recorder.ts'
import type { ChitchatKind } from '../understanding/types.ts'
import { type Asker, answerFromBusiness, type BusinessAgent } from './business-agent.ts'
import { answerFromKnowledge } from './knowledge-agent.ts'
import { emptyResult, type Task, type TaskResult } from './task.ts'

export interface AgentDependencies extends BusinessAgent {
  log: { warn(details: object, message: string): void }
}

export interface TaskContext {
  asker: Asker
  chitchatKind: ChitchatKind | null
  trace: TraceRecorder
  signal: AbortSignal
}

const MAX_PARALLEL = 4
const MAX_TASKS = 8
const TASK_TIMEOUT_MS = 20_000

/** Runs the tasks of a message, a few at a time, each within its time; one that fails leaves the others alone. */
export async function runTasks(
  deps: AgentDependencies,
  tasks: readonly Task[],
  context: TaskContext,
): Promise<TaskResult[]> {
  const results: TaskResult[] = []
  for (let start = 0; start < Math.min(tasks.length, MAX_TASKS); start += MAX_PARALLEL) {
    const batch = tasks.slice(start, Math.min(start + MAX_PARALLEL, MAX_TASKS))
    results.push(...(await Promise.all(batch.map((task) => runTask(deps, task, context)))))
  }
  const skipped = tasks.slice(MAX_TASKS).map((task) => skip(task, context.asker.language))
  return [...results, ...skipped]
}

async function runTask(deps: AgentDependencies, task: Task, context: TaskContext): Promise<TaskResult> {
  const { trace, asker } = context
  try {
    return await trace.span(
      { agent: task.agent, type: 'agent', name: task.agent, input: task.question },
      () => withinTime(perform(deps, task, context), context.signal),
      (result) => result.answer,
    )
  } catch (error) {
    context.signal.throwIfAborted()
    deps.log.warn({ err: error, agent: task.agent }, 'A part of a turn failed')
    return emptyResult(task, phrasesFor(asker.language).failed, { status: 'failed' })
  }
}

function perform(deps: AgentDependencies, task: Task, { asker, chitchatKind }: TaskContext): Promise<TaskResult> {
  const phrases = phrasesFor(asker.language)
  switch (task.agent) {
    case 'knowledge':
      return answerFromKnowledge(deps, task, asker.language)
    case 'business':
      return answerFromBusiness(deps, task, asker)
    case 'chitchat':
      return smallTalk(deps, task, phrases.chitchat[chitchatKind ?? 'small_talk'], chitchatKind, asker.language)
    case 'escalation':
      return Promise.resolve(emptyResult(task, phrases.handoff, { confidence: 'asks' }))
  }
}

/** A greeting is a greeting; what merely sounds like small talk may be a question that the knowledge base answers. */
async function smallTalk(
  deps: AgentDependencies,
  task: Task,
  reply: string,
  kind: ChitchatKind | null,
  language: string,
): Promise<TaskResult> {
  const talk = emptyResult(task, reply, { confidence: 'asks' })
  if (kind !== null && kind !== 'small_talk') return talk
  const found = await answerFromKnowledge(deps, task, language)
  return found.confidence === 'sure' ? { ...found, agent: 'knowledge' } : talk
}

function skip(task: Task, language: string): TaskResult {
  return emptyResult(task, phrasesFor(language).tooMany, { status: 'skipped', confidence: 'asks' })
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
