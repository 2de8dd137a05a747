import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { type ListKnowledgeDocuments, listKnowledgeDocuments } from '../../../../../clients/typescript/src/index.ts'
import { desk, isAborted } from '../../../api.ts'
import { useReturn } from '../../../ui/return.ts'
import type { ListedDocument } from '../names.ts'

export type Filter = NonNullable<ListKnowledgeDocuments['query']>

/** A place in the list: its document, or its number as long as nobody has asked for it. */
export type Slot = ListedDocument | number

/** The most that the service gives at once. */
const PAGE = 200

/**
 * Documents that a filter leaves, of which only the pages are fetched that somebody looks at: the list is as long as it will
 * be from the start, and its end is as near as its beginning.
 */
export function useDocuments(filter: Filter) {
  const slots = useSignal<readonly Slot[] | undefined>(undefined)
  const error = useSignal<unknown>(null)
  const end = useRef<AbortController | null>(null)
  const asked = useRef(new Set<number>())
  const key = JSON.stringify(filter)

  const fetchPage = async (page: number, isAnew = false) => {
    const signal = end.current?.signal
    if (asked.current.has(page) || !signal) return
    asked.current.add(page)
    const offset = page * PAGE
    try {
      const { items, total } = await listKnowledgeDocuments(desk, { query: { ...filter, limit: PAGE, offset }, signal })
      if (signal.aborted) return
      const before = isAnew ? [] : (slots.value ?? [])
      slots.value = Array.from({ length: total }, (_, index) => items[index - offset] ?? before[index] ?? index)
      error.value = null
    } catch (failure) {
      if (signal.aborted || isAborted(failure)) return
      asked.current.delete(page)
      error.value = failure
    }
  }
  const latest = useRef(fetchPage)
  latest.current = fetchPage
  const reload = useCallback(() => {
    end.current?.abort()
    end.current = new AbortController()
    asked.current = new Set()
    return latest.current(0, true)
  }, [])

  useEffect(() => {
    slots.value = undefined
    error.value = null
    void reload()
    return () => end.current?.abort()
  }, [key])
  useReturn(reload)
  /** Fetches what is at a place. */
  const want = useCallback((index: number) => void latest.current(Math.floor(index / PAGE)), [])
  return { slots, error, reload, want }
}
