import { AppError } from '../../kernel/errors.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { ChannelName, Speaker } from '../sessions/index.ts'
import { deleteLink, findLink, type Link, listLinks, saveLink } from './link-queries.ts'

export type Links = ReturnType<typeof createLinks>

/** Which customers of WeChat and DingTalk are which customers of the shop. */
export function createLinks(db: Database) {
  return {
    /** Another link of the same customer of the channel is replaced. Throws invalid (422) for an id without an id. */
    save: ({ channel, channelUserId, userId }: Omit<Link, 'createdAt'>): Promise<Link> =>
      saveLink(db.executor, { channel, channelUserId: bareId(channel, channelUserId), userId }),

    /** The newest first; `userId` empty: of all customers. */
    list: (page: { userId: string; limit: number; offset: number }) => listLinks(db.executor, page),

    /** Throws not_found for a customer of a channel who is not linked. */
    async remove(channel: ChannelName, channelUserId: string): Promise<Link> {
      const link = await deleteLink(db.executor, channel, bareId(channel, channelUserId))
      if (!link) throw new AppError('not_found', 'link', 'This customer of the channel is not linked')
      return link
    },
  }
}

/** The name that sessions show (`wechat:…`) is taken as well as the platform's own. */
function bareId(channel: ChannelName, id: string): string {
  const prefix = nativeId(channel, '')
  const bare = id.startsWith(prefix) ? id.slice(prefix.length) : id
  if (bare !== '') return bare
  throw new AppError('invalid', 'validation', 'channel_user_id: must not be blank')
}

/** The platform's name for a customer, told apart from every name that the shop gives. */
export function nativeId(channel: ChannelName, channelUserId: string): string {
  return `${channel}:${channelUserId}`
}

/** Who a platform's customer is: the shop's, where they are linked; otherwise somebody whom the shop does not know. */
export async function speakerOf(db: Database, channel: ChannelName, channelUserId: string): Promise<Speaker> {
  const userId = await findLink(db.executor, channel, channelUserId)
  return userId === undefined ? { userId: nativeId(channel, channelUserId), platform: channel } : { userId }
}
