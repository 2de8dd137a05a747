import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { may } from '../../../shell/session.ts'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'
import { type ChosenFile, ofDrop } from './files.ts'
import { offered } from './offered.ts'

/** Takes files and folders that are dropped anywhere on it. */
export function DropArea({
  onFiles = (files) => (offered.value = files),
  text,
  children,
}: {
  onFiles?: (files: readonly ChosenFile[]) => void
  text?: string
  children: ComponentChildren
}) {
  const isOver = useSignal(false)
  const isFiles = (event: DragEvent) => may('knowledge') && event.dataTransfer?.types.includes('Files')
  const take = async (event: DragEvent) => {
    if (!isFiles(event) || !event.dataTransfer) return
    event.preventDefault()
    isOver.value = false
    const files = await ofDrop(event.dataTransfer)
    if (files.length === 0) toast({ kind: 'bad', text: say('noFiles') })
    else onFiles(files)
  }
  return (
    <div
      class="drop-area"
      onDragOver={(event) => {
        if (!isFiles(event)) return
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) isOver.value = false
      }}
      onDrop={take}
    >
      {children}
      {isOver.value && <p class="drop-hint">{text ?? say('dropHere')}</p>}
    </div>
  )
}
