import { useEffect } from 'preact/hooks'
import { type GetKnowledgeStats, getKnowledgeStats } from '../../../../clients/typescript/src/index.ts'
import { formatBytes } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { place, replace, to } from '../../shell/router.ts'
import { may } from '../../shell/session.ts'
import { Page } from '../../ui/page.tsx'
import { useResource } from '../../ui/resource.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Documents } from './documents/documents.tsx'
import { Quality } from './quality/quality.tsx'
import { Sources } from './sources/sources.tsx'
import { DropArea } from './upload/drop-area.tsx'
import { UploadButtons } from './upload/upload-buttons.tsx'
import { UploadDialog } from './upload/upload-dialog.tsx'
import { UploadPanel } from './upload/upload-panel.tsx'
import { changes } from './upload/uploads.ts'
import { say } from './words.ts'

const VIEWS = ['documents', 'quality', 'sources'] as const
type View = (typeof VIEWS)[number]

/** The whole knowledge base: its documents, how good they are, and where they come from. */
export function Library() {
  const view = VIEWS.find((each) => each === place.value.query.view) ?? 'documents'
  const stats = useResource('stats', (signal) => getKnowledgeStats(desk, { signal }))
  useEffect(() => {
    if (changes.value > 0) void stats.reload()
  }, [changes.value])
  return (
    <DropArea>
      <Page
        title={say('knowledge')}
        detail={stats.data.value && summaryOf(stats.data.value)}
        actions={may('knowledge') && <UploadButtons />}
        bar={
          <Tabs
            label={say('views')}
            tabs={VIEWS.map((name) => ({ name, text: say(`view.${name}`) }))}
            chosen={view}
            onChoose={(name: View) => replace(to('knowledge', { view: name === 'documents' ? '' : name }))}
            panel="panel"
          />
        }
        isFull
      >
        <div id="panel" role="tabpanel" class="knowledge-panel" aria-label={say(`view.${view}`)}>
          {view === 'documents' && <Documents stats={stats.data.value} />}
          {view === 'quality' && <Quality />}
          {view === 'sources' && <Sources />}
        </div>
        <UploadPanel />
      </Page>
      <UploadDialog />
    </DropArea>
  )
}

function summaryOf({ total_documents, total_chunks, original_bytes, rebuild }: GetKnowledgeStats['result']): string {
  const parts = [
    say('documentCount', { n: total_documents }),
    say('passageCount', { n: total_chunks }),
    ...(original_bytes > 0 ? [say('files', { size: formatBytes(original_bytes) })] : []),
    ...(rebuild ? [say('rebuilding', { done: rebuild.done, total: rebuild.total })] : []),
  ]
  return parts.join(' · ')
}
