import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatNumber } from '../../../../shared/words.ts'
import { useKeys } from '../../../shell/keys.ts'
import { go, place, to } from '../../../shell/router.ts'
import { may } from '../../../shell/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, Failed, Loading } from '../../../ui/states.tsx'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import { leaving } from '../document/take-out.ts'
import { UploadButtons } from '../upload/upload-buttons.tsx'
import { changes } from '../upload/uploads.ts'
import { say } from '../words.ts'
import { DocumentHead, DocumentRow } from './document-row.tsx'
import { Filters, filterOf, isNarrowed, type Stats, withoutFilters } from './filters.tsx'
import { useDocuments } from './use-documents.ts'

const ROW_HEIGHT = 36

/** Every document, however many there are. */
export function Documents({ stats }: { stats: Stats | undefined }) {
  const { query } = place.value
  const { items, total, error, reload, more } = useDocuments(filterOf(query))
  const chosen = useSignal(-1)
  useEffect(() => {
    if (changes.value > 0) void reload()
  }, [changes.value])
  const shown = (items.value ?? []).filter(({ doc_id }) => !leaving.value.has(doc_id))
  const move = (step: number) => {
    chosen.value = Math.max(0, Math.min(shown.length - 1, chosen.value + step))
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.document-row.is-chosen')?.focus())
  }
  useKeys({
    j: { label: say('next'), run: () => move(1) },
    k: { label: say('previous'), run: () => move(-1) },
    o: {
      label: say('open'),
      run: () => {
        const document = shown[chosen.value]
        if (document) go(to('knowledge', document.doc_id))
      },
    },
    '/': { label: say('search'), run: () => document.querySelector<HTMLElement>('.knowledge-filters input')?.focus() },
  })
  return (
    <>
      <Filters
        stats={stats}
        total={items.value && say('shown', { n: total.value, count: formatNumber(total.value) })}
      />
      {items.value === undefined &&
        (error.value ? <Failed error={error.value} onRetry={reload} /> : <Loading rows={12} />)}
      {items.value?.length === 0 && <Nothing isNarrowed={isNarrowed(query)} />}
      {shown.length > 0 && (
        <VirtualList
          head={<DocumentHead />}
          items={shown}
          rowHeight={ROW_HEIGHT}
          keyOf={({ doc_id }) => doc_id}
          label={say('documents')}
          chosen={chosen.value}
          onNearEnd={more}
          row={(document, index) => <DocumentRow document={document} isChosen={index === chosen.value} />}
        />
      )}
    </>
  )
}

function Nothing(props: { isNarrowed: boolean }) {
  if (props.isNarrowed) {
    return (
      <Empty title={say('noneMatch')}>
        <Button onPress={withoutFilters}>{say('allDocuments')}</Button>
      </Empty>
    )
  }
  return (
    <Empty title={say('empty')} text={say('emptyText')}>
      {may('knowledge') && <UploadButtons />}
    </Empty>
  )
}
