import type { ClaimKind } from './claims.ts'
import { createExplanations } from './explanations.ts'
import { sameMatter } from './matter.ts'
import { forEachRival } from './rivals.ts'
import { createStatementReader, type Statement, type StatementSource } from './statements.ts'
import type { Weight } from './term-sets.ts'

export interface Conflict {
  /** Numbers of the chunks, counted from 0 in the order in which they were added; `a` is the earlier one. */
  a: number
  b: number
  kind: ClaimKind
  sentenceA: string
  sentenceB: string
}

/** A statement that a hundred others contradict is named a few times. */
const MAX_PER_STATEMENT = 3

/** Finds contradictions among any number of chunks in nearly linear time. @param words the analyser's words of a text. */
export function createConflictFinder(words: (text: string) => string[]) {
  const reader = createStatementReader(words)
  const statements: Statement[] = []
  let chunks = 0
  return {
    add(chunk: StatementSource): void {
      for (const statement of reader.read(chunks++, chunk)) statements.push(statement)
    },
    /** Pairs of passages of different documents that state different things of the same matter, clearest first. */
    find: (): Conflict[] => findConflicts(statements, reader.weights()),
  }
}

interface Candidate {
  a: Statement
  b: Statement
  strength: number
}

function findConflicts(statements: readonly Statement[], weight: Weight): Conflict[] {
  const areExplained = createExplanations(statements, weight)
  const candidates = new Map<string, Candidate>()
  forEachRival(statements, weight, (first, second) => {
    const strength = sameMatter(first, second, weight)
    if (strength === 0 || areExplained(first, second)) return
    const [a, b] = first.chunk < second.chunk ? [first, second] : [second, first]
    const key = `${a.chunk} ${b.chunk} ${a.kind}`
    if (strength > (candidates.get(key)?.strength ?? 0)) candidates.set(key, { a, b, strength })
  })
  const clearestFirst = [...candidates.values()].sort((x, y) => y.strength - x.strength)
  return withoutRepetition(clearestFirst).map(({ a, b }) => ({
    a: a.chunk,
    b: b.chunk,
    kind: a.kind,
    sentenceA: a.sentence,
    sentenceB: b.sentence,
  }))
}

function withoutRepetition(candidates: readonly Candidate[]): Candidate[] {
  const named = new Map<Statement, number>()
  return candidates.filter(({ a, b }) => {
    const most = Math.max(named.get(a) ?? 0, named.get(b) ?? 0)
    if (most >= MAX_PER_STATEMENT) return false
    named.set(a, (named.get(a) ?? 0) + 1)
    named.set(b, (named.get(b) ?? 0) + 1)
    return true
  })
}
