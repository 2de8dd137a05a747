import type { MinedTicket, MiningLimits, MiningOutcome } from './types.ts'

/** Messages between the thread of a mining run and its client. */
export interface MinerSettings {
  /** The analyser's user dictionary, so that tickets are read as the search reads them. */
  userDictionary: string
}

export type MinerRequest = { op: 'add'; tickets: readonly MinedTicket[] } | { op: 'finish'; limits: MiningLimits }

export type MinerReply =
  | { kind: 'added' }
  | { kind: 'progress'; share: number }
  | { kind: 'finished'; outcome: MiningOutcome }
