import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { say } from './words.ts'

export interface DialogProps {
  title: string
  onClose: () => void
  /** Without a heading of its own; the title is read aloud only. */
  isPlain?: boolean
  isWide?: boolean
  children: ComponentChildren
}

/** Something in front of everything; Escape, its cross and a click beside it close it. The focus returns by itself. */
export function Dialog({ title, onClose, isPlain, isWide, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class={`dialog ${isWide ? 'is-wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="dialog-content">
        <header class={isPlain ? 'unseen' : 'dialog-header'}>
          <h1 id={id} class="grow">
            {title}
          </h1>
          {!isPlain && (
            <Button kind="ghost" label={say('close')} onPress={onClose}>
              ×
            </Button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** Asks before what cannot be taken back. */
export function Confirm(props: {
  title: string
  text: string
  action: string
  onConfirm: () => unknown
  onClose: () => void
}) {
  const { title, text, action, onConfirm, onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <footer class="dialog-footer">
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button
          kind="danger"
          onPress={async () => {
            await onConfirm()
            onClose()
          }}
        >
          {action}
        </Button>
      </footer>
    </Dialog>
  )
}
