import { useRef } from 'preact/hooks'
import { registerKnowledgeDocument } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { go, to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ofInput } from '../upload/files.ts'
import { say } from '../words.ts'
import type { LoadedDocument } from './load-document.ts'
import { loadVersion, takesFiles } from './new-version.ts'
import { serveVersion } from './serve-version.ts'
import { archiveWithUndo, deleteWithUndo } from './take-out.ts'

/** What can be done with the whole document. */
export function DocumentActions({ loaded, onChange }: { loaded: LoadedDocument; onChange: () => Promise<void> }) {
  const { document, active, versions } = loaded
  const { doc_id } = document
  const input = useRef<HTMLInputElement>(null)
  if (!may('knowledge')) return null
  const latest = versions.find(({ chunk_count, status }) => chunk_count > 0 && status !== 'canary')
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
        <Button
          kind="ghost"
          onPress={async () => {
            await deleteWithUndo(document)
            go(to('knowledge'))
          }}
        >
          {say('delete')}
        </Button>
      )}
      {document.status === 'active' && (
        <Button kind="ghost" title={say('archiveWhy')} onPress={() => archiveWithUndo(document)}>
          {say('archive')}
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
          <Button onPress={() => input.current?.click()}>{say('newVersion')}</Button>
        </>
      )}
      {!active && latest && (
        <Button kind="primary" onPress={() => serveVersion(doc_id, latest.version)}>
          {say('serveVersion', { version: latest.version })}
        </Button>
      )}
    </>
  )
}
