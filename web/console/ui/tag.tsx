import type { ComponentChildren } from 'preact'
import type { Tone } from './tone.ts'

export type { Tone }

/** A state in one or two words. */
export function Tag({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ComponentChildren }) {
  return (
    <span class={`tag ${tone}`} title={title}>
      {children}
    </span>
  )
}
