import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { ChannelName } from '../sessions/index.ts'

/** Who a customer of a platform is in the shop. */
export interface Link {
  channel: ChannelName
  channelUserId: string
  userId: string
  createdAt: Date
}

/** Statements on which customers of WeChat and DingTalk are which customers of the shop. */

const columns = sql`channel, channel_user_id as "channelUserId", user_id as "userId", created_at as "createdAt"`

export async function findLink(
  executor: Executor,
  channel: ChannelName,
  channelUserId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`select user_id as "userId" from channel_links
    where channel = ${channel} and channel_user_id = ${channelUserId}`.execute(executor)
  return rows[0]?.userId
}

/** A customer of a channel is one customer of the shop: another link replaces the first. */
export async function saveLink(executor: Executor, link: Omit<Link, 'createdAt'>): Promise<Link> {
  const { rows } = await sql<Link>`insert into channel_links (channel, channel_user_id, user_id)
    values (${link.channel}, ${link.channelUserId}, ${link.userId})
    on conflict (channel, channel_user_id) do update set user_id = excluded.user_id, created_at = now()
    returning ${columns}`.execute(executor)
  return rows[0] as Link
}

/** Undefined: there was none. */
export async function deleteLink(
  executor: Executor,
  channel: ChannelName,
  channelUserId: string,
): Promise<Link | undefined> {
  const { rows } = await sql<Link>`delete from channel_links
    where channel = ${channel} and channel_user_id = ${channelUserId} returning ${columns}`.execute(executor)
  return rows[0]
}

/** The newest first; `userId` empty: of all customers. */
export async function listLinks(
  executor: Executor,
  { userId, limit, offset }: { userId: string; limit: number; offset: number },
): Promise<{ links: Link[]; total: number }> {
  const chosen = userId === '' ? sql`true` : sql`user_id = ${userId}`
  const { rows } = await sql<Link>`select ${columns} from channel_links where ${chosen}
    order by created_at desc, channel, channel_user_id limit ${limit} offset ${offset}`.execute(executor)
  const { rows: counted } = await sql<{ total: number }>`select count(*)::integer as total from channel_links
    where ${chosen}`.execute(executor)
  return { links: rows, total: counted[0]?.total ?? 0 }
}
