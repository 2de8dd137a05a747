import { AppError } from '../../kernel/errors.ts'
import type { Attachments } from '../attachments/index.ts'
import type { Chat } from '../chat/index.ts'
import type { Handoff } from '../handoff/index.ts'
import type { Ratings } from '../ratings/index.ts'
import { ensureSession, feedbackIn } from '../sessions/index.ts'
import { createOpenings, type OpeningOptions } from './openings.ts'
import { createSaying, type SayingOptions } from './saying.ts'
import { readState, type StateReaders } from './state.ts'
import type { ConversationState, Holder, Widget } from './types.ts'

export interface WidgetServiceOptions extends OpeningOptions, SayingOptions {
  chat: SayingOptions['chat'] & Pick<Chat, 'messages' | 'events' | 'feedback'>
  handoff: Pick<Handoff, 'cancel'>
  ratings: Pick<Ratings, 'rate'>
  attachments: Pick<Attachments, 'sendAsCustomer' | 'list'>
  presence: { customerTypes(viewed: { sessionId: string; userId: string }): Promise<void> }
  state: StateReaders
}

export type WidgetService = ReturnType<typeof createWidgetService>

/** A customer's conversation from a page of the shop, by a token that opens nothing else. */
export function createWidgetService(options: WidgetServiceOptions) {
  const { chat, handoff, ratings, attachments, presence } = options
  const { executor } = options.db
  const stateOf = (sessionId: string): Promise<ConversationState> => readState(options.state, sessionId)

  return {
    stateOf,
    ...createOpenings(options),
    ...createSaying(options),

    /** Throws not_found, and conflict where nobody is waited for. */
    async cancelCall({ sessionId, userId }: Holder): Promise<void> {
      await handoff.cancel(sessionId, userId)
    },

    /** Of a conversation in which nothing was said, none. */
    async messages({ sessionId, userId }: Holder, after: string, limit: number) {
      const viewed = { sessionId, userId }
      const { messages } = await chat.messages(viewed, after, limit).catch((error: unknown) => {
        if (isUnknownSession(error) && after === '') return { messages: [] }
        throw error
      })
      const [files, feedback] =
        messages.length === 0
          ? [[], new Map<string, 'up' | 'down'>()]
          : [await attachments.list(sessionId), await feedbackIn(executor, sessionId)]
      return { messages, files, feedback }
    },

    /** Throws not_found where nothing was said yet. */
    events: ({ sessionId, userId }: Holder, afterSeq: number | null, signal: AbortSignal) =>
      chat.events({ sessionId, userId }, afterSeq, signal),

    filesOf: ({ sessionId }: Holder) => attachments.list(sessionId),

    feedback: (
      { sessionId, userId }: Holder,
      given: { messageId: string; rating: 'up' | 'down'; comment: string | null },
    ): Promise<void> => chat.feedback({ sessionId, userId }, given),

    rate: ({ sessionId, userId }: Holder, given: { score: number; comment: string | null }) =>
      ratings.rate({ sessionId, userId }, given),

    async types({ sessionId, userId }: Holder): Promise<void> {
      await presence.customerTypes({ sessionId, userId }).catch((error: unknown) => {
        // Before the first message there is nobody to tell.
        if (!isUnknownSession(error)) throw error
      })
    },

    async sendFile({ sessionId, userId, widget }: Holder & { widget: Widget }, file: { name: string; bytes: Buffer }) {
      if (!widget.settings.allowsAttachments) {
        throw new AppError('conflict', 'attachments', 'file: this widget takes no files')
      }
      await ensureSession(executor, { sessionId, userId, channel: 'web', origin: 'given' })
      return attachments.sendAsCustomer({ sessionId, userId }, file)
    },
  }
}

function isUnknownSession(error: unknown): boolean {
  return error instanceof AppError && error.code === 'session'
}
