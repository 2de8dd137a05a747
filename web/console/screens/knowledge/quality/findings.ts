import type { CheckKnowledgeQuality } from '../../../../../clients/typescript/src/index.ts'

export type Report = CheckKnowledgeQuality['result']

/** One side of a finding. */
export interface Side {
  chunkId: number
  docId: string
  source: string
  text: string
}

/** Two passages that say the same or contradict each other. */
export interface Finding {
  key: string
  kind: 'duplicate' | Report['conflicts'][number]['kind']
  /** Of duplicates, 0 to 1. */
  similarity: number | null
  sides: readonly [Side, Side]
}

/** What of a report asks for a decision: contradictions first, as customers are told something wrong by them. */
export function findingsOf({ conflicts, duplicates }: Report): Finding[] {
  return [
    ...conflicts.map((each): Finding => {
      const a = { chunkId: each.a, docId: each.doc_id_a, source: each.source_a, text: each.excerpt_a }
      const b = { chunkId: each.b, docId: each.doc_id_b, source: each.source_b, text: each.excerpt_b }
      return {
        key: `${each.kind} ${each.a} ${each.b} ${each.excerpt_a}`,
        kind: each.kind,
        similarity: null,
        sides: [a, b],
      }
    }),
    ...duplicates.map((each): Finding => {
      const a = { chunkId: each.chunk_id, docId: each.doc_id, source: each.source, text: each.text }
      const b = {
        chunkId: each.duplicate_of,
        docId: each.other_doc_id,
        source: each.other_source,
        text: each.other_text,
      }
      const { similarity } = each
      return { key: `duplicate ${each.chunk_id} ${each.duplicate_of}`, kind: 'duplicate', similarity, sides: [a, b] }
    }),
  ]
}
