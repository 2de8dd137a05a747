import type { Database } from '../../platform/postgres/index.ts'
import {
  assertOwnSession,
  type Channel,
  type Chat,
  type Handoff,
  type HandoffSession,
  type NativeChannel,
  presentOutcome,
  sessionOfCustomer,
} from '../chat/index.ts'
import type { NeutralMessage } from './neutral-message.ts'
import { channelPhrases } from './phrases.ts'

export interface ConversationOptions {
  db: Database
  chat: Pick<Chat, 'reply'>
  handoff: Pick<Handoff, 'find' | 'latest'>
  languageOf(text: string): 'zh' | 'en'
}

export interface ChannelMessage {
  channel: Channel
  userId: string
  /** The platform that names the user by itself; undefined: the shop does. */
  door?: NativeChannel | undefined
  /** Empty: the one in which this customer of the channel spoke last. */
  sessionId: string
  message: NeutralMessage
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
  const { channel, userId, door, message } = incoming
  const sessionId = incoming.sessionId || (await sessionOfCustomer(options.db, channel, incoming))
  await assertOwnSession(options.db, sessionId, incoming)
  const session = await options.handoff.find(sessionId)
  const language = await languageOfCustomer(options, sessionId, channel)
  const text = textFor(message, session, language)
  if (text !== null) {
    const request = { message: text.slice(0, MAX_MESSAGE).toWellFormed(), sessionId, channel, userId, door }
    const { reply, data } = presentOutcome(await options.chat.reply(request))
    return { session_id: sessionId, status: 'ok', reply, data }
  }
  const reply = replyToNoText(message, language)
  return { session_id: sessionId, status: reply === '' ? 'ignored' : 'ok', reply, data: dataOf(session) }
}

/** The language of what the channel itself says: the customer's, else the one that most of the channel's users speak. */
export async function languageOfCustomer(
  { handoff, languageOf }: ConversationOptions,
  sessionId: string,
  channel: Channel,
): Promise<'zh' | 'en'> {
  const latest = await handoff.latest(sessionId, 'user')
  if (latest) return languageOf(latest.content)
  return channel === 'wechat' || channel === 'dingtalk' ? 'zh' : 'en'
}

/** What is put to the assistant, or to the person who has the session; null: there is nothing to put. */
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

/** What is known of a session in which this message was no turn. */
export function dataOf(session: HandoffSession | undefined): ChannelReply['data'] {
  return {
    intent: 'unknown',
    sources: [],
    escalate_to_human: session?.agentStatus === 'pending' || session?.agentStatus === 'assigned',
    escalation_card: null,
    turn_count: session?.turnCount ?? 0,
    failed_attempts: session?.failedAttempts ?? 0,
    emotion_score: session?.emotionScore ?? 0,
    sub_tasks: [],
    message_id: '',
    mode: 'notice',
  }
}
