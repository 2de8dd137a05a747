import { describe, expect, it } from 'vitest'
import { hashKey, type StoredKey } from '../../src/features/keys/key-file.ts'
import { addKey, parseExpiry, parseOverlap, parseScopes, revokeKeys, rotateKey } from './change-keys.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
const add = (keys: StoredKey[], name: string, expiresAt: Date | null = null) =>
  addKey(keys, { name, scopes: ['chat'], expiresAt }, NOW)

describe('keys', () => {
  it('are added with their hash, and shown once', () => {
    const { keys, key = '' } = add([], 'shop')
    expect(keys).toMatchObject([
      { name: 'shop', hash: hashKey(key), scopes: ['chat'], createdAt: NOW, expiresAt: null },
    ])
    expect(JSON.stringify(keys)).not.toContain(key)
    expect(() => add(keys, 'shop')).toThrow('shop has a key already')
    expect(() => add(keys, 'API_KEY')).toThrow('NAME must be')
    expect(() => add(keys, '../x')).toThrow('NAME must be')
  })

  it('are rotated with an overlap in which both are valid', () => {
    const { keys: before } = add(add([], 'other').keys, 'shop')
    const { keys, key = '' } = rotateKey(before, { name: 'shop', overlapMs: 3_600_000, expiresAt: null }, NOW)
    expect(keys).toMatchObject([
      { name: 'other', expiresAt: null },
      { name: 'shop', expiresAt: new Date('2026-06-01T13:00:00Z') },
      { name: 'shop', expiresAt: null, scopes: ['chat'], hash: hashKey(key) },
    ])
    const again = rotateKey(keys, { name: 'shop', overlapMs: 86_400_000, expiresAt: null }, NOW)
    // The oldest ends no later than it was to.
    expect(again.keys[1]?.expiresAt).toEqual(new Date('2026-06-01T13:00:00Z'))
    expect(() => rotateKey(keys, { name: 'nobody', overlapMs: 0, expiresAt: null }, NOW)).toThrow('Nobody has the name')
  })

  it('keep their end when they are rotated, unless a later one is given', () => {
    const { keys } = add([], 'shop', new Date('2026-06-02T00:00:00Z'))
    const rotate = (overlapMs: number, expiresAt: Date | null) =>
      rotateKey(keys, { name: 'shop', overlapMs, expiresAt }, NOW)
    expect(rotate(3_600_000, null).keys[1]?.expiresAt).toEqual(new Date('2026-06-02T00:00:00Z'))
    expect(() => rotate(86_400_000, null)).toThrow('--expires')
    const later = new Date('2027-01-01T00:00:00Z')
    expect(rotate(86_400_000, later).keys.map(({ expiresAt }) => expiresAt)).toEqual([
      new Date('2026-06-02T00:00:00Z'),
      later,
    ])
  })

  it('are revoked with all that share the name', () => {
    const { keys } = rotateKey(add([], 'shop').keys, { name: 'shop', overlapMs: 1, expiresAt: null }, NOW)
    expect(revokeKeys(keys, 'shop').keys).toEqual([])
    expect(() => revokeKeys(keys, 'shops')).toThrow('Nobody has the name shops')
  })
})

describe('options', () => {
  it('are read, or refused with what they must be', () => {
    expect(parseScopes('read, agent,read')).toEqual(['read', 'agent'])
    expect(() => parseScopes(undefined)).toThrow('--scopes must be')
    expect(() => parseScopes('read,root')).toThrow('not "root"')
    expect(parseExpiry(undefined, NOW)).toBeNull()
    expect(parseExpiry('2027-01-01', NOW)).toEqual(new Date('2027-01-01T00:00:00Z'))
    for (const text of ['soon', '01/02/2027', '2027-13-01', '2026-01-01']) {
      expect(() => parseExpiry(text, NOW)).toThrow('--expires')
    }
    expect(['0', '30m', '24h', '7d'].map(parseOverlap)).toEqual([0, 1_800_000, 86_400_000, 604_800_000])
    for (const text of ['', '24', 'h', '-1h', '1w']) expect(() => parseOverlap(text)).toThrow('--overlap')
  })
})
