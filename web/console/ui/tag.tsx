import type { ComponentChildren } from 'preact'

export type Tone = 'plain' | 'accent' | 'good' | 'warn' | 'bad' | 'machine'

/** A state in one or two words. */
export function Tag({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ComponentChildren }) {
  return (
    <span class={`tag ${tone}`} title={title}>
      {children}
    </span>
  )
}
