import { useEffect } from 'preact/hooks'
import { useKeys } from '../../../shell/keys.ts'
import { go, place, replace, to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Page } from '../../../ui/page.tsx'
import { type Resource, Shown, useResource } from '../../../ui/resource.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { DocumentState } from '../documents/document-row.tsx'
import { DropArea } from '../upload/drop-area.tsx'
import { UploadPanel } from '../upload/upload-panel.tsx'
import { changes } from '../upload/uploads.ts'
import { say } from '../words.ts'
import { Compare } from './compare.tsx'
import { DocumentActions } from './document-actions.tsx'
import { Facts } from './facts.tsx'
import { type LoadedDocument, loadDocument } from './load-document.ts'
import { loadVersion } from './new-version.ts'
import { Text } from './text.tsx'
import { Trial } from './trial.tsx'
import { Versions } from './versions.tsx'
import './document.css'

const TABS = ['text', 'versions', 'compare', 'trial'] as const
type TabName = (typeof TABS)[number]

/** One document: its text, its history, and what would change with another version. */
export function DocumentPage({ docId }: { docId: string }) {
  const resource = useResource(docId, (signal) => loadDocument(docId, signal))
  useEffect(() => {
    if (changes.value > 0) void resource.reload()
  }, [changes.value])
  useKeys({ Escape: { label: say('back'), run: () => go(to('knowledge')) } })
  return (
    <Shown of={resource}>{(loaded) => (loaded ? <Loaded loaded={loaded} resource={resource} /> : <Unknown />)}</Shown>
  )
}

function Unknown() {
  return (
    <Empty title={say('noDocument')}>
      <a class="button plain" href={to('knowledge')}>
        {say('allDocuments')}
      </a>
    </Empty>
  )
}

function Loaded({ loaded, resource }: { loaded: LoadedDocument; resource: Resource<LoadedDocument | null> }) {
  const { document, versions } = loaded
  const { query } = place.value
  const shown = TABS.filter((tab) => isThere(tab, loaded))
  const tab = shown.find((each) => each === query.tab) ?? 'text'
  const choose = (name: TabName) =>
    replace(to('knowledge', document.doc_id, { tab: name === 'text' ? undefined : name }))
  return (
    <DropArea onFiles={(files) => loadVersion(loaded, files)} text={say('dropVersion')}>
      <Page
        title={document.source}
        detail={<DocumentState document={document} />}
        actions={<DocumentActions loaded={loaded} onChange={resource.reload} />}
        bar={
          <>
            <a class="back" href={to('knowledge')}>
              ← {say('allDocuments')}
            </a>
            <Tabs
              label={document.source}
              tabs={shown.map((name) => ({
                name,
                text: say(`tab.${name}`),
                count: name === 'versions' ? versions.length : undefined,
              }))}
              chosen={tab}
              onChoose={choose}
              panel="panel"
            />
          </>
        }
        isFull
      >
        <div class="document">
          <div id="panel" role="tabpanel" aria-label={say(`tab.${tab}`)} tabIndex={0} class="document-main">
            {tab === 'text' && <Text loaded={loaded} />}
            {tab === 'versions' && <Versions loaded={loaded} onChange={resource.reload} />}
            {tab === 'compare' && <Compare loaded={loaded} onChange={resource.reload} />}
            {tab === 'trial' && <Trial loaded={loaded} onChange={resource.reload} />}
          </div>
          <Facts loaded={loaded} onChange={resource.reload} />
        </div>
        <UploadPanel />
      </Page>
    </DropArea>
  )
}

function isThere(tab: TabName, { versions, document, active }: LoadedDocument): boolean {
  if (tab === 'text') return true
  if (!document.registered) return false
  if (tab === 'compare') return versions.filter(({ chunk_count }) => chunk_count > 0).length > 1
  return tab !== 'trial' || (may('knowledge') && active !== undefined)
}
