import { describe, expect, it } from 'vitest'
import { finestLevel, layGrid, layGridOrUtc } from './grid.ts'

const now = Date.UTC(2026, 6, 15, 10, 30)
const at = (text: string) => new Date(text)
const iso = (dates: Date[]) => dates.map((date) => date.toISOString())

describe('the buckets of a chart', () => {
  it('hold both ends', () => {
    const grid = layGrid({ from: at('2026-07-15T07:20:00Z'), to: at('2026-07-15T09:00:01Z') }, '1h', 0, now)
    expect(iso(grid.buckets)).toEqual([
      '2026-07-15T07:00:00.000Z',
      '2026-07-15T08:00:00.000Z',
      '2026-07-15T09:00:00.000Z',
    ])
    expect(grid).toMatchObject({ from: at('2026-07-15T07:00:00Z'), to: at('2026-07-15T10:00:00Z'), level: 'hour' })
  })

  it('end where they are told to', () => {
    const grid = layGrid({ from: at('2026-07-15T07:00:00Z'), to: at('2026-07-15T09:00:00Z') }, '1h', 0, now)
    expect(grid.buckets).toHaveLength(2)
  })

  it('are days of the place, which are made of hours there', () => {
    const grid = layGrid({ from: at('2026-07-14T00:00:00Z'), to: at('2026-07-15T10:00:00Z') }, '1d', 480, now)
    expect(iso(grid.buckets)).toEqual(['2026-07-13T16:00:00.000Z', '2026-07-14T16:00:00.000Z'])
    expect(grid.level).toBe('hour')
    expect(layGrid({ from: at('2026-07-14T00:00:00Z') }, '1d', 0, now).level).toBe('day')
    expect(layGrid({ from: at('2026-07-15T00:00:00Z') }, '1h', 330, now).level).toBe('minute')
  })

  it('are days of UTC where those of the place are kept no more', () => {
    const long = { from: at('2026-01-15T00:00:00Z'), to: at('2026-04-15T00:00:00Z') }
    expect(() => layGrid(long, '1d', 480, now)).toThrow(/are not kept/)
    expect(layGridOrUtc(long, '1d', 480, now)).toMatchObject({ level: 'day', offsetMinutes: 0 })
    const recent = { from: at('2026-07-10T00:00:00Z'), to: at('2026-07-15T00:00:00Z') }
    expect(layGridOrUtc(recent, '1d', 480, now)).toMatchObject({ level: 'hour', offsetMinutes: 480 })
  })

  it.each([
    [2, 'minute'],
    [30, 'hour'],
    [100, 'day'],
  ] as const)('of %s days are counted up from each %s', (days, level) => {
    expect(finestLevel(days * 86_400_000)).toBe(level)
  })

  it('are weeks from Monday on', () => {
    const grid = layGrid({ from: at('2026-07-15T00:00:00Z') }, '1w', 0, now)
    expect(iso(grid.buckets)).toEqual(['2026-07-13T00:00:00.000Z'])
  })

  it.each([
    [undefined, '15m'],
    ['2026-07-15T10:00:00Z', '1m'],
    ['2026-07-08T10:00:00Z', '1h'],
    ['2026-06-01T00:00:00Z', '6h'],
    ['2026-01-15T00:00:00Z', '1d'],
    ['2024-01-15T00:00:00Z', '1w'],
  ])('from %s on are of a length that makes a readable chart', (from, step) => {
    const grid = layGrid(from === undefined ? {} : { from: at(from) }, undefined, 0, now)
    expect(grid.step).toBe(step)
    expect(grid.buckets.length).toBeLessThanOrEqual(201)
  })

  it.each([
    ['2026-07-14T10:30:00Z', '1m', 0, 'step: 1m makes 1440 points of this time, more than 1000'],
    ['2026-07-01T00:00:00Z', '1m', 0, 'step: buckets of 1m are not kept for so long; ask for longer ones'],
    ['2026-01-01T00:00:00Z', '1h', 0, 'step: buckets of 1h are not kept for so long; ask for longer ones'],
    [
      '2026-01-01T00:00:00Z',
      '1d',
      480,
      'step: buckets of 1d in this zone are not kept for so long; ask for longer ones',
    ],
  ] as const)('from %s on, each of %s, are refused', (from, step, offset, message) => {
    expect(() => layGrid({ from: at(from) }, step, offset, now)).toThrow(message)
  })
})
