import type { Database } from '../../platform/postgres/index.ts'
import type { Chat, ChatEvent, TurnOutcome } from '../chat/index.ts'
import { type Contact, saveContact } from '../sessions/index.ts'
import { callOf } from './phrases.ts'
import type { Holder } from './types.ts'

export interface SayingOptions {
  db: Database
  chat: Pick<Chat, 'answer' | 'reply'>
  /** Sends what people say in the session by mail, where there is mail. */
  reachByMail(sessionId: string, to: { address: string; name: string; words: string }): Promise<void>
}

interface Call {
  text: string
  language: 'zh' | 'en'
  messageId: string
  contact?: Omit<Contact, 'verified'>
}

/** Words of customers, to the assistant and for people. */
export function createSaying({ db: { executor }, chat, reachByMail }: SayingOptions) {
  /** The word of the shop's server about the customer stands where people see it. */
  const keepContact = ({ sessionId, name, email }: Holder): Promise<void> | undefined =>
    name === null && email === null ? undefined : saveContact(executor, sessionId, { name, email, verified: true })

  return {
    /** As `chat.answer`; whether the customer stays to read it or not. */
    async *ask(holder: Holder, { message, messageId }: { message: string; messageId: string }) {
      const { sessionId, userId } = holder
      const request = { message, sessionId, userId, messageId, channel: 'web' as const }
      for await (const event of chat.answer(request)) {
        if (event.type === 'done') await keepContact(holder)
        yield event satisfies ChatEvent
      }
    },

    /** Calls a person, and says where the customer can be reached. */
    async call(holder: Holder, { text, language, messageId, contact }: Call): Promise<TurnOutcome> {
      const { sessionId, userId } = holder
      const message = text === '' ? callOf(language) : text
      const request = { message, sessionId, userId, messageId, channel: 'web' as const, callsPerson: true }
      const outcome = await chat.reply(request)
      await keepContact(holder)
      if (contact) await saveContact(executor, sessionId, { ...contact, verified: false })
      const address = contact?.email ?? (contact && holder.email)
      if (address) await reachByMail(sessionId, { address, name: contact?.name ?? '', words: message })
      return outcome
    },
  }
}
