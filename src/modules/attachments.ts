import { attachmentRoutes, createAttachments } from '../features/attachments/index.ts'
import type { Chat } from '../features/chat/index.ts'
import type { Handoff } from '../features/handoff/index.ts'
import type { App } from '../http/server.ts'
import type { LiveEvents } from '../platform/live-events.ts'
import { readSharedSecret } from '../platform/postgres/index.ts'
import type { Ground } from './module.ts'

export interface AttachmentsModuleOptions {
  live: LiveEvents
  chat: Pick<Chat, 'openSession'>
  handoff: Pick<Handoff, 'writeWithin' | 'find'>
}

/** Files in conversations. */
export async function openAttachments(
  { config, db, clock }: Ground,
  { live, chat, handoff }: AttachmentsModuleOptions,
) {
  const attachments = createAttachments({
    db,
    live,
    clock,
    secret: await readSharedSecret(db.executor, 'attachments'),
    maxPerSession: config.ATTACHMENTS_PER_SESSION,
    async openAsCustomer(viewed) {
      const { agentStatus, readable } = await chat.openSession(viewed)
      return { isAtDesk: agentStatus === 'pending' || agentStatus === 'assigned', isGuest: readable === 'guest' }
    },
    async isAtDesk(sessionId) {
      const status = (await handoff.find(sessionId))?.agentStatus
      return status === 'pending' || status === 'assigned'
    },
    writeAsAgent: handoff.writeWithin,
  })
  const maxUploadMb = config.ATTACHMENT_MAX_MB
  return {
    service: attachments,
    routes: (app: App) => app.register((scope) => attachmentRoutes(scope, { attachments, maxUploadMb })),
    close: () => {},
  }
}
