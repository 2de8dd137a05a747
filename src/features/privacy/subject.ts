import { createHmac } from 'node:crypto'
import { CHANNELS } from '../chat/index.ts'
import type { Subject } from './types.ts'

/** Every name that stands for a customer, from the user id and what is linked to it. */
export function subjectOf(userIds: readonly string[]): Subject {
  const onChannels = userIds.flatMap((id) =>
    CHANNELS.flatMap((channel) => {
      const prefix = `${channel}:`
      const names = id.startsWith(prefix) ? [id, id.slice(prefix.length)] : [id]
      return names.map((name) => ({ channel, name }))
    }),
  )
  return { userIds, onChannels }
}

/** A digest by which a record can be found by whoever knows the user id, and tells the user id to nobody. */
export function digestOf(userId: string, secret: string): string {
  return createHmac('sha256', secret).update(userId).digest('hex')
}
