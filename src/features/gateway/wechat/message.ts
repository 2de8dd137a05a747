import { AppError } from '../../../kernel/errors.ts'
import { storableText } from '../callback-guard.ts'
import { type NeutralMessage, neutralMessage } from '../neutral-message.ts'
import type { XmlFields } from './xml.ts'

/** What the customer sent, by `MsgType`. `other` is a type that WeChat adds later; it is acknowledged like the rest. */
export type WechatContent =
  | { type: 'text'; text: string }
  | { type: 'image'; pictureUrl: string; mediaId: string }
  | { type: 'voice'; mediaId: string; format: string; recognition: string }
  | { type: 'video' | 'shortvideo'; mediaId: string; thumbMediaId: string }
  | { type: 'location'; latitude: string; longitude: string; scale: string; label: string }
  | { type: 'link'; title: string; description: string; url: string }
  | { type: 'event'; event: string; eventKey: string }
  | { type: 'other'; messageType: string }

/** `fromUser` is the customer's open id, `toUser` our account. `messageId` is null for events. */
export type WechatMessage = {
  toUser: string
  fromUser: string
  createdAtSeconds: number
  messageId: string | null
  dedupeKey: string
  content: WechatContent
}

const MAX_ID_LENGTH = 128

type ReadField = (name: string) => string

const READERS: Record<string, (field: ReadField) => WechatContent> = {
  text: (field) => ({ type: 'text', text: field('Content') }),
  image: (field) => ({ type: 'image', pictureUrl: field('PicUrl'), mediaId: field('MediaId') }),
  voice: (field) => ({
    type: 'voice',
    mediaId: field('MediaId'),
    format: field('Format'),
    recognition: field('Recognition'),
  }),
  video: (field) => ({ type: 'video', mediaId: field('MediaId'), thumbMediaId: field('ThumbMediaId') }),
  shortvideo: (field) => ({ type: 'shortvideo', mediaId: field('MediaId'), thumbMediaId: field('ThumbMediaId') }),
  location: (field) => ({
    type: 'location',
    latitude: field('Location_X'),
    longitude: field('Location_Y'),
    scale: field('Scale'),
    label: field('Label'),
  }),
  link: (field) => ({ type: 'link', title: field('Title'), description: field('Description'), url: field('Url') }),
  event: (field) => ({ type: 'event', event: field('Event'), eventKey: field('EventKey') }),
}

/**
 * Reads a decrypted message. Throws `invalid` (`callback_field`) naming the field when an addressing field is missing, too
 * long or not a number.
 * Source: https://developers.weixin.qq.com/doc/offiaccount/en/Message_Management/Receiving_standard_messages.html
 */
export function readWechatMessage(fields: XmlFields): WechatMessage {
  const field: ReadField = (name) => storableText(fields.get(name) ?? '')
  const messageType = requiredId(fields, 'MsgType')
  const reader = Object.hasOwn(READERS, messageType) ? READERS[messageType] : undefined
  const content: WechatContent = reader ? reader(field) : { type: 'other', messageType }
  const addressed = {
    toUser: requiredId(fields, 'ToUserName'),
    fromUser: requiredId(fields, 'FromUserName'),
    createdAtSeconds: readSeconds(fields),
    messageId: content.type === 'event' ? null : requiredId(fields, 'MsgId'),
    content,
  }
  return { ...addressed, dedupeKey: dedupeKey(addressed) }
}

/**
 * Equal for a message and its retries only. Events have no MsgId; WeChat advises sender and time for them, and two events
 * of one second (entering the chat also reports a location) are told apart by name and key.
 */
function dedupeKey(message: Omit<WechatMessage, 'dedupeKey'>): string {
  const { content, fromUser, messageId, createdAtSeconds } = message
  const identity = content.type === 'event' ? [content.event, content.eventKey] : [messageId]
  return ['wechat', fromUser, createdAtSeconds, ...identity].join(':')
}

/** The channel-neutral form of what the customer sent. */
export function neutralWechatMessage(content: WechatContent): NeutralMessage {
  switch (content.type) {
    case 'text':
      return neutralMessage('text', content.text)
    case 'voice':
      return neutralMessage('voice', content.recognition)
    case 'location':
      return neutralMessage('text', `${content.label} (${content.latitude}, ${content.longitude})`)
    case 'link':
      return neutralMessage('text', [content.title, content.description, content.url].filter(Boolean).join('\n'))
    case 'event':
      return neutralMessage('event', [content.event, content.eventKey].filter(Boolean).join(':'))
    case 'other':
      return neutralMessage('event', content.messageType)
    default:
      return { type: 'image' }
  }
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
