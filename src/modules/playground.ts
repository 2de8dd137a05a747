import { type Chat, turnSettings } from '../features/chat/index.ts'
import type { Evaluation } from '../features/evaluation/index.ts'
import type { Knowledge } from '../features/knowledge/index.ts'
import { createPlayground, createVersionReplay, playgroundRoutes } from '../features/playground/index.ts'
import { recentQuestions } from '../features/sessions/index.ts'
import { type Tuner, TunerChanges } from '../features/tuning/index.ts'
import type { App } from '../http/server.ts'
import { maskText } from '../privacy/index.ts'
import type { Ground } from './module.ts'

export interface PlaygroundModuleOptions {
  knowledge: Knowledge
  chat: Pick<Chat, 'preview'>
  evaluation: { testsets: Pick<Evaluation['testsets'], 'questions'> }
  tuner: Pick<Tuner, 'current'>
}

/** The knowledge base asked as customers ask it, by parameters and versions that nobody else is bound by. */
export function openPlayground({ db }: Ground, { knowledge, chat, evaluation, tuner }: PlaygroundModuleOptions) {
  const playground = createPlayground({
    explain: knowledge.explain,
    preview: (message, settings) => chat.preview({ message, history: [], settings }),
    parameters: () => tuner.current().params,
    settingsOf: turnSettings,
  })
  const replay = createVersionReplay({
    reading: knowledge.reading,
    answer: (message, search) => chat.preview({ message, history: [], search }),
    recentQuestions: (limit) => recentQuestions(db.executor, limit),
    testQuestions: evaluation.testsets.questions,
    mask: maskText,
    now: () => performance.now(),
  })
  const routes = (app: App) => playgroundRoutes(app, { playground, replay, parameters: TunerChanges })
  return { routes, close: () => {} }
}
