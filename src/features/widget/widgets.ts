import { randomBytes } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { matchesOrigin } from './origins.ts'
import { findWidget, insertWidget, listWidgets, type StoredWidget, saveWidget } from './queries.ts'
import type { Widget, WidgetSettings } from './types.ts'

export interface WidgetsOptions {
  db: Database
  live: LiveEvents
  clock: { now(): number }
  log: Log<'warn'>
}

export type Widgets = Awaited<ReturnType<typeof createWidgets>>

export interface NewWidget {
  name: string
  allowedOrigins: string[]
  settings: WidgetSettings
}

const TOPIC = 'widgets'
const KEY_BYTES = 18
const SECRET_BYTES = 32
const HOUR_MS = 3_600_000

const newPublicKey = (): string => `pk_${randomBytes(KEY_BYTES).toString('base64url')}`
const newSecret = (): string => `ws_${randomBytes(SECRET_BYTES).toString('base64url')}`

/** The shop's widgets: kept in memory, stored in the database, followed by every replica. */
export async function createWidgets({ db, live, clock, log }: WidgetsOptions) {
  let stored = await listWidgets(db.executor)
  const reload = (): void => {
    listWidgets(db.executor)
      .then((found) => {
        stored = found
      })
      .catch((error: unknown) => log.warn({ err: error }, 'The widgets could not be read anew'))
  }
  const unsubscribe = live.subscribe(TOPIC, reload, reload)
  const active = (): StoredWidget[] => stored.filter(({ revokedAt }) => revokedAt === null)
  const holds = (until: Date | null): boolean => until !== null && until.getTime() > clock.now()

  async function change<T>(work: (trx: Executor) => Promise<T>): Promise<T> {
    const result = await db.transaction(async (trx) => {
      const done = await work(trx)
      await live.publish(trx, { topic: TOPIC, type: 'changed' })
      return done
    })
    stored = await listWidgets(db.executor)
    return result
  }

  /** Throws not_found, and conflict for one that is revoked. */
  const changeOne = (widgetId: string, next: (widget: StoredWidget) => StoredWidget) =>
    change(async (trx) => {
      const before = await findWidget(trx, widgetId)
      if (!before) throw new AppError('not_found', 'widget', `No widget has the id ${widgetId}`)
      if (before.revokedAt !== null) throw new AppError('conflict', 'widget', 'The widget is revoked')
      return { before, after: await saveWidget(trx, next(before)) }
    })
  const until = (graceHours: number): Date | null =>
    graceHours === 0 ? null : new Date(clock.now() + graceHours * HOUR_MS)

  return {
    list: (): readonly Widget[] => stored,

    /** With the secret, which is shown this once. */
    async add(widget: NewWidget): Promise<StoredWidget> {
      const keys = { publicKey: newPublicKey(), identitySecret: newSecret() }
      return change((trx) => insertWidget(trx, { widgetId: newId('widget'), ...widget, ...keys }))
    },

    change: (widgetId: string, next: (widget: Widget) => Partial<NewWidget>) =>
      changeOne(widgetId, (widget) => ({ ...widget, ...next(widget) })),

    /** A new public key; the one before is taken for some hours more. */
    rotateKey: (widgetId: string, graceHours: number) =>
      changeOne(widgetId, (widget) => ({
        ...widget,
        publicKey: newPublicKey(),
        previousKey: graceHours === 0 ? null : widget.publicKey,
        previousKeyUntil: until(graceHours),
      })),

    /** A new secret; what was signed with the one before is taken for some hours more. */
    rotateSecret: (widgetId: string, graceHours: number) =>
      changeOne(widgetId, (widget) => ({
        ...widget,
        identitySecret: newSecret(),
        previousSecret: graceHours === 0 ? null : widget.identitySecret,
        previousSecretUntil: until(graceHours),
      })),

    /** For ever: its sessions end with it. */
    revoke: (widgetId: string) =>
      changeOne(widgetId, (widget) => ({ ...widget, revokedAt: new Date(clock.now()), previousKey: null })),

    /** By its public key; undefined: there is none, or no longer. */
    byKey: (key: string): StoredWidget | undefined =>
      active().find(
        ({ publicKey, previousKey, previousKeyUntil }) =>
          publicKey === key || (previousKey === key && holds(previousKeyUntil)),
      ),

    byId: (widgetId: string): StoredWidget | undefined => active().find((widget) => widget.widgetId === widgetId),

    /** Secrets that identities may be signed with, the newest first. */
    secretsOf: ({ identitySecret, previousSecret, previousSecretUntil }: StoredWidget): string[] =>
      previousSecret !== null && holds(previousSecretUntil) ? [identitySecret, previousSecret] : [identitySecret],

    /** Whether any widget may be used by pages of the origin. */
    isListedOrigin: (origin: string): boolean =>
      active().some(({ allowedOrigins }) => matchesOrigin(origin, allowedOrigins)),

    close: unsubscribe,
  }
}
