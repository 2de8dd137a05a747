import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { deleteKnowledgeDocument, registerKnowledgeDocument } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { go, to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { ofInput } from '../upload/files.ts'
import { changes } from '../upload/uploads.ts'
import { say } from '../words.ts'
import type { LoadedDocument } from './load-document.ts'
import { loadVersion, takesFiles } from './new-version.ts'

/** What can be done with the whole document. */
export function DocumentActions({ loaded, onChange }: { loaded: LoadedDocument; onChange: () => Promise<void> }) {
  const { document, active } = loaded
  const { doc_id, source } = document
  const isDeleting = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  if (!may('knowledge')) return null
  return (
    <>
      {!document.registered && (
        <Button
          title={say('unregisteredWhy')}
          onPress={async () => {
            await registerKnowledgeDocument(desk, { path: { doc_id } })
            await onChange()
          }}
        >
          {say('register')}
        </Button>
      )}
      {document.status !== 'deleted' && (
        <Button kind="ghost" onPress={() => void (isDeleting.value = true)}>
          {say('delete')}
        </Button>
      )}
      {takesFiles(loaded) && (
        <>
          <input
            ref={input}
            type="file"
            hidden
            data-version
            onChange={(event) => {
              loadVersion(loaded, ofInput(event.currentTarget.files ?? []))
              event.currentTarget.value = ''
            }}
          />
          <Button kind={active ? 'plain' : 'primary'} onPress={() => input.current?.click()}>
            {say('newVersion')}
          </Button>
        </>
      )}
      {isDeleting.value && (
        <Confirm
          title={say('deleteTitle', { source })}
          text={say('deleteText')}
          action={say('delete')}
          onClose={() => (isDeleting.value = false)}
          onConfirm={async () => {
            await deleteKnowledgeDocument(desk, { path: { doc_id } })
            changes.value++
            go(to('knowledge'))
            toast({ text: say('deleted', { source }) })
          }}
        />
      )}
    </>
  )
}
