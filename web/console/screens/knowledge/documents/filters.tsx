import { useEffect, useState } from 'preact/hooks'
import type { GetKnowledgeStats } from '../../../../../clients/typescript/src/index.ts'
import { place, replace, to } from '../../../shell/router.ts'
import { Choice, TextField } from '../../../ui/fields.tsx'
import { categoryName, KNOWLEDGE_TYPES, languageName } from '../names.ts'
import { say } from '../words.ts'
import type { Filter } from './use-documents.ts'

const STATUSES = ['active', 'archived', 'deleted', 'all', 'unregistered'] as const
const AUDIENCES = ['', 'customers', 'staff'] as const
const SORTS = ['updated_at', 'created_at', 'source', 'chunk_count'] as const
const TYPING_MS = 200

type Query = Readonly<Record<string, string>>
export type Stats = GetKnowledgeStats['result']

/** The filter that an address says; unknown words of it are left out. */
export function filterOf(query: Query): Filter {
  const status = STATUSES.find((each) => each === query.status) ?? 'active'
  const type = KNOWLEDGE_TYPES.find((each) => each === query.type)
  const audience = AUDIENCES.find((each) => each !== '' && each === query.audience)
  return {
    ...(query.q ? { q: query.q } : {}),
    ...(status === 'active' || status === 'archived' || status === 'deleted' ? { status } : {}),
    ...(status === 'unregistered' ? { registered: false } : {}),
    ...(type ? { knowledge_type: type } : {}),
    ...(audience ? { audience } : {}),
    ...(query.category ? { product_category: query.category } : {}),
    ...(/^[a-z]{2}$/.test(query.language ?? '') ? { language: query.language } : {}),
    sort: SORTS.find((each) => each === query.sort) ?? 'updated_at',
  }
}

export function isNarrowed({ q, status, type, audience, category, language }: Query): boolean {
  return Boolean(q || status || type || audience || category || language)
}

export function withoutFilters(): void {
  replace(to('knowledge', { sort: place.value.query.sort }))
}

/** What the list is narrowed to; all of it stands in the address. */
export function Filters({ stats, total }: { stats: Stats | undefined; total: string | undefined }) {
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
      <KindChoice
        label={say('category')}
        any={say('anyCategory')}
        kinds={stats?.categories}
        nameOf={(name) => categoryName(name) || say('noCategory')}
        value={query.category ?? ''}
        onChange={(value) => set('category', value)}
      />
      <KindChoice
        label={say('language')}
        any={say('anyLanguage')}
        kinds={stats?.languages}
        nameOf={languageName}
        value={query.language ?? ''}
        onChange={(value) => set('language', value)}
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

/** Categories or languages that there are; with a single one there is nothing to choose. */
function KindChoice(props: {
  label: string
  any: string
  kinds: Stats['categories'] | undefined
  nameOf: (name: string) => string
  value: string
  onChange: (value: string) => void
}) {
  const { label, any, kinds = [], nameOf, value, onChange } = props
  if (kinds.length < 2 && value === '') return null
  const names = kinds.map(({ name }) => name)
  const all = value === '' || names.includes(value) ? names : [...names, value]
  return (
    <Choice
      label={label}
      isBare
      value={value}
      options={[{ value: '', text: any }, ...all.map((name) => ({ value: name, text: nameOf(name) }))]}
      onChange={onChange}
    />
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
