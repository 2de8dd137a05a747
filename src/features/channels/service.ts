import { type ChannelMessage, type ChannelReply, converse } from './conversation.ts'
import { createDeduplicate } from './deduplicate.ts'
import { createInboxHandler, type InboxHandlerOptions } from './inbox-handler.ts'
import { createWebhookHandler, type WebhookOptions } from './webhook.ts'

export type ChannelsOptions = Omit<WebhookOptions & InboxHandlerOptions, 'deduplicate'>

export interface ChannelRequest extends Omit<ChannelMessage, 'platform'> {
  /** Empty: nobody repeats this message. */
  messageId: string
}

export type Channels = ReturnType<typeof createChannels>

/** Messages of all channels: as neutral JSON, or at the platforms' own callbacks. */
export function createChannels(options: ChannelsOptions) {
  const deduplicate = createDeduplicate(options)
  const inboxes: { close(): Promise<void> }[] = []

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

    webhooks: options.channels.flatMap((channel) =>
      channel.description === null
        ? []
        : {
            name: channel.name,
            description: channel.description,
            /** Null while the channel is not set up. */
            handler: channel.webhook && createWebhookHandler(channel, channel.webhook, { ...options, deduplicate }),
          },
    ),

    /** Begins to fetch what channels bring only when they are asked. */
    openInboxes(): void {
      for (const channel of options.channels) {
        if (channel.inbox) inboxes.push(channel.inbox.open(createInboxHandler(channel, { ...options, deduplicate })))
      }
    },

    close: async (): Promise<void> => void (await Promise.all(inboxes.map((inbox) => inbox.close()))),
  }
}
