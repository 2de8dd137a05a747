import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface VirtualListProps<T> {
  items: readonly T[]
  /** All rows are as high as this, in pixels. */
  rowHeight: number
  keyOf: (item: T) => string
  row: (item: T, index: number) => ComponentChildren
  label: string
  /** Brought into view when it changes. */
  chosen?: number | undefined
  /** Called when the end comes near, to fetch more. */
  onNearEnd?: (() => void) | undefined
  class?: string
  /** Rows above those of the list that scroll along. */
  head?: ComponentChildren
}

/** Rows beyond those in view, so that scrolling shows no gaps. */
const SPARE = 6

/** A list of any length that draws only the rows in view. */
export function VirtualList<T>({
  items,
  rowHeight,
  keyOf,
  row,
  label,
  chosen,
  onNearEnd,
  head,
  ...rest
}: VirtualListProps<T>) {
  const ref = useRef<HTMLDivElement>(null)
  const top = useSignal(0)
  const height = useSignal(800)
  useEffect(() => {
    const box = ref.current
    if (!box) return
    const observer = new ResizeObserver(() => (height.value = box.clientHeight))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const box = ref.current
    if (!box || chosen === undefined || chosen < 0) return
    const from = chosen * rowHeight
    if (from < box.scrollTop) box.scrollTop = from
    else if (from + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = from + rowHeight - box.clientHeight
  }, [chosen])
  const first = Math.max(0, Math.floor(top.value / rowHeight) - SPARE)
  const last = Math.min(items.length, Math.ceil((top.value + height.value) / rowHeight) + SPARE)
  useEffect(() => {
    if (last >= items.length - SPARE) onNearEnd?.()
  }, [last, items.length])
  return (
    <div
      ref={ref}
      class={`virtual ${rest.class ?? ''}`}
      onScroll={(event) => {
        // Only a change of rows draws anew; within one the browser moves what is there.
        const next = event.currentTarget.scrollTop
        if (Math.floor(next / rowHeight) !== Math.floor(top.value / rowHeight)) top.value = next
      }}
    >
      {head}
      <div role="list" aria-label={label} class="virtual-rows" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <div
            key={keyOf(item)}
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            class="virtual-row"
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {row(item, first + index)}
          </div>
        ))}
      </div>
    </div>
  )
}
