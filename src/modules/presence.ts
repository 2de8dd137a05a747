import type { Chat } from '../features/chat/index.ts'
import type { Handoff } from '../features/handoff/index.ts'
import { createPresence, presenceRoutes } from '../features/presence/index.ts'
import type { App } from '../http/server.ts'
import { AppError } from '../kernel/errors.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import type { Ground } from './module.ts'

export interface PresenceModuleOptions {
  live: LiveEvents
  chat: Pick<Chat, 'messages'>
  handoff: Pick<Handoff, 'find'>
}

/** Whether people are there, and who is writing just now. */
export function openPresence({ db, clock }: Ground, { live, chat, handoff }: PresenceModuleOptions) {
  const presence = createPresence({
    db,
    live,
    clock,
    async assertSession(sessionId) {
      if (await handoff.find(sessionId)) return
      throw new AppError('not_found', 'session', `No session has the session_id ${sessionId}`)
    },
    async assertOwn(viewed) {
      await chat.messages(viewed, '', 1)
    },
  })
  return { service: presence, routes: (app: App) => presenceRoutes(app, { presence }), close: () => {} }
}
