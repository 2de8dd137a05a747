export const PRESENCE_STATES = ['online', 'away', 'offline'] as const
export type PresenceState = (typeof PRESENCE_STATES)[number]

export interface StoredPresence {
  name: string
  state: PresenceState
  seenAt: Date
  /** Conversations that the person has. */
  openSessions: number
}
