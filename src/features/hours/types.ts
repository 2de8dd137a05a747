export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** Minutes from midnight on, the end not included; 1440 is midnight at its end. */
export interface Interval {
  from: number
  to: number
}

/** When people are there, by the clocks of one time zone. */
export interface Hours {
  /** IANA name, such as `Asia/Shanghai`. */
  timezone: string
  /** In order, none overlapping; a day that is not named is closed. */
  weekly: Partial<Record<Weekday, Interval[]>>
  /** Days that differ, by their dates as `YYYY-MM-DD`; without intervals closed. */
  holidays: { date: string; intervals: Interval[] }[]
  /** Words for customers who call a person outside the hours; `{back}` is when people are back. Empty: our own. */
  messages: { zh: string; en: string }
}

/** The state of things at a moment. */
export interface HoursState {
  isOpen: boolean
  /** When it closes; null: it is closed, or open for as long as can be seen. */
  closesAt: Date | null
  /** When it opens; null: it is open, or closed for as long as can be seen. */
  opensAt: Date | null
  /** Since when it is open; null: it is closed. */
  openSince: Date | null
}
