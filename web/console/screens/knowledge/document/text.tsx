import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  type ListKnowledgeDocumentVersionChunks,
  listKnowledgeDocumentVersionChunks,
} from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import { place, replace, to } from '../../../shell/router.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/fields.tsx'
import { Shown, useResource } from '../../../ui/resource.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { say } from '../words.ts'
import type { LoadedDocument } from './load-document.ts'

type Page = ListKnowledgeDocumentVersionChunks['result']
type Passage = Page['items'][number]

/** A version as customers find it: passage by passage. */
export function Text({ loaded: { document, versions, active } }: { loaded: LoadedDocument }) {
  const version = place.value.query.version ?? (active ?? versions[0])?.version
  const { doc_id } = document
  if (!document.registered) return <Empty title={say('unregistered')} text={say('unregisteredWhy')} />
  if (version === undefined) return <Empty title={say('noText')} />
  return (
    <>
      {versions.length > 1 && (
        <div class="text-version">
          <Choice
            label={say('version')}
            value={version}
            options={versions.map((each) => ({
              value: each.version,
              text: `${each.version} · ${say(`version.${each.status}`)}`,
            }))}
            onChange={(value) =>
              replace(to('knowledge', doc_id, { version: value === active?.version ? undefined : value }))
            }
          />
        </div>
      )}
      <Passages docId={doc_id} version={version} />
    </>
  )
}

function Passages({ docId, version }: { docId: string; version: string }) {
  const ask = (signal?: AbortSignal, after?: number) =>
    listKnowledgeDocumentVersionChunks(desk, { path: { doc_id: docId, version }, query: { after, limit: 100 }, signal })
  const resource = useResource(`${docId} ${version}`, (signal) => ask(signal))
  const more = useSignal<readonly Page[]>([])
  useEffect(() => void (more.value = []), [docId, version])
  return (
    <Shown of={resource}>
      {(first) => {
        const pages = [first, ...more.value]
        const next = pages.at(-1)?.next_after ?? null
        if (first.items.length === 0) return <Empty title={say('noText')} text={say('noTextWhy')} />
        const items = pages.flatMap((page) => page.items)
        return (
          <>
            <ol class="passages" aria-label={say('passages')}>
              {items.map((passage, index) => (
                <PassageItem key={passage.chunk_id} passage={passage} before={items[index - 1]} />
              ))}
            </ol>
            {next !== null && (
              <Button onPress={async () => void (more.value = [...more.value, await ask(undefined, next)])}>
                {say('morePassages', { n: first.total - items.length })}
              </Button>
            )}
          </>
        )
      }}
    </Shown>
  )
}

function PassageItem({ passage, before }: { passage: Passage; before: Passage | undefined }) {
  const { ordinal, heading_path, question, content, page, kind } = passage
  const heading = heading_path.join(' › ')
  return (
    <li class="document-passage">
      <span class="passage-number second small number">{ordinal + 1}</span>
      <div class="stack">
        {heading !== '' && heading !== before?.heading_path.join(' › ') && <h2>{heading}</h2>}
        {question && <p class="passage-question">{question}</p>}
        <p class="pre">{content}</p>
      </div>
      <span class="passage-kind">
        {kind !== 'text' && <Tag>{say(`kind.${kind}`)}</Tag>}
        {page !== null && <span class="second small">{say('page', { page })}</span>}
      </span>
    </li>
  )
}
