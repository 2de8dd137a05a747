import { createHash } from 'node:crypto'
import { between, type Random } from './random.ts'

/** A revision of a document, or null: none, because it was deleted or never published. */
export type Revision = { number: number; chunks: number | undefined } | null

export interface LedgerEntry {
  readonly name: string
  readonly registered: boolean
  docId: string | undefined
  /** What the last acknowledged request left. */
  acknowledged: Revision
  /** What requests without an answer may have left in its place. */
  unanswered: Revision[]
  busy: boolean
}

/** Only letters, so that no analyser takes it apart; unlike any other. */
function word(prefix: string, number: number): string {
  const letters = [...String(number).padStart(4, '0')].map((digit) => 'bcdfghjklm'[Number(digit)])
  return `${prefix}${letters.join('')}x`
}

/** In every chunk of a document, whatever its revision. */
export function markOf({ name }: Pick<LedgerEntry, 'name'>): string {
  return word('qz', Number(name.replace(/\D/g, '')))
}

/** In every chunk of one revision. */
export function revisionMark(number: number): string {
  return word('vw', number)
}

/** A document of which each section says whose it is and of which revision. The same name and number: the same text. */
export function contentOf(entry: Pick<LedgerEntry, 'name'>, number: number): string {
  const sections = 1 + ((number * 7 + entry.name.length * 3 + Number(entry.name.replace(/\D/g, ''))) % 9)
  const body = Array.from({ length: sections }, (_, index) => {
    const sentence = `Part ${index} belongs to ${markOf(entry)} as ${revisionMark(number)} says. `
    return `## Part ${index} of ${markOf(entry)} ${revisionMark(number)}\n\n${sentence.repeat(12)}`
  })
  return `# ${markOf(entry)} ${revisionMark(number)}\n\n${body.join('\n\n')}`
}

export function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Documents that were uploaded, and what has to be true of them. */
export function createLedger(random: Random) {
  const entries: LedgerEntry[] = []
  let revision = 0
  return {
    entries,
    nextRevision: () => ++revision,
    /** A document that nobody works on: a new one, or one that is there. */
    take(): LedgerEntry {
      const idle = entries.filter(({ busy }) => !busy)
      const known = random() < 0.5 ? idle[between(random, 0, idle.length - 1)] : undefined
      const entry = known ?? add(entries, random)
      entry.busy = true
      return entry
    },
  }
}

function add(entries: LedgerEntry[], random: Random): LedgerEntry {
  const entry: LedgerEntry = {
    name: `guide-${entries.length}.md`,
    registered: random() < 0.7,
    docId: undefined,
    acknowledged: null,
    unanswered: [],
    busy: false,
  }
  entries.push(entry)
  return entry
}
