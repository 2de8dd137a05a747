import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { type ListKnowledgeDocuments, listKnowledgeDocuments } from '../../../../../clients/typescript/src/index.ts'
import { desk, isAborted } from '../../../api.ts'
import type { ListedDocument } from '../names.ts'

export type Filter = NonNullable<ListKnowledgeDocuments['query']>

/** The most that the service gives at once. */
const PAGE = 200

/** Documents that a filter leaves, fetched page by page as they come into view. */
export function useDocuments(filter: Filter) {
  const items = useSignal<readonly ListedDocument[] | undefined>(undefined)
  const total = useSignal(0)
  const error = useSignal<unknown>(null)
  const current = useRef<AbortController | null>(null)
  const isBusy = useRef(false)
  const key = JSON.stringify(filter)

  const fetchFrom = async (offset: number) => {
    current.current?.abort()
    const own = new AbortController()
    current.current = own
    isBusy.current = true
    try {
      const page = await listKnowledgeDocuments(desk, { query: { ...filter, limit: PAGE, offset }, signal: own.signal })
      if (own.signal.aborted) return
      const before = offset === 0 ? [] : (items.value ?? [])
      const known = new Set(before.map(({ doc_id }) => doc_id))
      items.value = [...before, ...page.items.filter(({ doc_id }) => !known.has(doc_id))]
      total.value = page.total
      error.value = null
    } catch (failure) {
      if (own.signal.aborted || isAborted(failure)) return
      error.value = failure
    }
    isBusy.current = false
  }
  const latest = useRef(fetchFrom)
  latest.current = fetchFrom

  useEffect(() => {
    items.value = undefined
    void latest.current(0)
    return () => current.current?.abort()
  }, [key])
  const reload = useCallback(() => latest.current(0), [])
  const more = useCallback(() => {
    const count = items.value?.length ?? 0
    if (count > 0 && count < total.value && !isBusy.current) void latest.current(count)
  }, [])
  return { items, total, error, reload, more }
}
