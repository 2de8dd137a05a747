import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { Widget, WidgetSecrets } from './types.ts'

export type StoredWidget = Widget & WidgetSecrets

const columns = sql`widget_id as "widgetId", name, public_key as "publicKey", previous_key as "previousKey",
  previous_key_until as "previousKeyUntil", identity_secret as "identitySecret", previous_secret as "previousSecret",
  previous_secret_until as "previousSecretUntil", allowed_origins as "allowedOrigins", settings,
  created_at as "createdAt", updated_at as "updatedAt", revoked_at as "revokedAt"`

/** All of them, the newest first; revoked ones, too. */
export async function listWidgets(executor: Executor): Promise<StoredWidget[]> {
  const { rows } = await sql<StoredWidget>`select ${columns} from widgets
    order by created_at desc, widget_id`.execute(executor)
  return rows
}

type NewWidget = Pick<
  StoredWidget,
  'widgetId' | 'name' | 'publicKey' | 'identitySecret' | 'allowedOrigins' | 'settings'
>

export async function insertWidget(executor: Executor, widget: NewWidget): Promise<StoredWidget> {
  const { rows } = await sql<StoredWidget>`insert into widgets (widget_id, name, public_key, identity_secret,
      allowed_origins, settings)
    values (${widget.widgetId}, ${widget.name}, ${widget.publicKey}, ${widget.identitySecret},
      ${widget.allowedOrigins}::text[], ${toJson(widget.settings)}::jsonb)
    returning ${columns}`.execute(executor)
  return rows[0] as StoredWidget
}

/** Locks it until the transaction ends. */
export async function findWidget(executor: Executor, widgetId: string): Promise<StoredWidget | undefined> {
  const { rows } = await sql<StoredWidget>`select ${columns} from widgets
    where widget_id = ${widgetId} for update`.execute(executor)
  return rows[0]
}

export async function saveWidget(executor: Executor, widget: StoredWidget): Promise<StoredWidget> {
  const { rows } = await sql<StoredWidget>`update widgets set name = ${widget.name}, public_key = ${widget.publicKey},
      previous_key = ${widget.previousKey}, previous_key_until = ${widget.previousKeyUntil},
      identity_secret = ${widget.identitySecret}, previous_secret = ${widget.previousSecret},
      previous_secret_until = ${widget.previousSecretUntil}, allowed_origins = ${widget.allowedOrigins}::text[],
      settings = ${toJson(widget.settings)}::jsonb, revoked_at = ${widget.revokedAt}, updated_at = now()
    where widget_id = ${widget.widgetId} returning ${columns}`.execute(executor)
  return rows[0] as StoredWidget
}

/** False: it was used before. Those that have expired are forgotten. */
export async function useIdentity(executor: Executor, digest: string, expiresAt: Date): Promise<boolean> {
  await sql`delete from widget_used_identities where expires_at < now()`.execute(executor)
  const { rows } = await sql`insert into widget_used_identities (digest, expires_at) values (${digest}, ${expiresAt})
    on conflict (digest) do nothing returning digest`.execute(executor)
  return rows.length > 0
}
