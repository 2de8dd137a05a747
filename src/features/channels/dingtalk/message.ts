import { AppError } from '../../../kernel/errors.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { type Fields, storableText } from '../callback-guard.ts'
import { type NeutralMessage, neutralMessage } from '../channel.ts'
import type { DingtalkWebhook } from './webhook.ts'

/** A robot callback, read and checked. `webhook` is null where the platform gave no place to answer at. */
export type DingtalkMessage = ReturnType<typeof readDingtalkMessage>

const MAX_ID_LENGTH = 256
const MAX_URL_LENGTH = 2048

/** Parses the body text. Throws `invalid` (`callback_json`) for anything but a JSON object. */
export function parseDingtalkBody(body: string): DingtalkMessage {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch (cause) {
    throw new AppError('invalid', 'callback_json', 'body: not valid JSON', { cause })
  }
  if (!isJsonObject(value)) throw new AppError('invalid', 'callback_json', 'body: must be a JSON object')
  return readDingtalkMessage(value)
}

/**
 * Throws `invalid` (`callback_field`), naming the field, for a missing or ill-typed one.
 * Source: https://open.dingtalk.com/document/orgapp/receive-message
 */
function readDingtalkMessage(body: Fields) {
  const messageType = requiredText(body, 'msgtype', MAX_ID_LENGTH)
  return {
    messageId: requiredText(body, 'msgId', MAX_ID_LENGTH),
    messageType,
    content: readContent(messageType, body),
    createdAtMs: optionalNumber(body, 'createAt'),
    conversationId: requiredText(body, 'conversationId', MAX_ID_LENGTH),
    conversationType: readConversationType(body),
    senderId: requiredText(body, 'senderId', MAX_ID_LENGTH),
    senderStaffId: optionalText(body, 'senderStaffId', MAX_ID_LENGTH) || null,
    senderNick: optionalText(body, 'senderNick', MAX_ID_LENGTH),
    robotCode: optionalText(body, 'robotCode', MAX_ID_LENGTH) || optionalText(body, 'chatbotUserId', MAX_ID_LENGTH),
    isInAtList: body.isInAtList === true,
    webhook: readWebhook(body),
  }
}

/** One session per person and conversation: the same person in two groups is two sessions. */
export function dingtalkSessionKey(message: Pick<DingtalkMessage, 'conversationId' | 'senderStaffId' | 'senderId'>) {
  return `dingtalk:${message.conversationId}:${message.senderStaffId ?? message.senderId}`
}

function readContent(messageType: string, body: Fields): NeutralMessage {
  switch (messageType) {
    case 'text':
      return neutralMessage('text', storableText(requiredText(section(body, 'text'), 'content', Infinity, 'text.')))
    case 'audio':
      return neutralMessage('voice', optionalText(section(body, 'content'), 'recognition', Infinity, 'content.'))
    case 'richText':
      return readRichText(section(body, 'content'))
    default:
      return { type: 'image' }
  }
}

/** Rich text is a list of runs, `{text}` or a picture; the words are the message, and pictures alone are a picture. */
function readRichText(content: Fields): NeutralMessage {
  const runs: unknown = content.richText
  if (!Array.isArray(runs)) throw badField('content.richText', 'must be a list')
  const text = runs.filter(isJsonObject).map((run) => optionalText(run, 'text', Infinity, 'content.richText[].'))
  const message = neutralMessage('text', text.join(''))
  return message.text === undefined ? { type: 'image' } : message
}

function readConversationType(body: Fields): 'single' | 'group' {
  const value = String(body.conversationType ?? '')
  if (value === '1') return 'single'
  if (value === '2') return 'group'
  throw badField('conversationType', 'must be "1" or "2"')
}

function readWebhook(body: Fields): DingtalkWebhook | null {
  const url = optionalText(body, 'sessionWebhook', MAX_URL_LENGTH)
  const expiresAtMs = optionalNumber(body, 'sessionWebhookExpiredTime')
  if (url === '') return null
  if (expiresAtMs === null) throw badField('sessionWebhookExpiredTime', 'is missing')
  return { url, expiresAtMs }
}

function section(body: Fields, name: string): Fields {
  const value = body[name]
  if (isJsonObject(value)) return value
  throw badField(name, 'must be an object')
}

function requiredText(fields: Fields, name: string, maxLength: number, prefix = ''): string {
  if (fields[name] === undefined || fields[name] === null) throw badField(prefix + name, 'is missing')
  const text = optionalText(fields, name, maxLength, prefix)
  if (text === '' && maxLength !== Infinity) throw badField(prefix + name, 'is empty')
  return text
}

function optionalText(fields: Fields, name: string, maxLength: number, prefix = ''): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw badField(prefix + name, 'must be a string')
  if (value.length > maxLength) throw badField(prefix + name, `is longer than ${maxLength} characters`)
  return storableText(value).trim()
}

/** Times come as numbers; a string of digits is read too, because some gateways in front of robots quote them. */
function optionalNumber(fields: Fields, name: string): number | null {
  const value = fields[name] ?? null
  if (value === null) return null
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isFinite(number) && number >= 0) return number
  throw badField(name, 'must be a number of milliseconds')
}

function badField(name: string, why: string): AppError {
  return new AppError('invalid', 'callback_field', `${name}: ${why}`)
}
