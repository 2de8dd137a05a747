import { hash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Attachments } from '../attachments/index.ts'
import type { Chat, ChatEvent, TurnOutcome } from '../chat/index.ts'
import type { Handoff } from '../handoff/index.ts'
import type { Ratings } from '../ratings/index.ts'
import { adoptSession, type Contact, ensureSession, feedbackIn, saveContact } from '../sessions/index.ts'
import { readIdentity } from './identity.ts'
import { matchesOrigin } from './origins.ts'
import { callOf } from './phrases.ts'
import { type StoredWidget, useIdentity } from './queries.ts'
import { readState, type StateReaders } from './state.ts'
import { type IssuedToken, missingToken, type Tokens } from './tokens.ts'
import type { ConversationState, Holder, Widget } from './types.ts'
import type { Widgets } from './widgets.ts'

export interface WidgetServiceOptions {
  db: Database
  clock: { now(): number }
  widgets: Widgets
  tokens: Tokens
  chat: Pick<Chat, 'answer' | 'reply' | 'messages' | 'events' | 'feedback'>
  handoff: Pick<Handoff, 'cancel'>
  ratings: Pick<Ratings, 'rate'>
  attachments: Pick<Attachments, 'sendAsCustomer' | 'list'>
  presence: { customerTypes(viewed: { sessionId: string; userId: string }): Promise<void> }
  state: StateReaders
  /** Sends what people say in the session by mail, where there is mail. */
  reachByMail(sessionId: string, to: { address: string; name: string; words: string }): Promise<void>
}

export type WidgetService = ReturnType<typeof createWidgetService>

/** The request of a page whose widget opens. */
export interface Opening {
  key: string
  /** The word of the shop's server; undefined: nobody is named. */
  identity?: string | undefined
  /** Of the session before, which goes on where it may. */
  token?: string | undefined
}

export interface Begun extends IssuedToken {
  sessionId: string
  isIdentified: boolean
  name: string | null
  /** The conversation of the token that was sent goes on. */
  goesOn: boolean
}

interface Call {
  text: string
  language: 'zh' | 'en'
  messageId: string
  contact?: Omit<Contact, 'verified'>
}

/** A customer's conversation from a page of the shop, by a token that opens nothing else. */
export function createWidgetService(options: WidgetServiceOptions) {
  const { db, clock, widgets, tokens, chat, handoff, ratings, attachments, presence } = options
  const { executor } = db
  const stateOf = (sessionId: string): Promise<ConversationState> => readState(options.state, sessionId)

  function widgetOf(key: string, origin: string | undefined): StoredWidget {
    const widget = widgets.byKey(key)
    if (!widget) throw new AppError('not_found', 'widget', 'key: no widget has this key')
    assertOrigin(widget, origin)
    return widget
  }

  /** Undefined: the token is of another widget, or no longer good. */
  async function before(widget: Widget, token: string | undefined): Promise<Holder | undefined> {
    if (token === undefined) return undefined
    const holder = await tokens.read(token).catch(() => undefined)
    return holder?.widgetId === widget.widgetId ? holder : undefined
  }

  async function identityOf(widget: StoredWidget, word: string | undefined) {
    if (word === undefined) return null
    const identity = await readIdentity(word, widgets.secretsOf(widget), clock.now())
    const digest = identity.id === null ? '' : hash('sha256', `${widget.widgetId} ${identity.id}`)
    if (digest !== '' && !(await useIdentity(executor, digest, identity.expiresAt))) {
      throw new AppError('invalid', 'identity', 'identity: its `jti` was used before')
    }
    return identity
  }

  /** The word of the shop's server about the customer stands where people see it. */
  const keepContact = ({ sessionId, name, email }: Holder): Promise<void> | undefined =>
    name === null && email === null ? undefined : saveContact(executor, sessionId, { name, email, verified: true })

  return {
    stateOf,

    /** Throws not_found, and forbidden for an origin that is not listed; none is that of the service itself. */
    settings(key: string, origin: string | undefined): Widget {
      const widget = widgets.byKey(key)
      if (!widget) throw new AppError('not_found', 'widget', 'key: no widget has this key')
      if (origin !== undefined) assertOrigin(widget, origin)
      return widget
    },

    /**
     * A token for a new session, or for the one before: that of the same customer, or of nobody, which is then the
     * customer's. Throws not_found, forbidden and invalid.
     */
    async begin({ key, identity: word, token }: Opening, origin: string | undefined): Promise<Begun> {
      const widget = widgetOf(key, origin)
      const identity = await identityOf(widget, word)
      if (!identity && widget.settings.requiresIdentity) {
        throw new AppError('forbidden', 'identity', 'identity: this widget is for customers who are logged in')
      }
      const last = await before(widget, token)
      const named = identity ?? { userId: '', name: null, email: null }
      const known = last && (last.userId === named.userId || last.userId === '') ? last : undefined
      const { widgetId } = widget
      const { userId, name, email } = named
      const begunAt = Math.floor(clock.now() / 1000)
      const fresh: Holder = { widgetId, sessionId: newId('sess'), userId, name, email, begunAt }
      const old = known && { ...fresh, sessionId: known.sessionId, begunAt: known.begunAt }
      const renewed = old && (await tokens.issue(old))
      if (old && renewed && userId !== '') await adoptSession(executor, old.sessionId, userId)
      const issued = renewed ?? ((await tokens.issue(fresh)) as IssuedToken)
      const { sessionId } = renewed && old ? old : fresh
      return { ...issued, sessionId, isIdentified: identity !== null, name, goesOn: Boolean(renewed) }
    },

    /** Who holds the token, on a page that may use its widget. Throws unauthorized and forbidden. */
    async holder(authorization: string | undefined, origin: string | undefined): Promise<Holder & { widget: Widget }> {
      const [, token] = /^Bearer ([\w.-]{1,4000})$/i.exec(authorization ?? '') ?? []
      if (token === undefined) throw missingToken()
      const holder = await tokens.read(token)
      const widget = widgets.byId(holder.widgetId)
      if (!widget) throw missingToken()
      if (origin !== undefined) assertOrigin(widget, origin)
      return { ...holder, widget }
    },

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
      if (address) await options.reachByMail(sessionId, { address, name: contact?.name ?? '', words: message })
      return outcome
    },

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

/** Browsers send it with all but same-origin GET requests; other programs have the API. */
function assertOrigin({ allowedOrigins }: Widget, origin: string | undefined): void {
  if (origin !== undefined && matchesOrigin(origin, allowedOrigins)) return
  const why = origin === undefined ? 'is required' : 'is not among the allowed origins of this widget'
  throw new AppError('forbidden', 'origin', `Origin: ${why}`)
}
