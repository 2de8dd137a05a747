/**
 * Live events that nothing is stored of: they matter for seconds, and whoever missed one missed nothing. `typing` and `read` are
 * of a conversation, `presence` of a colleague.
 */
export const ASIDES = ['typing', 'read', 'presence'] as const
export type AsideName = (typeof ASIDES)[number]

/** Of all live events of the desk that are asides. */
export const ASIDE_TOPIC = 'desk'

export interface Aside {
  aside: AsideName
  /** As it is sent. */
  data: Record<string, unknown>
}

/** Null: it is another event. */
export function readAside({ type, ref }: { type: string; ref?: string }): Aside | null {
  const aside = ASIDES.find((name) => name === type)
  return aside && ref !== undefined ? { aside, data: JSON.parse(ref) as Record<string, unknown> } : null
}
