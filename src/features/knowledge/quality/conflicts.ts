import type { ClaimKind } from './claims.ts'
import { agree, sameMatter } from './matter.ts'
import { forEachRival } from './rivals.ts'
import { createStatementReader, type Statement, type StatementSource } from './statements.ts'
import { similarity, type Weight } from './term-sets.ts'

export interface Conflict {
  /** Numbers of the chunks, counted from 0 in the order in which they were added; `a` is the earlier one. */
  a: number
  b: number
  kind: ClaimKind
  sentenceA: string
  sentenceB: string
}

export interface ConflictFinder {
  add(chunk: StatementSource): void
  /** Pairs of passages of different documents that state different things of the same matter, clearest first. */
  find(): Conflict[]
}

/** A statement that a hundred others contradict is named a few times. */
const MAX_PER_STATEMENT = 3

/** Finds contradictions among any number of chunks in nearly linear time. @param words the analyser's words of a text. */
export function createConflictFinder(words: (text: string) => string[]): ConflictFinder {
  const reader = createStatementReader(words)
  const statements: Statement[] = []
  let chunks = 0
  return {
    add(chunk) {
      for (const statement of reader.read(chunks++, chunk)) statements.push(statement)
    },
    find: () => findConflicts(statements, reader.weights()),
  }
}

interface Candidate {
  a: Statement
  b: Statement
  strength: number
}

function findConflicts(statements: readonly Statement[], weight: Weight): Conflict[] {
  const siblings = Map.groupBy(statements, placeOf)
  const candidates = new Map<string, Candidate>()
  forEachRival(statements, weight, (first, second) => {
    const strength = sameMatter(first, second, weight)
    if (strength === 0 || isExplained(first, second, siblings, weight)) return
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

/** A document's statements that measure the same. */
function placeOf({ document, measure }: Statement): string {
  return `${document} ${measure}`
}

/**
 * Two documents that list the same cases do not contradict each other: the other document also says what this one says,
 * of something at least as similar; or one document gives several values for the same words under different headings
 * (guarantees of different products), so that the words alone do not name the matter.
 */
function isExplained(a: Statement, b: Statement, siblings: Map<string, readonly Statement[]>, weight: Weight): boolean {
  const ofA = siblings.get(placeOf(a)) ?? []
  const ofB = siblings.get(placeOf(b)) ?? []
  return (
    says(ofA, b, a, weight) ||
    says(ofB, a, b, weight) ||
    dependsOnHeading(ofA, a, b, weight) ||
    dependsOnHeading(ofB, b, a, weight)
  )
}

/** Whether a document says what `statement` says, of something no less similar to it than `rival` is. */
function says(document: readonly Statement[], statement: Statement, rival: Statement, weight: Weight): boolean {
  const closeness = (other: Statement): number =>
    similarity(other.about, statement.about, weight) + 0.5 * similarity(other.topic, statement.topic, weight)
  const needed = closeness(rival) - 0.1
  return document.some((other) => other !== rival && agree(other, statement) && closeness(other) >= needed)
}

function dependsOnHeading(document: readonly Statement[], own: Statement, other: Statement, weight: Weight): boolean {
  if (similarity(own.topic, other.topic, weight) >= 0.6) return false
  return document.some(
    (sibling) =>
      sibling.chunk !== own.chunk && !agree(sibling, own) && similarity(sibling.about, own.about, weight) >= 0.75,
  )
}
