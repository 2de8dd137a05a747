import { describe, expect, it } from 'vitest'
import { dayAt, momentOf } from './clock.ts'
import { closedText } from './phrases.ts'
import { stateAt } from './state.ts'
import type { Hours, Interval } from './types.ts'

const NINE_TO_SIX: Interval[] = [{ from: 540, to: 1_080 }]
const office = (timezone: string, holidays: Hours['holidays'] = []): Hours => ({
  timezone,
  weekly: { mon: NINE_TO_SIX, tue: NINE_TO_SIX, wed: NINE_TO_SIX, thu: NINE_TO_SIX, fri: NINE_TO_SIX },
  holidays,
  messages: { zh: '', en: '' },
})
const at = (text: string) => Date.parse(text)

describe('clocks', () => {
  it('know the day of a zone', () => {
    expect(dayAt(at('2026-03-01T20:00:00Z'), 'Asia/Shanghai')).toEqual({ date: '2026-03-02', weekday: 0 })
    expect(dayAt(at('2026-03-01T04:00:00Z'), 'America/New_York')).toEqual({ date: '2026-02-28', weekday: 5 })
  })

  it.each([
    ['2026-03-28', 540, 'Europe/Berlin', '2026-03-28T08:00:00Z'],
    // The night in which clocks go forward: 02:30 is skipped.
    ['2026-03-29', 540, 'Europe/Berlin', '2026-03-29T07:00:00Z'],
    ['2026-03-29', 150, 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    // The night in which they go back: 02:30 is shown twice.
    ['2026-10-25', 150, 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    ['2026-10-25', 540, 'Europe/Berlin', '2026-10-25T08:00:00Z'],
    ['2026-01-05', 0, 'Pacific/Kiritimati', '2026-01-04T10:00:00Z'],
    ['2026-01-05', 1_440, 'Asia/Kathmandu', '2026-01-05T18:15:00Z'],
  ])('show %s and %i minutes in %s %s at %s', (date, minutes, timezone, expected) => {
    expect(new Date(momentOf({ date, weekday: 0 }, minutes, timezone)).toISOString()).toBe(
      expected.replace('Z', '.000Z'),
    )
  })
})

describe('hours', () => {
  it('are open and closed by the clocks of their zone', () => {
    const hours = office('Asia/Shanghai')
    expect(stateAt(hours, at('2026-01-05T00:59:59Z'))).toMatchObject({
      isOpen: false,
      opensAt: new Date('2026-01-05T01:00:00Z'),
    })
    expect(stateAt(hours, at('2026-01-05T01:00:00Z'))).toEqual({
      isOpen: true,
      openSince: new Date('2026-01-05T01:00:00Z'),
      closesAt: new Date('2026-01-05T10:00:00Z'),
      opensAt: null,
    })
    expect(stateAt(hours, at('2026-01-09T10:00:00Z'))).toMatchObject({
      isOpen: false,
      opensAt: new Date('2026-01-12T01:00:00Z'),
    })
  })

  it('leave out holidays, and open on them where it says so', () => {
    const holidays = [
      { date: '2026-01-05', intervals: [] },
      { date: '2026-01-06', intervals: [{ from: 600, to: 720 }] },
    ]
    expect(stateAt(office('UTC', holidays), at('2026-01-05T12:00:00Z'))).toMatchObject({
      isOpen: false,
      opensAt: new Date('2026-01-06T10:00:00Z'),
    })
  })

  it('go on over midnight, and for ever', () => {
    const all = [{ from: 0, to: 1_440 }]
    const night: Hours = {
      ...office('UTC'),
      weekly: { mon: [{ from: 1_320, to: 1_440 }], tue: [{ from: 0, to: 360 }] },
    }
    expect(stateAt(night, at('2026-01-05T23:00:00Z'))).toMatchObject({
      isOpen: true,
      closesAt: new Date('2026-01-06T06:00:00Z'),
    })
    expect(stateAt(night, at('2026-01-06T05:00:00Z')).openSince).toEqual(new Date('2026-01-05T22:00:00Z'))
    const ever: Hours = { ...night, weekly: { mon: all, tue: all, wed: all, thu: all, fri: all, sat: all, sun: all } }
    expect(stateAt(ever, at('2026-01-06T05:00:00Z'))).toMatchObject({ isOpen: true, closesAt: null })
    expect(stateAt({ ...night, weekly: {} }, at('2026-01-06T05:00:00Z'))).toMatchObject({
      isOpen: false,
      opensAt: null,
    })
  })
})

describe('words outside the hours', () => {
  it('say when people are back', () => {
    const back = new Date('2026-01-05T01:00:00Z')
    const about = { message: '', back, timezone: 'Asia/Shanghai' }
    expect(closedText('en', about)).toContain('people are back on Monday 5 January, 09:00 and')
    expect(closedText('zh', about)).toContain('同事1月5日星期一 09:00上班后')
    expect(closedText('en', { ...about, message: 'Back {back}!' })).toBe('Back on Monday 5 January, 09:00!')
    expect(closedText('en', { ...about, back: null })).toContain('people are back later')
  })
})
