import { describe, expect, it, vi } from 'vitest'
import { newId, newUuid } from './ids.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('ids', () => {
  it('are UUIDs of version 7, also behind their prefix', () => {
    expect(newUuid()).toMatch(UUID_V7)
    const [prefix, digits = ''] = newId('msg').split('_')
    expect(prefix).toBe('msg')
    expect(digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')).toMatch(UUID_V7)
  })

  it('are never the same, however many are drawn', () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => (i % 2 ? newUuid().replaceAll('-', '') : newId('x').slice(2)))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('vary in every digit but those of time and version', () => {
    const uuids = Array.from({ length: 2_000 }, newUuid).map((uuid) => uuid.replaceAll('-', ''))
    const seen = (at: number): number => new Set(uuids.map((uuid) => uuid[at])).size
    expect(seen(16)).toBe(4)
    for (const at of [13, 14, 15, ...Array.from({ length: 15 }, (_, i) => 17 + i)]) expect(seen(at)).toBe(16)
  })

  it('begin with their time', () => {
    vi.useFakeTimers({ now: 1_700_000_000_123, toFake: ['Date'] })
    try {
      expect(newUuid().replaceAll('-', '').slice(0, 12)).toBe((1_700_000_000_123).toString(16).padStart(12, '0'))
      const before = newId('a')
      vi.setSystemTime(1_700_000_000_124)
      expect(newId('a') > before).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })
})
