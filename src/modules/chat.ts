import { builtInMeaning } from '../ai/embedder/built-in.ts'
import type { ChatModel } from '../ai/model/port.ts'
import { type CachedReply, type ChatOptions, chatRoutes, createChat, turnSettings } from '../features/chat/index.ts'
import type { WorkingHours } from '../features/hours/index.ts'
import type { Knowledge } from '../features/knowledge/index.ts'
import type { Assistant } from '../features/settings/index.ts'
import type { Tuner } from '../features/tuning/index.ts'
import type { App } from '../http/server.ts'
import type { Analyser } from '../language/words/analyser.ts'
import { maskText } from '../privacy/index.ts'
import type { Ground } from './module.ts'
import type { MonitoringModule } from './monitoring.ts'

export interface ChatModuleOptions extends Pick<ChatOptions, 'live' | 'understand' | 'business'> {
  analyser: Analyser
  knowledge: Knowledge
  tuner: Tuner
  assistant: Assistant
  hours: Pick<WorkingHours, 'closedTexts'>
  /** Null: replies are extractive and messages are read by rules. */
  model: ChatModel | null
  monitoring: MonitoringModule<CachedReply>
}

/** Chat with everything it needs: the tuner and experiments, the model when there is one, and what watches it. */
export function openChat(
  { config, db, clock, log }: Ground,
  { analyser, knowledge, tuner, assistant, hours, model, monitoring, ...needed }: ChatModuleOptions,
) {
  const { experiments } = monitoring
  const chat = createChat({
    db,
    clock,
    log,
    ...needed,
    identity: config.SESSION_IDENTITY,
    terms: { ...analyser, meaning: builtInMeaning },
    search: knowledge.search,
    reader: model && { model, understand: needed.understand, mask: maskText },
    composer: model && { model, mask: maskText, maxTokensPerReply: config.MAX_TOKENS_PER_REPLY },
    tiers: monitoring.tiers,
    cache: monitoring.replyCache,
    settingsFor(sessionId) {
      const tried = sessionId === null ? {} : experiments.parametersFor(sessionId)
      return turnSettings(tuner.current().params, tried, assistant.current().settings, hours.closedTexts())
    },
    traces: monitoring.traces,
    onFeedback: experiments.feedback,
    mask: maskText,
  })
  return { service: chat, routes: (app: App) => chatRoutes(app, { chat }), close: () => {} }
}
