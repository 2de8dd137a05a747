import { signal } from '@preact/signals'
import { formatAgo, formatTime } from '../../shared/words.ts'

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

/** Date and time. */
export function At({ at }: { at: string }) {
  return (
    <time dateTime={at} class="number">
      {formatTime(at)}
    </time>
  )
}
