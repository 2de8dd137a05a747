import type { ComponentChildren } from 'preact'

/** A screen of one column: its name, what can be done, and the content, which scrolls. */
export function Page(props: {
  title: string
  /** Beside the title, small. */
  detail?: ComponentChildren
  actions?: ComponentChildren
  /** Between the title and the content: tabs, filters. */
  bar?: ComponentChildren
  /** As wide as there is room, for tables and lists that scroll themselves. */
  isFull?: boolean
  children: ComponentChildren
}) {
  const { title, detail, actions, bar, isFull, children } = props
  return (
    <div class="page">
      <header class="page-header">
        <h1>{title}</h1>
        {detail && <span class="second dense">{detail}</span>}
        <span class="grow" />
        {actions}
      </header>
      {bar && <div class="page-bar">{bar}</div>}
      <div class={`page-content ${isFull ? 'is-full' : ''}`} tabIndex={isFull ? undefined : 0}>
        {children}
      </div>
    </div>
  )
}
