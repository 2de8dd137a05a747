import { useEffect, useState } from 'preact/hooks'
import { place, replace, to } from '../../../shell/router.ts'
import { Choice, TextField } from '../../../ui/fields.tsx'
import { KNOWLEDGE_TYPES } from '../names.ts'
import { say } from '../words.ts'
import type { Filter } from './use-documents.ts'

const STATUSES = ['active', 'deleted', 'all', 'unregistered'] as const
const AUDIENCES = ['', 'customers', 'staff'] as const
const SORTS = ['updated_at', 'created_at', 'source', 'chunk_count'] as const
const TYPING_MS = 200

type Query = Readonly<Record<string, string>>

/** The filter that an address says; unknown words of it are left out. */
export function filterOf(query: Query): Filter {
  const status = STATUSES.find((each) => each === query.status) ?? 'active'
  const type = KNOWLEDGE_TYPES.find((each) => each === query.type)
  const audience = AUDIENCES.find((each) => each !== '' && each === query.audience)
  return {
    ...(query.q ? { q: query.q } : {}),
    ...(status === 'active' || status === 'deleted' ? { status } : {}),
    ...(status === 'unregistered' ? { registered: false } : {}),
    ...(type ? { knowledge_type: type } : {}),
    ...(audience ? { audience } : {}),
    sort: SORTS.find((each) => each === query.sort) ?? 'updated_at',
  }
}

export function isNarrowed({ q, status, type, audience }: Query): boolean {
  return Boolean(q || status || type || audience)
}

export function withoutFilters(): void {
  replace(to('knowledge', { sort: place.value.query.sort }))
}

/** What the list is narrowed to; all of it stands in the address. */
export function Filters({ total }: { total: string | undefined }) {
  const { query } = place.value
  const set = (name: string, value: string) =>
    replace(to('knowledge', { ...query, [name]: value || undefined } as Record<string, string>))
  return (
    <search class="knowledge-filters" aria-label={say('filters')}>
      <Search value={query.q ?? ''} onChange={(q) => set('q', q)} />
      <Choice
        label={say('state')}
        isBare
        value={STATUSES.find((each) => each === query.status) ?? 'active'}
        options={STATUSES.map((value) => ({ value, text: say(`status.${value}`) }))}
        onChange={(value) => set('status', value === 'active' ? '' : value)}
      />
      <Choice
        label={say('type')}
        isBare
        value={query.type ?? ''}
        options={[
          { value: '', text: say('anyType') },
          ...KNOWLEDGE_TYPES.map((value) => ({ value, text: say(`type.${value}`) })),
        ]}
        onChange={(value) => set('type', value)}
      />
      <Choice
        label={say('audience')}
        isBare
        value={query.audience ?? ''}
        options={AUDIENCES.map((value) => ({
          value: value as string,
          text: say(value === '' ? 'anyAudience' : `audience.${value}`),
        }))}
        onChange={(value) => set('audience', value)}
      />
      <span class="grow" />
      <span class="second dense number" role="status">
        {total}
      </span>
      <Choice
        label={say('order')}
        isBare
        value={SORTS.find((each) => each === query.sort) ?? 'updated_at'}
        options={SORTS.map((value) => ({ value, text: say(`sort.${value}`) }))}
        onChange={(value) => set('sort', value === 'updated_at' ? '' : value)}
      />
    </search>
  )
}

/** Asks a moment after the last letter. */
function Search({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextField
      label={say('search')}
      isBare
      type="search"
      value={text}
      placeholder={say('searchHint')}
      onInput={setText}
    />
  )
}
