import { describe, expect, it } from 'vitest'
import type { ReceivedMessage } from '../channel.ts'
import { createDingtalkChannel } from './channel.ts'
import { dingtalkSignature } from './signature.ts'

const NOW_MS = 1_577_262_236_757
const appSecret = 'secret'
const body = (msgId: string) =>
  JSON.stringify({
    msgtype: 'text',
    text: { content: 'hi' },
    msgId,
    conversationType: '1',
    conversationId: 'c',
    senderId: 's',
  })

const ports = { breakers: { get: () => ({ run: <T>(work: () => Promise<T>) => work() }) }, fetch }

function receive(text: string | Uint8Array, given: { headers?: object; nowMs?: number } = {}): ReceivedMessage {
  const { headers = signed(NOW_MS), nowMs = NOW_MS } = given
  const channel = createDingtalkChannel({ appSecret, webhookOrigins: [] }, { ...ports, clock: { now: () => nowMs } })
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return channel.webhook?.receive({ query: {}, headers: { ...headers }, body: bytes }) as ReceivedMessage
}

function signed(stampMs: number) {
  const timestamp = String(stampMs)
  return { timestamp, sign: dingtalkSignature(timestamp, appSecret) }
}

describe('a message of a robot', () => {
  it('is read with whom it is of, and where an answer goes', () => {
    const at = { sessionWebhook: 'https://oapi.dingtalk.com/x', sessionWebhookExpiredTime: 5, robotCode: 'r' }
    const given = { ...JSON.parse(body('a')), ...at, conversationType: '2', senderStaffId: 'staff' }
    expect(receive(JSON.stringify(given))).toMatchObject({
      messageId: 'a',
      customerId: 'staff',
      content: { type: 'text', text: 'hi' },
      address: {
        orderingKey: 'dingtalk:r',
        details: { webhook: { url: at.sessionWebhook, expiresAtMs: 5 }, atUserId: 'staff' },
      },
    })
    expect(receive(body('a'))).toMatchObject({ customerId: 's', address: null })
  })

  it('has one session for each person and conversation, and another once the person is linked', () => {
    const { sessionOf } = receive(body('a'))
    const unknown = sessionOf?.({ userId: 'dingtalk:s', platform: 'dingtalk' })
    expect(unknown).toBe('dingtalk:c:s')
    expect(sessionOf?.({ userId: 'anna' })).toMatch(/^dingtalk:[0-9a-f]{64}$/)
    const long = receive(body('a').replace('"c"', JSON.stringify('c'.repeat(250))))
    expect(long.sessionOf?.({ userId: 'dingtalk:s', platform: 'dingtalk' })).toMatch(/^dingtalk:[0-9a-f]{64}$/)
  })

  it('shares its signature with those that arrive together, and later with none', () => {
    expect(receive(body('a')).use).toMatchObject({ signature: signed(NOW_MS).sign, serves: 4 })
    expect(receive(body('a'), { nowMs: NOW_MS + 10_001 }).use.serves).toBe(1)
  })

  it('has its signature checked before the body, and the size before parsing it', () => {
    expect(() => receive('{', { headers: {} })).toThrow(expect.objectContaining({ kind: 'unauthorized' }))
    expect(() => receive(' '.repeat(65_537))).toThrow(expect.objectContaining({ kind: 'too_large' }))
  })

  it('is refused over five minutes from its time', () => {
    expect(() => receive(body('a'), { nowMs: NOW_MS + 300_001 })).toThrow('five minutes')
  })
})
