import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { isAborted } from '../api.ts'
import { useReturn } from './return.ts'
import { Failed, Loading } from './states.tsx'

export interface Resource<T> {
  /** The latest that came; kept while it is asked for again. Write to it to show a change before the service says so. */
  data: Signal<T | undefined>
  error: ReadonlySignal<unknown>
  isLoading: ReadonlySignal<boolean>
  /** Asks again, and shows what is there until the answer comes; done when the latest answer that was asked for is there. */
  reload: () => Promise<void>
}

/**
 * Something that the service is asked for, anew whenever `key` changes (what is asked, as one text). Answers to an
 * earlier key are dropped.
 */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const data = useSignal<T | undefined>(undefined)
  const error = useSignal<unknown>(null)
  const isLoading = useSignal(true)
  const latest = useRef(load)
  latest.current = load
  const current = useRef<AbortController | null>(null)
  const asked = useRef<Promise<void>>(Promise.resolve())

  const ask = useCallback(async () => {
    current.current?.abort()
    const own = new AbortController()
    current.current = own
    isLoading.value = true
    try {
      const value = await latest.current(own.signal)
      if (own.signal.aborted) return
      data.value = value
      error.value = null
    } catch (failure) {
      if (own.signal.aborted || isAborted(failure)) return
      error.value = failure
    }
    isLoading.value = false
  }, [])
  const reload = useCallback(async () => {
    asked.current = ask()
    // Somebody else may ask meanwhile, which ends this request before there is anything to see.
    for (let seen: unknown; seen !== asked.current; ) await (seen = asked.current)
  }, [])

  useEffect(() => {
    data.value = undefined
    error.value = null
    void reload()
    return () => current.current?.abort()
  }, [key])
  useReturn(reload)
  return { data, error, isLoading, reload }
}

/** Shows what came, or that it is on its way, or why it did not come. */
export function Shown<T>({
  of,
  children,
  rows,
}: {
  of: Resource<T>
  rows?: number
  children: (value: T) => ComponentChildren
}) {
  const { data, error, reload } = of
  if (data.value !== undefined) return <>{children(data.value)}</>
  if (error.value) return <Failed error={error.value} onRetry={reload} />
  return <Loading {...(rows === undefined ? {} : { rows })} />
}
