import { signal } from '@preact/signals'
import { explain } from './failure.ts'
import { say } from './words.ts'

export interface Toast {
  text: string
  kind?: 'good' | 'bad'
  /** Takes back what was done. */
  undo?: (() => Promise<unknown>) | undefined
  /** A link to where it can be seen. */
  link?: { text: string; address: string }
}

interface Shown extends Toast {
  id: number
}

const SHOWN_MS = 6_000
/** Long enough to read what happened and decide. */
const WITH_UNDO_MS = 12_000

const SHOWN_AT_ONCE = 3

const shown = signal<readonly Shown[]>([])
let latest = 0

/** Says what happened, without being in the way. */
export function toast(what: Toast): void {
  const id = ++latest
  // The latest says it; the same thing twice would only be in the way.
  const others = shown.value.filter(({ text }) => text !== what.text)
  shown.value = [...others.slice(1 - SHOWN_AT_ONCE), { ...what, id }]
  setTimeout(() => dismiss(id), what.undo ? WITH_UNDO_MS : SHOWN_MS)
}

function dismiss(id: number): void {
  shown.value = shown.value.filter((each) => each.id !== id)
}

async function undo({ id, undo: takeBack }: Shown): Promise<void> {
  dismiss(id)
  try {
    await takeBack?.()
    toast({ text: say('undone') })
  } catch (error) {
    toast({ kind: 'bad', text: explain(error) })
  }
}

/** Where they are shown, and read aloud. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map((each) => (
        <div key={each.id} class={`toast ${each.kind ?? 'good'}`}>
          <span class="grow">{each.text}</span>
          {each.link && <a href={each.link.address}>{each.link.text}</a>}
          {each.undo && (
            <button type="button" class="button plain is-small" onClick={() => void undo(each)}>
              {say('undo')}
            </button>
          )}
          <button
            type="button"
            class="button ghost is-small"
            aria-label={say('close')}
            onClick={() => dismiss(each.id)}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
