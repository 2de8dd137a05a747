import { type ChannelMessage, type ChannelReply, converse } from './conversation.ts'
import { createDeduplicate } from './deduplicate.ts'
import { createWebhookHandler, type WebhookOptions } from './webhook.ts'

export type ChannelsOptions = Omit<WebhookOptions, 'deduplicate'>

export interface ChannelRequest extends Omit<ChannelMessage, 'platform'> {
  /** Empty: nobody repeats this message. */
  messageId: string
}

export type Channels = ReturnType<typeof createChannels>

/** Messages of all channels: as neutral JSON, or at the platforms' own callbacks. */
export function createChannels(options: ChannelsOptions) {
  const deduplicate = createDeduplicate(options)

  return {
    /** Throws conflict for a session of another user, unavailable while chat is. */
    async receive(request: ChannelRequest): Promise<ChannelReply & { duplicate: boolean }> {
      const { channel, userId, messageId } = request
      const run = (): Promise<ChannelReply> => converse(options, request)
      if (messageId === '') return { ...(await run()), duplicate: false }
      const key = { channel, userId, messageId }
      const { result, duplicate } = await deduplicate(key, { pushes: false, run, push: async () => {} })
      return { ...result, duplicate }
    },

    webhooks: options.channels.map((channel) => ({
      name: channel.name,
      description: channel.description,
      /** Null while the channel is not set up. */
      handler: channel.webhook && createWebhookHandler(channel, channel.webhook, { ...options, deduplicate }),
    })),
  }
}
