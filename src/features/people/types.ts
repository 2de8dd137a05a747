import type { Person, Role } from '../../kernel/people.ts'

/** Somebody who works with the service, as admins see them. */
export interface Member extends Person {
  /** May log in. */
  isActive: boolean
  /** The password was set by somebody else, and opens nothing but its own change. */
  mustChangePassword: boolean
  createdAt: Date
  lastSeenAt: Date | null
}

/** A browser that is logged in. */
export interface LogIn {
  logInId: string
  /** Null: by a key. */
  person: string | null
  address: string
  userAgent: string
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}

/** A line of the audit log. */
export interface AuditEntry {
  seq: number
  happenedAt: Date
  /** Name of the person or the key. */
  actor: string
  isPerson: boolean
  /** Method and route. */
  action: string
  subject: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  address: string
  requestId: string
}

export interface MemberChange {
  displayName?: string
  role?: Role
  isActive?: boolean
}
