/** Things that statistics are taken for. */
export const DIVISIONS = ['person', 'label', 'channel', 'day'] as const
export type Division = (typeof DIVISIONS)[number]

/** Seconds of many cases; null: there were none. */
export interface Spread {
  median: number | null
  p90: number | null
}

/** The work of people on conversations within a period. */
export interface Work {
  /** Name, label, channel or day; empty: nobody was named, no label. */
  key: string
  /** A label's name; null: the key is one. */
  name: string | null
  /** Accepted, taken or transferred to. */
  taken: number
  resolved: number
  messages: number
  /** From the call to the first words of a person. */
  firstResponse: Spread
  /** From taking a conversation to its resolution. */
  handling: Spread
  /** From the call, or from being given back to those who wait, until somebody took it. */
  waiting: Spread
  ratings: number
  averageRating: number | null
}
