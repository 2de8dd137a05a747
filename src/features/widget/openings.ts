import { hash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { adoptSession } from '../sessions/index.ts'
import { readIdentity } from './identity.ts'
import { matchesOrigin } from './origins.ts'
import { type StoredWidget, useIdentity } from './queries.ts'
import { type IssuedToken, missingToken, type Tokens } from './tokens.ts'
import type { Holder, Identity, Widget } from './types.ts'
import type { Widgets } from './widgets.ts'

export interface OpeningOptions {
  db: Database
  clock: { now(): number }
  widgets: Widgets
  tokens: Tokens
}

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

/** Pages that open their widget, and the tokens that they get. */
export function createOpenings({ db: { executor }, clock, widgets, tokens }: OpeningOptions) {
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

  /** The session that goes on, with its token; null: a new one begins. */
  async function renewed(widget: Widget, named: Identity, token: string | undefined) {
    const last = await before(widget, token)
    if (!last || (last.userId !== named.userId && last.userId !== '')) return null
    const holder: Holder = { ...last, ...named }
    const issued = await tokens.issue(holder)
    if (issued && named.userId !== '') await adoptSession(executor, holder.sessionId, named.userId)
    return issued && { ...issued, sessionId: holder.sessionId }
  }

  async function fresh({ widgetId }: Widget, named: Identity) {
    const sessionId = newId('sess')
    const begunAt = Math.floor(clock.now() / 1000)
    return { ...((await tokens.issue({ widgetId, sessionId, ...named, begunAt })) as IssuedToken), sessionId }
  }

  return {
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
      const { userId, name, email } = identity ?? { userId: '', name: null, email: null }
      const named = { userId, name, email }
      const old = await renewed(widget, named, token)
      const issued = old ?? (await fresh(widget, named))
      return { ...issued, isIdentified: identity !== null, name, goesOn: old !== null }
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
  }
}

/** Browsers send it with all but same-origin GET requests; other programs have the API. */
function assertOrigin({ allowedOrigins }: Widget, origin: string | undefined): void {
  if (origin !== undefined && matchesOrigin(origin, allowedOrigins)) return
  const why = origin === undefined ? 'is required' : 'is not among the allowed origins of this widget'
  throw new AppError('forbidden', 'origin', `Origin: ${why}`)
}
