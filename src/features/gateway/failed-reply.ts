import {
  type ChannelMessage,
  type ChannelReply,
  type ConversationOptions,
  dataOf,
  languageOfCustomer,
} from './conversation.ts'
import { channelPhrases } from './phrases.ts'

/** What a customer is told when a turn failed: a channel shows no error, and asking again would only repeat it. */
export async function failedReply(
  options: ConversationOptions & { log: { warn(details: object, message: string): void } },
  { sessionId, channel }: ChannelMessage,
  error: unknown,
): Promise<ChannelReply> {
  options.log.warn({ err: error, channel, sessionId }, 'A message of a channel could not be answered')
  const language = await languageOfCustomer(options, sessionId, channel)
  const data = dataOf(await options.handoff.find(sessionId))
  return { session_id: sessionId, status: 'ok', reply: channelPhrases(language).failed, data }
}
