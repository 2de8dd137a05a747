import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Effects } from './records.ts'

/** One message and what has to come of it. Patterns ignore case; a dot also stands for a line's end. */
export interface DialogueTurn {
  say: string
  /** Every one of these patterns is found in the reply. */
  has: readonly RegExp[]
  /** None of these is. */
  not: readonly RegExp[]
  /** Is a person called by now? `maybe`: either will do. */
  person: boolean | 'maybe'
  /** What the turn does to the records, and to nothing else. */
  does: Effects
  /** Minutes that pass before the message. */
  afterMinutes: number
}

export interface Dialogue {
  id: string
  /** Empty: nobody that the shop knows. */
  customer: string
  turns: readonly DialogueTurn[]
}

type OneOrMore = string | readonly string[]

interface Written {
  id: string
  customer?: string
  turns: readonly {
    say: string
    has?: OneOrMore
    not?: OneOrMore
    person?: boolean | 'maybe'
    does?: Effects
    afterMinutes?: number
  }[]
}

/** The dialogues of a folder's YAML files. */
export function readDialogues(folder: string): Dialogue[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return files.sort().flatMap((name) => (parse(readFileSync(join(folder, name), 'utf8')) as Written[]).map(toDialogue))
}

function toDialogue({ id, customer = '', turns }: Written): Dialogue {
  return {
    id,
    customer,
    turns: turns.map(({ say, has, not, person = false, does = {}, afterMinutes = 0 }) => ({
      say,
      has: patterns(has),
      not: patterns(not),
      person,
      does,
      afterMinutes,
    })),
  }
}

function patterns(written: OneOrMore = []): RegExp[] {
  return [written].flat().map((pattern) => new RegExp(pattern, 'isu'))
}
