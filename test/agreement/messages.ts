import { readFileSync } from 'node:fs'

/**
 * A message of a customer and how a good clerk reads it. A judgement that is absent is not asked for: the message leaves it
 * open, or it depends on what was said before.
 */
export interface Message {
  id: string
  text: string
  /** What to answer in; `mixed` is Chinese with English words that are more than names, and is answered in Chinese. */
  language?: 'zh' | 'en' | 'mixed'
  /** The work at the shop's own systems that is asked for; `none`: the knowledge base or a courtesy answers. */
  scene?: 'order_status' | 'logistics' | 'refund' | 'cancel' | 'exchange' | 'address' | 'account' | 'none'
  /** As an answer to "shall I do this?"; `none`: neither a plain yes nor a plain no. */
  consent?: 'yes' | 'no' | 'none'
  /** Does the customer ask for a person of the shop? */
  person?: boolean
  sensitive?: 'legal' | 'safety' | 'privacy' | 'fraud' | 'refund_limit' | 'none'
  /** How many things are asked for. */
  questions?: number
  sentences?: number
  /** Which of a list of five the message chooses, from 1; -1 is the last. */
  choice?: number
  /** Full names in the sample shop's catalogue of that language. */
  products?: string[]
  /** Order and parcel numbers, nothing else that is made of digits. */
  numbers?: string[]
  amounts?: { value: number; currency: string }[]
  /** Values of numerals that stand in the message. */
  numerals?: Record<string, number>
  /** The same message, written another way. */
  written?: string
}

/** The messages of a file that has one a line. */
export function readMessages(path: string): Message[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as Message)
}
