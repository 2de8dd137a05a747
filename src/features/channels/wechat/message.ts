import { AppError } from '../../../kernel/errors.ts'
import { storableText } from '../callback-guard.ts'
import { type NeutralMessage, neutralMessage } from '../channel.ts'
import type { XmlFields } from './xml.ts'

/** `fromUser` is the customer's open id, `toUser` our account. `messageId` is null for events. */
export type WechatMessage = ReturnType<typeof readWechatMessage>

const MAX_ID_LENGTH = 128

type ReadField = (name: string) => string

/** Readers of the customer's message, by `MsgType`. A type that WeChat adds later is acknowledged like an event. */
const READERS: Record<string, (field: ReadField) => NeutralMessage> = {
  text: (field) => neutralMessage('text', field('Content')),
  voice: (field) => neutralMessage('voice', field('Recognition')),
  location: (field) => neutralMessage('text', `${field('Label')} (${field('Location_X')}, ${field('Location_Y')})`),
  link: (field) => neutralMessage('text', joined('\n', field('Title'), field('Description'), field('Url'))),
  event: (field) => neutralMessage('event', joined(':', field('Event'), field('EventKey'))),
  image: () => ({ type: 'image' }),
  video: () => ({ type: 'image' }),
  shortvideo: () => ({ type: 'image' }),
}

/**
 * Reads a decrypted message. Throws `invalid` (`callback_field`) naming the field when an addressing field is missing, too
 * long or not a number.
 * Source: https://developers.weixin.qq.com/doc/offiaccount/en/Message_Management/Receiving_standard_messages.html
 */
export function readWechatMessage(fields: XmlFields) {
  const field: ReadField = (name) => storableText(fields.get(name) ?? '')
  const messageType = requiredId(fields, 'MsgType')
  const reader = Object.hasOwn(READERS, messageType) ? READERS[messageType] : undefined
  const content = reader ? reader(field) : neutralMessage('event', messageType)
  const [toUser, fromUser] = [requiredId(fields, 'ToUserName'), requiredId(fields, 'FromUserName')]
  const createdAtSeconds = readSeconds(fields)
  const messageId = messageType === 'event' ? null : requiredId(fields, 'MsgId')
  // Equal for a message and its retries only. Events have no MsgId; WeChat advises sender and time for them, and two
  // events of one second (entering the chat also reports a location) are told apart by name and key.
  const dedupeKey = [fromUser, createdAtSeconds, messageId ?? content.text].join(':')
  return { toUser, fromUser, createdAtSeconds, messageId, content, dedupeKey }
}

function joined(separator: string, ...parts: string[]): string {
  return parts.filter(Boolean).join(separator)
}

function requiredId(fields: XmlFields, name: string): string {
  const value = fields.get(name)?.trim() ?? ''
  if (value === '') throw badField(name, 'is missing')
  if (value.length > MAX_ID_LENGTH) throw badField(name, `is longer than ${MAX_ID_LENGTH} characters`)
  if (storableText(value) !== value) throw badField(name, 'contains characters that cannot be stored')
  return value
}

function readSeconds(fields: XmlFields): number {
  const text = requiredId(fields, 'CreateTime')
  if (!/^\d{1,12}$/.test(text)) throw badField('CreateTime', 'is not a number of seconds')
  return Number(text)
}

function badField(name: string, why: string): AppError {
  return new AppError('invalid', 'callback_field', `${name} ${why}`)
}
