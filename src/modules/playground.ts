import { type Chat, turnSettings } from '../features/chat/index.ts'
import type { Knowledge } from '../features/knowledge/index.ts'
import { createPlayground, playgroundRoutes } from '../features/playground/index.ts'
import { type Tuner, TunerChanges } from '../features/tuning/index.ts'
import type { App } from '../http/server.ts'

export interface PlaygroundModuleOptions {
  knowledge: Knowledge
  chat: Pick<Chat, 'preview'>
  tuner: Pick<Tuner, 'current'>
}

/** The knowledge base asked as customers ask it, by parameters that nobody else is bound by. */
export function openPlayground({ knowledge, chat, tuner }: PlaygroundModuleOptions) {
  const playground = createPlayground({
    explain: knowledge.explain,
    preview: (message, settings) => chat.preview({ message, history: [], settings }),
    parameters: () => tuner.current().params,
    settingsOf: turnSettings,
  })
  const routes = (app: App) => playgroundRoutes(app, { playground, parameters: TunerChanges })
  return { routes, close: () => {} }
}
