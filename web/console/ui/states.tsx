import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { explain } from './failure.ts'
import { say } from './words.ts'

/** Anything quicker would only flicker. */
const QUIET_MS = 200

/** A place for what comes; nothing at all for the first moment. */
export function Loading({ rows = 6 }: { rows?: number }) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isLong) return null
  return (
    <div class="loading" role="status">
      <span class="unseen">{say('loading')}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton" aria-hidden="true" />
      ))}
    </div>
  )
}

/** Nothing is here: why, and the one thing to do about it. */
export function Empty({ title, text, children }: { title: string; text?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {text && <p class="second">{text}</p>}
      {children && <div class="row">{children}</div>}
    </div>
  )
}

/** Something could not be fetched: what the matter is, and another try. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: (() => unknown) | undefined }) {
  return (
    <div class="empty" role="alert">
      <h2>{say('failed')}</h2>
      <p class="second">{explain(error)}</p>
      {onRetry && (
        <Button kind="primary" onPress={onRetry}>
          {say('retry')}
        </Button>
      )}
    </div>
  )
}

/** Long work: how far it is, and a way to end it. Without `total` it only shows that something goes on. */
export function Progress(props: {
  label: string
  done?: number
  total?: number
  onCancel?: (() => unknown) | undefined
}) {
  const { label, done, total, onCancel } = props
  const text = total === undefined ? say('working') : say('progress', { done: done ?? 0, total })
  return (
    <div class="progress">
      <span class="row">
        <span class="grow">{label}</span>
        <span class="second number">{text}</span>
        {onCancel && (
          <Button isSmall onPress={onCancel}>
            {say('cancel')}
          </Button>
        )}
      </span>
      <progress aria-label={label} {...(total === undefined ? {} : { value: done ?? 0, max: Math.max(1, total) })} />
    </div>
  )
}
