import type { ComponentChildren } from 'preact'

export interface Tab<T extends string> {
  name: T
  text: string
  count?: number | undefined
}

/** Views of the same thing, one at a time; arrows move among them. What they show carries the id `panel`. */
export function Tabs<T extends string>(props: {
  label: string
  tabs: readonly Tab<T>[]
  chosen: T
  onChoose: (name: T) => void
  panel?: string
  children?: ComponentChildren
}) {
  const { label, tabs, chosen, onChoose, panel } = props
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = tabs.findIndex(({ name }) => name === chosen)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (!next) return
    onChoose(next.name)
    const { currentTarget } = event
    queueMicrotask(() =>
      (currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus(),
    )
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ name, text, count }) => (
        <button
          key={name}
          type="button"
          role="tab"
          data-tab={name}
          aria-selected={name === chosen}
          aria-controls={panel}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {text}
          {count !== undefined && <span class="second number"> {count}</span>}
        </button>
      ))}
    </div>
  )
}
