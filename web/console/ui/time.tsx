import { signal } from '@preact/signals'
import { formatAgo, formatTime, formatWhen } from '../../shared/words.ts'

/** The time of day for all that says how long ago something was; one clock for the page. */
export const now = signal(Date.now())
setInterval(() => (now.value = Date.now()), 15_000)

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatTime(at)} class="number">
      {formatAgo(at, now.value)}
    </time>
  )
}

/** When, as short as it can be: of today the time of day alone. Where many things happened together it tells them apart. */
export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${formatTime(at, EXACT)} (${formatAgo(at, now.value)})`} class="number">
      {formatWhen(at, now.value)}
    </time>
  )
}

const EXACT = { dateStyle: 'medium', timeStyle: 'medium' } as const

/** Date and time. */
export function At({ at }: { at: string }) {
  return (
    <time dateTime={at} class="number">
      {formatTime(at)}
    </time>
  )
}
