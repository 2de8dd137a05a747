import { type ComponentChildren, createContext } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { isAborted } from '../api.ts'
import { explain } from './failure.ts'
import { toast } from './toasts.tsx'

/** Whether the form around is being sent; its button waits for it. */
export const IsSending = createContext(false)

/** A form that is sent once, however often and by whatever key that is asked for, and says its failure by itself. */
export function Form(props: {
  class?: string
  label?: string
  onSubmit: () => Promise<unknown>
  children: ComponentChildren
}) {
  const [isSending, setSending] = useState(false)
  // The state is that of the last drawing, and two keys may come between two of them.
  const isUnderWay = useRef(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isUnderWay.current) return
    isUnderWay.current = true
    setSending(true)
    try {
      await props.onSubmit()
    } catch (error) {
      if (!isAborted(error)) toast({ kind: 'bad', text: explain(error) })
    } finally {
      isUnderWay.current = false
      setSending(false)
    }
  }
  return (
    <form class={props.class} aria-label={props.label} onSubmit={submit}>
      <IsSending.Provider value={isSending}>{props.children}</IsSending.Provider>
    </form>
  )
}
