import { signal } from '@preact/signals'
import {
  archiveKnowledgeDocument,
  deleteKnowledgeDocument,
  rollbackKnowledgeDocument,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { explain } from '../../../ui/failure.ts'
import { toast } from '../../../ui/toasts.tsx'
import type { ListedDocument } from '../names.ts'
import { changes } from '../upload/uploads.ts'
import { say } from '../words.ts'

type Taken = Pick<ListedDocument, 'doc_id' | 'source'>

/** Documents that are as good as deleted: lists leave them out. */
export const leaving = signal<ReadonlySet<string>>(new Set())
/** As long as the undo is offered, and a little more. */
const UNDO_MS = 13_000
const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Takes a document out of use. @returns brings it back */
async function archive(doc_id: string): Promise<() => Promise<void>> {
  const { previous_version: version } = await archiveKnowledgeDocument(desk, { path: { doc_id } })
  changes.value++
  return async () => {
    if (version === null) return
    await rollbackKnowledgeDocument(desk, { path: { doc_id }, body: { target_version: version } })
    changes.value++
  }
}

export async function archiveWithUndo({ doc_id, source }: Taken, onUndo?: () => void): Promise<void> {
  const bringBack = await archive(doc_id)
  toast({
    text: say('archived', { source }),
    undo: async () => {
      await bringBack()
      onUndo?.()
    },
  })
}

/**
 * Deletes a document. What is deleted cannot come back, so at first it is only archived, which nobody can tell apart, and
 * goes for good when the undo has passed or the page is left.
 */
export async function deleteWithUndo({ doc_id, source }: Taken): Promise<void> {
  const bringBack = await archive(doc_id)
  setLeaving(doc_id, true)
  timers.set(
    doc_id,
    setTimeout(() => void deleteNow(doc_id), UNDO_MS),
  )
  toast({
    text: say('deleted', { source }),
    undo: async () => {
      clearTimeout(timers.get(doc_id))
      timers.delete(doc_id)
      await bringBack()
      setLeaving(doc_id, false)
    },
  })
}

async function deleteNow(doc_id: string): Promise<void> {
  timers.delete(doc_id)
  try {
    await deleteKnowledgeDocument(desk, { path: { doc_id } })
  } catch (error) {
    toast({ kind: 'bad', text: explain(error) })
  }
  setLeaving(doc_id, false)
  changes.value++
}

function setLeaving(doc_id: string, isLeaving: boolean): void {
  const next = new Set(leaving.value)
  if (isLeaving) next.add(doc_id)
  else next.delete(doc_id)
  leaving.value = next
}

addEventListener('pagehide', () => {
  for (const doc_id of timers.keys()) {
    // Sent after the page is gone, which the client's own requests are not.
    void fetch(`/api/v1/knowledge/documents/${encodeURIComponent(doc_id)}`, { method: 'DELETE', keepalive: true })
  }
})
