import { expandScopes, type Scope } from './scopes.ts'

/** Kinds of people who work with the service. Each may do all that the one before it may. */
export const ROLES = ['agent', 'editor', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** Somebody who is logged in. */
export interface Person {
  /** Unique, and never changed: it stands for the person wherever an author or an `agent_id` is named. */
  name: string
  displayName: string
  role: Role
}

const SCOPES_OF_ROLE: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  agent: expandScopes(['read', 'chat', 'agent']),
  editor: expandScopes(['read', 'chat', 'agent', 'knowledge']),
  admin: expandScopes(['admin']),
}

/** All that the role may do. */
export function scopesOfRole(role: Role): ReadonlySet<Scope> {
  return SCOPES_OF_ROLE[role]
}

/** Somebody who is logged in: a person, or one who had a key. */
export interface LoggedIn {
  name: string
  /** Null: a key. */
  person: Person | null
  /** All that they may do, with everything that is implied. */
  scopes: ReadonlySet<Scope>
}

/** A key that was recognised. */
export interface KeyHolder {
  keyId: string
  name: string
  scopes: ReadonlySet<Scope>
}
