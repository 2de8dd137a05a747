import { type Claim, type ClaimKind, type ClaimSource, claimsOf, topicOf } from './claims.ts'
import { bucketsOf, mix, signatureOf, toSet } from './minhash.ts'
import { createVocabulary, similarity } from './term-sets.ts'

export interface ConflictSource extends ClaimSource {
  /** Passages of one document cannot contradict each other here: a document lists cases. */
  docId: string
  title: string
  headingPath: readonly string[]
  productCategory: string
  applicableVersion: string
}

export interface Conflict {
  /** Numbers of the chunks, counted from 0 in the order in which they were added. */
  a: number
  b: number
  kind: ClaimKind
  sentenceA: string
  sentenceB: string
}

export interface ConflictFinder {
  add(chunk: ConflictSource): void
  /** Pairs of passages of different documents that state different things of the same matter, clearest first. */
  find(): Conflict[]
}

interface Statement extends Omit<Claim, 'terms'> {
  chunk: number
  document: number
  group: string
  about: Uint32Array
  topic: Uint32Array
  topicCodes: string
}

/** Two or three words in common are enough to meet; what meets is then compared exactly. */
const BANDING = { bands: 24, rows: 2 }
/** Values of a bucket that are told apart, and statements of each that others are compared with. */
const MAX_VALUES = 24
const MAX_PER_VALUE = 6
const MAX_PER_STATEMENT = 3
/** Numbers this close are one number, written as 30 days here and as a month there. */
const TOLERANCE = 0.05

/** Finds contradictions among any number of chunks in nearly linear time. @param words the analyser's words of a text. */
export function createConflictFinder(words: (text: string) => string[]): ConflictFinder {
  const vocabulary = createVocabulary()
  const documents = new Map<string, number>()
  const statements: Statement[] = []
  let chunks = 0
  return {
    add(chunk) {
      const number = chunks++
      const claims = claimsOf(chunk, words)
      if (claims.length === 0) return
      const document = documents.get(chunk.docId) ?? documents.size
      documents.set(chunk.docId, document)
      const topic = topicOf(chunk, words)
      const topicTerms = vocabulary.read(topic.terms)
      const group = groupOf(chunk)
      for (const { terms, ...claim } of claims) {
        const about = vocabulary.count(terms)
        const place = { chunk: number, document, group, topic: topicTerms, topicCodes: topic.codes }
        if (about.length > 0) statements.push({ ...claim, about, ...place })
      }
    },
    find: () => findConflicts(statements, vocabulary.weight),
  }
}

/** What is said of one product, or of one version of it, need not hold for another. */
function groupOf({ productCategory, applicableVersion }: ConflictSource): string {
  return `${productCategory === 'unknown' ? '' : productCategory}\n${applicableVersion === 'latest' ? '' : applicableVersion}`
}

type Weight = (term: number) => number

/** A document's statements that measure the same, in the same unit. */
function comparableIn({ document, kind, unit }: Statement): string {
  return `${document} ${kind} ${unit}`
}

interface Candidate {
  a: Statement
  b: Statement
  strength: number
}

function findConflicts(statements: readonly Statement[], weight: Weight): Conflict[] {
  const byDocument = Map.groupBy(statements, comparableIn)
  const seen = new Set<string>()
  const candidates: Candidate[] = []
  for (const [first, second] of pairsOf(statements)) {
    const [a, b] = first.chunk < second.chunk ? [first, second] : [second, first]
    const key = `${a.chunk} ${b.chunk} ${a.kind}`
    if (seen.has(key)) continue
    const strength = strengthOf(a, b, weight)
    if (strength === 0 || isExplained(a, b, byDocument, weight)) continue
    seen.add(key)
    candidates.push({ a, b, strength })
  }
  return withoutRepetition(candidates.sort((x, y) => y.strength - x.strength)).map(({ a, b }) => ({
    a: a.chunk,
    b: b.chunk,
    kind: a.kind,
    sentenceA: a.sentence,
    sentenceB: b.sentence,
  }))
}

/** A statement that a hundred others contradict is named a few times. */
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

/** Pairs that measure the same in the same unit, share words and differ in their value. */
function* pairsOf(statements: readonly Statement[]): Generator<[Statement, Statement]> {
  const kinds = new Map<string, number>()
  const signatures = statements.map(({ kind, unit, about, topic }) => {
    const name = `${kind} ${unit}`
    const salt = kinds.get(name) ?? kinds.size + 1
    kinds.set(name, salt)
    const terms = toSet(Uint32Array.from([...about, ...topic], (term) => mix(term ^ Math.imul(salt, 0x9e3779b1))))
    return signatureOf(terms, BANDING)
  })
  for (const bucket of bucketsOf(signatures, BANDING)) yield* pairsOfBucket(bucket.map((i) => statements[i]!))
}

function* pairsOfBucket(bucket: readonly Statement[]): Generator<[Statement, Statement]> {
  const byValue = new Map<string, Statement[]>()
  for (const statement of bucket) {
    const value = `${statement.low} ${statement.high}`
    for (const [other, holders] of byValue) {
      if (other !== value) for (const holder of holders) yield [holder, statement]
    }
    const holders = byValue.get(value)
    if (holders && holders.length < MAX_PER_VALUE) holders.push(statement)
    else if (!holders && byValue.size < MAX_VALUES) byValue.set(value, [statement])
  }
}

/** How clearly two statements contradict each other, 0: not at all. */
function strengthOf(a: Statement, b: Statement, weight: Weight): number {
  if (a.document === b.document || !isComparable(a, b) || agree(a, b)) return 0
  return sameMatter(a, b, weight)
}

function isComparable(a: Statement, b: Statement): boolean {
  return (
    a.kind === b.kind &&
    a.unit === b.unit &&
    !(a.bound !== b.bound && a.bound !== 'exact' && b.bound !== 'exact') &&
    a.codes === b.codes &&
    sameGroup(a.group, b.group) &&
    qualifiersFit(a, b)
  )
}

function sameGroup(a: string, b: string): boolean {
  const [categoryA, versionA] = a.split('\n')
  const [categoryB, versionB] = b.split('\n')
  const fits = (x = '', y = ''): boolean => x === '' || y === '' || x === y
  return fits(categoryA, categoryB) && fits(versionA, versionB)
}

function qualifiersFit(a: Statement, b: Statement): boolean {
  if (a.kind === 'permission') return a.qualifiers === b.qualifiers
  const has = (statement: Statement, name: string): boolean => statement.qualifiers.split(' ').includes(name)
  if (['not', 'except', 'each'].some((name) => has(a, name) !== has(b, name))) return false
  const turned = (x: Statement, y: Statement): boolean =>
    has(x, 'before') && !has(x, 'after') && has(y, 'after') && !has(y, 'before')
  return !turned(a, b) && !turned(b, a)
}

/** Equal within the tolerance, or a number within a range: "3 to 5 days" and "5 days" do not contradict. */
function agree(a: Statement, b: Statement): boolean {
  const slack = a.kind === 'duration' ? TOLERANCE : 0
  const within = (x: Statement, y: Statement): boolean => x.low >= y.low * (1 - slack) && x.high <= y.high * (1 + slack)
  if (within(a, b) && within(b, a)) return true
  return (a.low === a.high && within(a, b)) || (b.low === b.high && within(b, a))
}

/**
 * Whether two statements are about the same matter: the same words; or an answer to the same question in partly other
 * words; or, where headings differ, nearly the same sentence that has a matter of its own.
 */
function sameMatter(a: Statement, b: Statement, weight: Weight): number {
  const sentence = similarity(a.about, b.about, weight)
  const topic = similarity(a.topic, b.topic, weight)
  if (a.kind === 'permission') return samePermission(a, b, sentence, topic)
  if (a.topicCodes !== b.topicCodes) return 0
  if (topic >= 0.9 && sentence >= 0.35) return sentence + topic
  if (topic >= (differBothWays(a.topic, b.topic) ? 0.75 : 0.6) && sentence >= 0.5) return sentence + topic
  if (Math.min(a.length, b.length) < 3) return 0
  return sentence >= (topic >= 0.3 ? 0.75 : 0.8) ? sentence + topic : 0
}

/** Each has a word that the other lacks, as in "delivery to Beijing" and "delivery to Lhasa". */
function differBothWays(a: Uint32Array, b: Uint32Array): boolean {
  return a.some((term) => !b.includes(term)) && b.some((term) => !a.includes(term))
}

/** Rules and their exceptions differ by a word, so a permission is compared strictly. */
function samePermission(a: Statement, b: Statement, sentence: number, topic: number): number {
  if (a.topicCodes !== b.topicCodes || Math.min(a.about.length, b.about.length) < 2) return 0
  if (sentence >= 0.85) return sentence + topic
  return sentence >= 0.7 && topic >= 0.6 ? sentence + topic : 0
}

/**
 * Two documents that list the same cases do not contradict each other: the other document also says what this one says,
 * about something at least as similar; or one document gives several values for the same words under different headings
 * (guarantees of different products), so that the words alone do not name the matter.
 */
function isExplained(
  a: Statement,
  b: Statement,
  byDocument: Map<string, readonly Statement[]>,
  weight: Weight,
): boolean {
  const ofA = byDocument.get(comparableIn(a)) ?? []
  const ofB = byDocument.get(comparableIn(b)) ?? []
  return (
    says(ofA, b, a, weight) ||
    says(ofB, a, b, weight) ||
    dependsOnTopic(ofA, a, b, weight) ||
    dependsOnTopic(ofB, b, a, weight)
  )
}

/** Whether a document says what `statement` says, about something no less similar to it than `rival` is. */
function says(document: readonly Statement[], statement: Statement, rival: Statement, weight: Weight): boolean {
  const closeness = (other: Statement): number =>
    similarity(other.about, statement.about, weight) + 0.5 * similarity(other.topic, statement.topic, weight)
  const needed = closeness(rival) - 0.1
  return document.some((other) => other !== rival && agree(other, statement) && closeness(other) >= needed)
}

function dependsOnTopic(document: readonly Statement[], own: Statement, other: Statement, weight: Weight): boolean {
  if (similarity(own.topic, other.topic, weight) >= 0.6) return false
  return document.some(
    (sibling) =>
      sibling.chunk !== own.chunk && !agree(sibling, own) && similarity(sibling.about, own.about, weight) >= 0.75,
  )
}
