import type { Priority } from '../handoff/index.ts'
import type { ChannelName } from '../sessions/index.ts'

export const MODES = ['manual', 'by_turn'] as const
export const LANGUAGES = ['zh', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

export interface Team {
  teamId: string
  name: string
  /** Names of people. */
  members: string[]
  /** Empty: all. */
  channels: ChannelName[]
  /** Of customers; empty: all. */
  languages: Language[]
}

export interface AssignmentSettings {
  /** `by_turn`: a call goes to whoever is online and has the fewest conversations. */
  mode: (typeof MODES)[number]
  /** Conversations that somebody is given at most. */
  maxOpenSessions: number
  /** Minutes in which a customer should be answered, by priority; without one there is no target. */
  targets: Partial<Record<Priority, number>>
}

export const DEFAULTS: AssignmentSettings = { mode: 'manual', maxOpenSessions: 5, targets: {} }

/** Somebody who is online, with how much they have. */
export interface Candidate {
  name: string
  openSessions: number
  /** When they were given something last. */
  lastTakenAt: Date | null
}
