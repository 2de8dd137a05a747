import type { Database } from '../../platform/postgres/index.ts'
import type { NativeChannel, Speaker } from '../chat/index.ts'
import { findLink } from './link-queries.ts'

/** The platform's name for a customer, told apart from every name that the shop gives. */
export function nativeId(channel: NativeChannel, channelUserId: string): string {
  return `${channel}:${channelUserId}`
}

/** Who a platform's customer is: the shop's, where they are linked; otherwise somebody whom the shop does not know. */
export async function speakerOf(db: Database, channel: NativeChannel, channelUserId: string): Promise<Speaker> {
  const userId = await findLink(db.executor, channel, channelUserId)
  return userId === undefined ? { userId: nativeId(channel, channelUserId), door: channel } : { userId }
}
