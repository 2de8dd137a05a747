import { signal } from '@preact/signals'

export type Language = 'zh' | 'en'

/** The language of everything on the screen. */
export const language = signal<Language>(/^zh/i.test(navigator.language) ? 'zh' : 'en')

export type Values = Readonly<Record<string, string | number>>

/**
 * Texts in both languages. `{name}` is replaced by the value of that name; `one|many` chooses by the value `n`.
 * @returns gives a text in the language that is chosen; a component that calls it is drawn again when that changes
 */
export function dictionary<const K extends string>(en: Record<K, string>, zh: Record<NoInfer<K>, string>) {
  return (key: K, values?: Values): string => {
    const text = (language.value === 'zh' ? zh : en)[key] ?? key
    return values ? fillIn(text, values) : text
  }
}

function fillIn(text: string, values: Values): string {
  const [one = '', many = one] = text.split('|')
  const chosen = values.n === undefined ? text : values.n === 1 ? one : many
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => format(values[name]) ?? whole)
}

function format(value: string | number | undefined): string | undefined {
  return typeof value === 'number' ? formatNumber(value) : value
}

const LOCALES = { zh: 'zh-CN', en: 'en-GB' } as const

/** A number as the language writes it. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(LOCALES[language.value], options).format(value)
}

/** .873 as 87.3 %. */
export function formatShare(value: number, digits = 0): string {
  return formatNumber(value, { style: 'percent', maximumFractionDigits: digits })
}

/** Bytes as kB, MB or GB. */
export function formatBytes(bytes: number): string {
  const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte']
  const step = Math.min(steps.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const unit = steps[step] ?? 'byte'
  return formatNumber(bytes / 1000 ** step, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 })
}

/** Date and time of an ISO 8601 text, to the minute. */
export function formatTime(iso: string, options: Intl.DateTimeFormatOptions = {}): string {
  const form: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' }
  return new Intl.DateTimeFormat(LOCALES[language.value], Object.keys(options).length > 0 ? options : form).format(
    new Date(iso),
  )
}

const AGO: readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]

/** How long ago something was, or in how long it will be: "5 min ago". */
export function formatAgo(iso: string, now: number): string {
  const seconds = (new Date(iso).getTime() - now) / 1000
  const relative = new Intl.RelativeTimeFormat(LOCALES[language.value], { numeric: 'auto', style: 'short' })
  for (const [size, unit] of AGO)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  return JUST_NOW[language.value]
}

/** Of today the time of day, of this year the day with it, else the date. */
export function formatWhen(iso: string, now: number): string {
  const at = new Date(iso)
  const today = new Date(now)
  const time = { hour: '2-digit', minute: '2-digit' } as const
  if (at.toDateString() === today.toDateString()) return formatTime(iso, time)
  if (at.getFullYear() === today.getFullYear()) return formatTime(iso, { month: 'short', day: 'numeric', ...time })
  return formatTime(iso, { dateStyle: 'medium' })
}

const JUST_NOW = { zh: '刚刚', en: 'just now' } as const

/** 3725 seconds as "1 h 2 min"; below a minute as seconds. */
export function formatDuration(seconds: number): string {
  const parts: [number, string][] =
    seconds >= 86_400
      ? [
          [seconds / 86_400, 'day'],
          [(seconds % 86_400) / 3_600, 'hour'],
        ]
      : seconds >= 3_600
        ? [
            [seconds / 3_600, 'hour'],
            [(seconds % 3_600) / 60, 'minute'],
          ]
        : seconds >= 60
          ? [[seconds / 60, 'minute']]
          : [[seconds, 'second']]
  return parts
    .map(([value, unit]) => [Math.trunc(value), unit] as const)
    .filter(([value], index) => index === 0 || value > 0)
    .map(([value, unit]) => formatNumber(value, { style: 'unit', unit, unitDisplay: 'short' }))
    .join(' ')
}
