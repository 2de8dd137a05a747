import type { ComponentChildren } from 'preact'
import { place, to } from '../shell/router.ts'
import { say } from './words.ts'

/** A list and what is chosen of it, side by side; where there is no room for both, one after the other. */
export function Split(props: { list: ComponentChildren; detail: ComponentChildren; label: string }) {
  const { screen, parts, query } = place.value
  return (
    <div class={`split ${parts.length > 0 ? 'has-detail' : ''}`}>
      <div class="split-list">{props.list}</div>
      <div class="split-detail" tabIndex={0} role="region" aria-label={props.label}>
        <a class="split-back" href={to(screen, query)}>
          ← {say('toList')}
        </a>
        {props.detail}
      </div>
    </div>
  )
}

/** A row of such a list: a link with a title and a line below. */
export function SplitRow(props: {
  address: string
  isChosen: boolean
  title: string
  aside?: ComponentChildren
  children?: ComponentChildren
}) {
  return (
    <a class="split-row" href={props.address} aria-current={props.isChosen || undefined}>
      <span class="split-row-top">
        <span class="clip grow">{props.title}</span>
        {props.aside}
      </span>
      <span class="split-row-line clip">{props.children}</span>
    </a>
  )
}
