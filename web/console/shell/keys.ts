import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { hasLetterKeys } from './preferences.ts'

export interface KeyBinding {
  /** Says in the list of keys what it does. */
  label: string
  run: () => void
  /** Also while a text is written. */
  inText?: boolean
}
/** By key: `j`, `?`, `Escape`, `mod+k` (Ctrl, or Command on a Mac). */
export type KeyBindings = Readonly<Record<string, KeyBinding>>

/** Those that are in force, the latest last. */
export const bindings = signal<readonly KeyBindings[]>([])

/** Has keys do something for as long as the component is shown; a later component's come first. */
export function useKeys(keys: KeyBindings): void {
  const latest = useRef(keys)
  latest.current = keys
  const names = Object.keys(keys).join(' ')
  // Before it is painted: a key pressed at once by somebody who sees the component must not be lost.
  useLayoutEffect(() => {
    const mine: Record<string, KeyBinding> = {}
    for (const name of names.split(' ').filter(Boolean)) {
      mine[name] = {
        get label() {
          return latest.current[name]?.label ?? ''
        },
        get inText() {
          return latest.current[name]?.inText ?? false
        },
        run: () => latest.current[name]?.run(),
      }
    }
    bindings.value = [...bindings.value, mine]
    return () => {
      bindings.value = bindings.value.filter((each) => each !== mine)
    }
  }, [names])
}

/** Listens for all of them. @returns stops it */
export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    // Chinese and Japanese are written with keys that are not meant for the page.
    if (event.isComposing || event.defaultPrevented || event.altKey) return
    const name = nameOf(event)
    const binding = bindings.value.findLast((each) => name in each)?.[name]
    if (!binding || !isAllowed(event, name, binding)) return
    event.preventDefault()
    binding.run()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

function nameOf({ key, ctrlKey, metaKey }: KeyboardEvent): string {
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key
}

function isAllowed({ target }: KeyboardEvent, name: string, { inText }: KeyBinding): boolean {
  if (document.querySelector('dialog[open]') && !inText) return false
  const isText =
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]')
  if (isText && !inText) return false
  return name.length > 1 || hasLetterKeys.value
}
