import { rollbackKnowledgeDocument } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { toast } from '../../../ui/toasts.tsx'
import { changes } from '../upload/uploads.ts'
import { say } from '../words.ts'

/** Serves a version from now on; what was served before comes back by the undo. */
export async function serveVersion(docId: string, version: string): Promise<void> {
  const serve = async (target_version: string) => {
    const result = await rollbackKnowledgeDocument(desk, { path: { doc_id: docId }, body: { target_version } })
    changes.value++
    return result
  }
  const { previous_version: previous } = await serve(version)
  const undo = previous && previous !== version ? { undo: () => serve(previous) } : {}
  toast({ text: say('nowServed', { version }), ...undo })
}
