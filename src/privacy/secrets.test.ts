import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskRecord, maskText } from './index.ts'

const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nb1c2d3==\n-----END RSA PRIVATE KEY-----'

describe('secrets in texts', () => {
  it.each([
    ['密码是 hunter2', '密码是 ***'],
    ['我的登录密码：Abc!2345，请帮我看看', '我的登录密码：***，请帮我看看'],
    ['支付密码为123456吗', '支付密码为***吗'],
    ['password: hunter2', 'password: ***'],
    ['Password: letmein', 'Password: ***'],
    ['my password is correcthorse.', 'my password is ***.'],
    ['pwd=s3cr3t&x=1', 'pwd=***'],
    ['{"password":"p,a5$word","user":"x"}', '{"password":"***","user":"x"}'],
    ['my PIN is 4821', 'my PIN is ***'],
    ['验证码 123456，5分钟内有效', '验证码 ***，5分钟内有效'],
    ['【店】您的验证码为：8843', '【店】您的验证码为：***'],
    ['your code is 004512', 'your code is ***'],
    ['I got it and the code is 493821', 'I got it and the code is ***'],
    ['the verification code is 123456', 'the verification code is ***'],
    ['G-123456 is your Google verification code', '*** is your Google verification code'],
    ['CVV 123', 'CVV ***'],
    ['cvc: 1234', 'cvc: ***'],
    ['卡的安全码是 987', '卡的安全码是 ***'],
    ['token: 9f86d081884c7d65', 'token: ***'],
    ['API key = abcd1234efgh5678', 'API key = ***'],
    ['密钥：AbCd1234EfGh', '密钥：***'],
    ['Authorization: Bearer abcdefgh12345678.ijkl', 'Authorization: Bearer ***'],
    ['use eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl please', 'use *** please'],
    ['sk-proj-abc123def456ghi789', '***'],
    ['AKIAIOSFODNN7EXAMPLE', '***'],
    ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', '***'],
    ['xoxb-17653672481-19874698323', '***'],
    ['postgres://shop:hunter2@db.internal/x', 'postgres://shop:***/x'],
    ['https://api.example/v1?api_key=abcd1234&x=1', 'https://api.example/v1?api_key=***&x=1'],
    [`key:\n${PEM}\nthanks`, 'key:\n***\nthanks'],
    [PEM.slice(0, 50), '***'],
  ])('%s', (text, masked) => {
    expect(maskText(text)).toBe(masked)
    expect(maskText(masked)).toBe(masked)
  })

  it.each([
    ['SSN 123-45-6789', '123-45-6789'],
    ['my social security number is 123 45 6789', '123 45 6789'],
    ['it is 219-09-9999, thanks', '219-09-9999'],
    ['IBAN DE89 3704 0044 0532 0130 00', '3704 0044 0532'],
    ['transfer to GB29NWBK60161331926819', 'NWBK60161331'],
    ['bank account number 12345678', '12345678'],
    ['银行账号：6222 0000 11', '6222 0000 11'],
  ])('%s', (text, hidden) => {
    expect(maskText(text)).not.toContain(hidden)
  })

  it.each([
    'How do I reset my password?',
    'the error code is 80042',
    'What does the code 80042 mean?',
    'I forgot my password',
    'my password is wrong',
    'My password is not accepted',
    'the password is incorrect.',
    'Password: at least 8 characters',
    'Password: must be 8 to 20 characters',
    'Your password is case-sensitive.',
    'Password: 8-20 characters',
    'Reset your password: https://shop.example/reset',
    '<b>Password:</b> eight characters',
    '密码是什么？',
    '密码为6-20位字符',
    '忘记密码怎么办',
    '默认密码是888888',
    'The default password is admin123',
    '验证码是多少',
    '收不到验证码，等了10分钟',
    '验证码5分钟内有效',
    'the verification code is 6 digits',
    'discount code SAVE2024',
    'error code: 500312',
    'product code 12345678',
    'zip code is 90210',
    'promo code is 12345',
    'a token of thanks',
    'the secret is patience',
    'total tokens: 12345678',
    'bearer of this letter only',
    'sk-waterproof-hiking-jacket',
    'order 123-45-67890',
    'item 1234-56-7890',
    'order no 123-45-6789',
    'CVV is on the back of the card',
    'public key: see the page',
    '-----BEGIN CERTIFICATE-----',
  ])('leaves %s', (text) => {
    expect(maskText(text)).toBe(text)
  })

  const random = fc.stringMatching(/^[A-Za-z0-9!@#$%^&*_+-]{3,20}[0-9][A-Za-z]$/)

  it('hides any password after any of its labels', () => {
    const labels = fc.constantFrom('密码是 ', '密码：', '口令为', 'password: ', 'Password is ', 'pwd=', '"password": "')
    fc.assert(fc.property(labels, random, (label, secret) => !maskText(`hi. ${label}${secret}`).includes(secret)))
  })

  it('hides any one-time code after any of its labels', () => {
    const labels = fc.constantFrom('验证码', '校验码：', '动态码是 ', 'OTP: ', 'your code is ', 'security code ')
    const codes = fc.stringMatching(/^[1-9][0-9]{3,7}$/)
    fc.assert(fc.property(labels, codes, (label, code) => !maskText(`x ${label}${code}.`).includes(code)))
  })

  it('hides any token after any of its labels', () => {
    const labels = fc.constantFrom('token: ', 'api_key=', 'secret: ', '令牌是', 'Bearer ', 'access_token: "')
    const tokens = fc.stringMatching(/^[A-Za-z0-9_]{18,60}[0-9]$/)
    fc.assert(fc.property(labels, tokens, (label, token) => !maskText(`${label}${token}`).includes(token)))
  })
})

describe('secrets in records', () => {
  it('are told by their keys', () => {
    const { data, maskedFields } = maskRecord({
      password: 'hunter',
      otp: 123456,
      card: { cvv: '123', brand: 'visa' },
      accessToken: 'x',
      验证码: '8843',
      token_count: 12,
    })
    expect(data).toEqual({
      password: '***',
      otp: '***',
      card: { cvv: '***', brand: 'visa' },
      accessToken: '***',
      验证码: '***',
      token_count: 12,
    })
    expect(maskedFields).toEqual(['password', 'otp', 'card.cvv', 'accessToken', '验证码'])
  })
})
