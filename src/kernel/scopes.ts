/** Uses of a named key. `admin` implies all others. */
export const SCOPES = ['read', 'chat', 'agent', 'knowledge', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export const ALL_SCOPES: ReadonlySet<Scope> = new Set(SCOPES)

/** The given scopes with what they imply. */
export function expandScopes(scopes: readonly Scope[]): ReadonlySet<Scope> {
  return scopes.includes('admin') ? ALL_SCOPES : new Set(scopes)
}
