import { useEffect } from 'preact/hooks'
import { to } from '../../../shell/router.ts'
import { Tag } from '../../../ui/tag.tsx'
import { When } from '../../../ui/time.tsx'
import { categoryName, type ListedDocument, languageName, typeName } from '../names.ts'
import { say } from '../words.ts'

/** Names of the columns, above the rows. */
export function DocumentHead() {
  return (
    <div class="document-row document-head" aria-hidden="true">
      <span>{say('source')}</span>
      <span>{say('type')}</span>
      <span>{say('category')}</span>
      <span>{say('language')}</span>
      <span class="number">{say('version')}</span>
      <span class="number">{say('passages')}</span>
      <span>{say('state')}</span>
      <span>{say('changed')}</span>
    </div>
  )
}

export function DocumentRow({ document, isChosen }: { document: ListedDocument; isChosen: boolean }) {
  const { doc_id, source, knowledge_type, product_category, current_version, chunk_count, updated_at, language } =
    document
  return (
    <a class={`document-row ${isChosen ? 'is-chosen' : ''}`} href={to('knowledge', doc_id)}>
      <span class="clip document-name" title={source}>
        {source}
      </span>
      <span class="clip second">{typeName(knowledge_type)}</span>
      <span class="clip second">{categoryName(product_category) || '–'}</span>
      <span class="clip second">{languageName(language) || '–'}</span>
      <span class="number second">{current_version ?? '–'}</span>
      <span class="number">{chunk_count}</span>
      <span>
        <DocumentState document={document} />
      </span>
      <span class="second">
        <When at={updated_at} />
      </span>
    </a>
  )
}

/** Rows that somebody only scrolls past are not asked for. */
const PASSING_MS = 80

/** The place of a document that is on its way. */
export function PendingRow({ index, onShown }: { index: number; onShown: (index: number) => void }) {
  useEffect(() => {
    const timer = setTimeout(() => onShown(index), PASSING_MS)
    return () => clearTimeout(timer)
  }, [index])
  return (
    <div class="document-row" aria-hidden="true">
      <span class="skeleton" />
    </div>
  )
}

/** Only what is out of the ordinary: most documents are served to everybody. */
export function DocumentState({ document: { status, audience, registered } }: { document: ListedDocument }) {
  return (
    <>
      {status !== 'active' && <Tag tone="plain">{say(`status.${status}`)}</Tag>}
      {audience === 'staff' && <Tag tone="warn">{say('staffOnly')}</Tag>}
      {!registered && <Tag title={say('unregisteredWhy')}>{say('unregistered')}</Tag>}
    </>
  )
}
