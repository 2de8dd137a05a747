import { getKnowledgeDocumentVersionFile } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { explain } from '../../../ui/failure.ts'
import { toast } from '../../../ui/toasts.tsx'
import { say } from '../words.ts'

/** The file that a version was read from, to be saved. */
export function OriginalFile({ docId, version, name }: { docId: string; version: string; name: string }) {
  const save = async () => {
    try {
      const file = await getKnowledgeDocumentVersionFile(desk, { path: { doc_id: docId, version } })
      const link = document.createElement('a')
      link.href = URL.createObjectURL(file)
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
    } catch (error) {
      toast({ kind: 'bad', text: explain(error) })
    }
  }
  return (
    <button type="button" class="link" title={say('saveFile')} onClick={save}>
      {name}
    </button>
  )
}
