import type { ComponentChildren } from 'preact'
import { useContext, useRef, useState } from 'preact/hooks'
import { isAborted } from '../api.ts'
import { explain } from './failure.ts'
import { IsSending } from './form.tsx'
import { toast } from './toasts.tsx'

export interface ButtonProps {
  /** `primary`: the one thing to do here; `ghost`: without a border, among others. */
  kind?: 'primary' | 'plain' | 'ghost' | 'danger'
  isSmall?: boolean
  /** While a promise is open the button is busy; its failure is said. */
  onPress?: () => unknown
  disabled?: boolean | undefined
  /** Shown on hover, and read aloud in place of the text where `label` is not given. */
  title?: string | undefined
  /** Name for a button that shows a sign alone. */
  label?: string | undefined
  /** Key that does the same. */
  hotkey?: string | undefined
  type?: 'button' | 'submit'
  isPressed?: boolean | undefined
  class?: string
  children?: ComponentChildren
}

/** A button that knows that its work is under way. */
export function Button({
  kind = 'plain',
  isSmall,
  onPress,
  type = 'button',
  label,
  hotkey,
  isPressed,
  ...rest
}: ButtonProps) {
  const [isOwnBusy, setBusy] = useState(false)
  // The state is that of the last drawing, and two presses may come between two of them.
  const isUnderWay = useRef(false)
  const isSending = useContext(IsSending) && type === 'submit'
  const isBusy = isOwnBusy || isSending
  const press = async (event: Event) => {
    if (!onPress || isUnderWay.current) return
    if (type === 'button') event.stopPropagation()
    const work = onPress()
    if (!(work instanceof Promise)) return
    isUnderWay.current = true
    setBusy(true)
    try {
      await work
    } catch (error) {
      if (!isAborted(error)) toast({ kind: 'bad', text: explain(error) })
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  return (
    <button
      type={type}
      class={`button ${kind} ${isSmall ? 'is-small' : ''} ${rest.class ?? ''}`}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy}
      aria-label={label}
      aria-pressed={isPressed}
      title={rest.title}
      onClick={press}
    >
      {rest.children}
      {hotkey && <kbd>{hotkey}</kbd>}
    </button>
  )
}
