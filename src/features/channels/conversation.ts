import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { type Chat, presentNoTurn, presentOutcome } from '../chat/index.ts'
import type { Handoff, HandoffSession } from '../handoff/index.ts'
import { assertOwnSession, type ChannelName, type Speaker, sessionOfCustomer } from '../sessions/index.ts'
import type { Channel, NeutralMessage } from './channel.ts'
import { channelPhrases } from './phrases.ts'

export interface ConversationOptions {
  db: Database
  chat: Pick<Chat, 'reply'>
  handoff: Pick<Handoff, 'find' | 'latest'>
  languageOf(text: string): 'zh' | 'en'
  channels: readonly Channel[]
}

export interface ChannelMessage extends Speaker {
  channel: ChannelName
  /** Empty: the one in which this customer of the channel spoke last. */
  sessionId: string
  message: NeutralMessage
  /** A person is asked for, whatever the message says. */
  callsPerson?: boolean
}

/** As stored and as shown: `ignored` is an event that calls for no answer. */
export interface ChannelReply {
  session_id: string
  status: 'ok' | 'ignored'
  reply: string
  data: ReturnType<typeof presentOutcome>['data']
}

/** The longest message that chat takes. */
const MAX_MESSAGE = 8_000
const SUBSCRIBED = /^subscribe(?::|$)/

/** One message of a customer, whatever it is made of, and what is said to it. */
export async function converse(options: ConversationOptions, incoming: ChannelMessage): Promise<ChannelReply> {
  const { channel, userId, platform, message, callsPerson } = incoming
  const sessionId = incoming.sessionId || (await sessionOfCustomer(options.db, channel, incoming))
  await assertOwnSession(options.db, sessionId, incoming)
  const session = await options.handoff.find(sessionId)
  const language = await languageOfCustomer(options, sessionId, channel)
  const text = textFor(message, session, language)
  if (text !== null) {
    const request = {
      message: text.slice(0, MAX_MESSAGE).toWellFormed(),
      sessionId,
      channel,
      userId,
      platform,
      callsPerson,
    }
    const { reply, data } = presentOutcome(await options.chat.reply(request))
    return { session_id: sessionId, status: 'ok', reply, data }
  }
  const reply = replyToNoText(message, language)
  return { session_id: sessionId, status: reply === '' ? 'ignored' : 'ok', reply, data: presentNoTurn(session) }
}

/** The language of what the channel itself says: the customer's, else the one that most of the channel's users speak. */
async function languageOfCustomer(
  { handoff, languageOf, channels }: ConversationOptions,
  sessionId: string,
  channel: ChannelName,
): Promise<'zh' | 'en'> {
  const latest = await handoff.latest(sessionId, 'user')
  if (latest) return languageOf(latest.content)
  return channels.find(({ name }) => name === channel)?.language ?? 'en'
}

/** The text for the assistant, or for the person who has the session; null: there is none. */
function textFor(message: NeutralMessage, session: HandoffSession | undefined, language: 'zh' | 'en'): string | null {
  if (message.type === 'event') return null
  if (message.text !== undefined) return message.text
  const shown = channelPhrases(language).media[message.type]
  return session?.agentStatus === 'assigned' && shown !== '' ? shown : null
}

function replyToNoText({ type, text = '' }: NeutralMessage, language: 'zh' | 'en'): string {
  const phrases = channelPhrases(language)
  if (type !== 'event') return phrases.needsWords
  return SUBSCRIBED.test(text) ? phrases.welcome : ''
}

/** The reply where a turn failed: a channel shows no error, and asking again would only repeat it. */
export async function failedReply(
  options: ConversationOptions & { log: Log },
  { sessionId, channel }: ChannelMessage,
  error: unknown,
): Promise<ChannelReply> {
  options.log.warn({ err: error, channel, sessionId }, 'A message of a channel could not be answered')
  const language = await languageOfCustomer(options, sessionId, channel)
  const data = presentNoTurn(await options.handoff.find(sessionId))
  return { session_id: sessionId, status: 'ok', reply: channelPhrases(language).failed, data }
}
