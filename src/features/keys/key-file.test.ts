import { describe, expect, it } from 'vitest'
import { hashKey, makeKey, newKeyId, parseKeyFile, renderKeyFile, type StoredKey } from './key-file.ts'

const key = (changes: object = {}) => ({
  key_id: 'key_0123456789ab',
  name: 'shop-server',
  hash: `sha256:${hashKey('x')}`,
  scopes: ['chat'],
  created_at: '2026-01-31T09:30:00.000Z',
  expires_at: null,
  ...changes,
})
const file = (...keys: unknown[]) => JSON.stringify({ keys })

describe('a file of keys', () => {
  it('is read as it was written', () => {
    const keys: StoredKey[] = [1, 2].map((each) => ({
      keyId: newKeyId(),
      name: `key.${each}`,
      hash: hashKey(makeKey()),
      scopes: ['read', 'agent'],
      createdAt: new Date('2026-01-31T09:30:00Z'),
      expiresAt: each === 1 ? null : new Date('2027-01-01T00:00:00Z'),
    }))
    expect(parseKeyFile(renderKeyFile(keys))).toEqual(keys)
    expect(parseKeyFile(file())).toEqual([])
  })

  it.each([
    ['', 'it is not valid JSON'],
    ['{"keys": [', 'it is not valid JSON'],
    ['[]', 'keys must be a list of keys'],
    ['{}', 'keys must be a list of keys'],
    ['{"keys": {}}', 'keys must be a list of keys'],
    [JSON.stringify({ keys: [], more: 1 }), 'keys must be a list of keys, and all there is'],
    [file('fdk_secret'), 'keys[0] must be an object of'],
    [file(key(), key({ key_id: 'key_2', hash: 'sha256:abc' })), 'keys[1].hash must be sha256: and 64'],
    [file(key({ hash: hashKey('x') })), 'keys[0].hash must be sha256: and 64'],
    [file(key({ scopes: ['chat', 'root'] })), 'keys[0].scopes must be a list of read, chat'],
    [file(key({ scopes: [] })), 'keys[0].scopes must be a list of read, chat'],
    [file(key({ scopes: 'chat' })), 'keys[0].scopes must be a list of read, chat'],
    [file(key({ name: 'API_KEY' })), 'keys[0].name must be 1 to 64'],
    [file(key({ name: 'a b' })), 'keys[0].name must be 1 to 64'],
    [file(key({ expires_at: 'soon' })), 'keys[0].expires_at must be a time'],
    [file(key({ expires_at: '2027-13-01T00:00:00Z' })), 'keys[0].expires_at is no time'],
    [file(key({ created_at: '2026-99-01T00:00:00Z' })), 'keys[0].created_at is no time'],
    // A field that nothing reads would be taken for a limit that is in force.
    [file(key({ expires: '2027-01-01T00:00:00Z' })), 'keys[0].expires is no field of a key'],
    [file(key(), key({ key_id: 'key_2' })), 'keys[1] repeats the hash'],
    [file(key(), key({ hash: `sha256:${hashKey('y')}` })), 'keys[1] repeats the hash or the key_id'],
  ])('that is wrong is refused with the place and the reason: %s', (text, message) => {
    expect(() => parseKeyFile(text)).toThrow(message)
    expect(() => parseKeyFile(text)).not.toThrow(/[0-9a-f]{64}|secret/)
  })
})

it('makes keys of 256 random bits', () => {
  const keys = new Set(Array.from({ length: 100 }, makeKey))
  expect(keys.size).toBe(100)
  for (const each of keys) expect(each).toMatch(/^fdk_[\w-]{43}$/)
})
