import type { InspectedChunk, Inspection } from './inspector.ts'
import type { GlossaryTerm, SensitiveWord } from './word-lists.ts'

/** What the checks go by. */
export interface QualityLists {
  glossary: readonly GlossaryTerm[]
  sensitiveWords: readonly SensitiveWord[]
  /** The analyser's user dictionary, so that the checks read the same words as the search. */
  userDictionary: string
}

/** Messages between the thread of an inspection and its client. */
export type InspectionRequest = { op: 'add'; chunks: readonly InspectedChunk[] } | { op: 'finish' }
export type InspectionReply = { kind: 'added' } | { kind: 'finished'; inspection: Inspection }
