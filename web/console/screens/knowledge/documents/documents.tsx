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
import { DocumentHead, DocumentRow, PendingRow } from './document-row.tsx'
import { Filters, filterOf, isNarrowed, type Stats, withoutFilters } from './filters.tsx'
import { useDocuments } from './use-documents.ts'

const ROW_HEIGHT = 36

/** Every document, however many there are. */
export function Documents({ stats }: { stats: Stats | undefined }) {
  const { query } = place.value
  const { slots, error, reload, want } = useDocuments(filterOf(query))
  const chosen = useSignal(-1)
  useEffect(() => {
    if (changes.value > 0) void reload()
  }, [changes.value])
  const shown = (slots.value ?? []).filter((slot) => typeof slot === 'number' || !leaving.value.has(slot.doc_id))
  const total = slots.value?.length
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
        if (typeof document === 'object') go(to('knowledge', document.doc_id))
      },
    },
    '/': { label: say('search'), run: () => document.querySelector<HTMLElement>('.knowledge-filters input')?.focus() },
  })
  return (
    <>
      <Filters
        stats={stats}
        total={total === undefined ? undefined : say('shown', { n: total, count: formatNumber(total) })}
      />
      {total === undefined && !error.value && <Loading rows={12} />}
      {error.value !== null && <Failed error={error.value} onRetry={reload} />}
      {total === 0 && <Nothing isNarrowed={isNarrowed(query)} />}
      {shown.length > 0 && (
        <VirtualList
          head={<DocumentHead />}
          items={shown}
          rowHeight={ROW_HEIGHT}
          keyOf={(slot) => (typeof slot === 'number' ? String(slot) : slot.doc_id)}
          label={say('documents')}
          chosen={chosen.value}
          row={(slot, index) =>
            typeof slot === 'number' ? (
              <PendingRow index={slot} onShown={want} />
            ) : (
              <DocumentRow document={slot} isChosen={index === chosen.value} />
            )
          }
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
