import { describe, expect, it } from 'vitest'
import { checkedWebhookUrl } from './webhook.ts'

const good = 'https://oapi.dingtalk.com/robot/sendBySession?session=abc'
const hook = (url: string) => ({ url, expiresAtMs: 1000 })

describe('checkedWebhookUrl', () => {
  it("accepts DingTalk's own host until the moment of expiry", () => {
    expect(checkedWebhookUrl(hook(good), 999)).toBe(good)
    expect(() => checkedWebhookUrl(hook(good), 1000)).toThrow(
      expect.objectContaining({ kind: 'unavailable', code: 'dingtalk_webhook_expired' }),
    )
  })

  it.each([
    'http://oapi.dingtalk.com/robot/sendBySession',
    'https://oapi.dingtalk.com:8443/robot/sendBySession',
    'https://oapi.dingtalk.com.evil.example/robot',
    'https://evil.example/?oapi.dingtalk.com',
    'https://oapi.dingtalk.com@evil.example/',
    'https://user:secret@oapi.dingtalk.com/robot',
    'https://user@oapi.dingtalk.com/robot',
    'https://:secret@oapi.dingtalk.com/robot',
    'https://127.0.0.1/robot',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:4000/robot',
    'file:///etc/passwd',
    '//oapi.dingtalk.com/robot',
    'not a url',
    '',
  ])('refuses %s', (url) => {
    expect(() => checkedWebhookUrl(hook(url), 0)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'dingtalk_webhook_host' }),
    )
  })

  it('accepts exactly the origins that a test names', () => {
    const extra = ['http://127.0.0.1:4000']
    expect(checkedWebhookUrl(hook('http://127.0.0.1:4000/hook'), 0, extra)).toBe('http://127.0.0.1:4000/hook')
    expect(() => checkedWebhookUrl(hook('http://127.0.0.1:4001/hook'), 0, extra)).toThrow()
    expect(() => checkedWebhookUrl(hook('http://localhost:4000/hook'), 0, extra)).toThrow()
  })
})
