import { setImmediate as breathe } from 'node:timers/promises'
import pLimit from 'p-limit'
import { batchesOf } from '../../../kernel/batches.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { Publication } from '../ingest/publish.ts'
import { DEFAULT_RETRIEVAL_PARAMETERS } from '../retrieval/parameters.ts'
import type { PreparedChunk, SearchHit, SearchRequest } from '../types.ts'
import { keyOf, type Pair, readAccepted, setAccepted } from './accepted-queries.ts'
import { createInspection } from './inspect.ts'
import type { ChunkReference, InspectedChunk, Inspection } from './inspector.ts'
import type { QualityLists } from './lists.ts'
import { type QualityRow, readQualityChunks, readQualityPage, readQualityScope, readTexts } from './queries.ts'

export interface QualityFilter {
  source: string | null
  docId: string | null
}

export interface QualityReport extends Inspection {
  checkedAt: Date
  /** Share of the chunks that repeat another one, 0 to 1. */
  duplicateRate: number
  /** Share of the glossary's terms that occur, 0 to 1; without a glossary there is nothing to measure: null. */
  terminologyHitRate: number | null
  missingTerms: string[]
  /** Findings that are left out, as a person accepted them. */
  acceptedCount: number
  /** Of the duplicates’ chunks, by their ids. */
  texts: ReadonlyMap<number, string>
  passed: boolean
}

type Upload = Pick<Publication, 'docId' | 'source' | 'metadata' | 'chunks'>

export interface QualityDependencies {
  executor: Executor
  search: (request: SearchRequest) => Promise<SearchHit[]>
  lists: QualityLists
  /** The analyser's words of a text, in order. */
  words: (text: string) => string[]
}

/** Rows a page: the thread of the database and ours are each busy with it for some 20 ms. */
const PAGE_ROWS = 500
/** Up to here a scope is compared with what a search finds for each chunk; a larger one with the whole base. */
const MAX_SEARCHED = 200
/** Passages that share words are wanted, whether or not they would answer anything. */
const NEIGHBOURHOOD = { ...DEFAULT_RETRIEVAL_PARAMETERS, minScore: 0, rerankTopK: 20 }
const QUERY_LENGTH = 400
/** The most duplicates and the least terminology that a base may have and still pass. */
const MAX_DUPLICATE_RATE = 0.05
const MIN_TERMINOLOGY_RATE = 0.8
const MAX_MESSAGES = 50
/** Of a passage that is shown beside its duplicate. */
const SHOWN_LENGTH = 1_000

export type Quality = ReturnType<typeof createQuality>

/** Checks of the knowledge base and of uploads. One at a time: each holds some kilobytes for every chunk. */
export function createQuality(deps: QualityDependencies) {
  const inspect = createInspection(deps.lists, deps.words)
  const inTurn = pLimit(1)
  return {
    /** Checks what customers can find; with a filter, those documents against everything else. */
    check: (filter: QualityFilter): Promise<QualityReport> =>
      inTurn(async () => {
        const inspection = await inspect(pagesOf(deps, filter))
        const { left, acceptedCount } = await withoutAccepted(deps.executor, inspection)
        const ids = left.duplicates.flatMap(({ chunk, duplicateOf }) => [chunk.chunkId ?? 0, duplicateOf.chunkId ?? 0])
        const texts = await readTexts(deps.executor, ids, SHOWN_LENGTH)
        return { ...toReport(left, filter), acceptedCount, texts }
      }),

    /** Accepts that two passages are alike or at odds, or no longer. Throws not_found. */
    async accept(pair: Pair, accepted: { by: string | null } | null): Promise<void> {
      if (await setAccepted(deps.executor, pair, accepted)) return
      throw new AppError('not_found', 'passage', `One of the passages ${pair.a} and ${pair.b} is not there`)
    },

    /** Checks what is about to be published, against the documents beside it. */
    inspectUpload: (upload: Upload) => inTurn(async () => toFindings(await inspect(pagesOfUpload(deps, upload)))),
  }
}

async function* pagesOf(deps: QualityDependencies, filter: QualityFilter): AsyncGenerator<InspectedChunk[]> {
  const isWhole = filter.source === null && filter.docId === null
  const inScope = (row: QualityRow): boolean =>
    (filter.source === null || row.source === filter.source) && (filter.docId === null || row.docId === filter.docId)
  if (!isWhole) {
    const scope = await readQualityScope(deps.executor, filter, MAX_SEARCHED + 1)
    if (scope.length <= MAX_SEARCHED) {
      const others = await neighboursOf(deps, scope, (row) => !inScope(row))
      yield [...scope, ...others]
        .sort((a, b) => a.chunkId - b.chunkId)
        .map((row) => ({ ...row, inScope: inScope(row) }))
      return
    }
  }
  yield* wholeBase(deps.executor, inScope)
}

async function* wholeBase(executor: Executor, inScope: (row: QualityRow) => boolean): AsyncGenerator<InspectedChunk[]> {
  for (let after = 0; ; ) {
    const rows = await readQualityPage(executor, after, PAGE_ROWS)
    if (rows.length > 0) yield rows.map((row) => ({ ...row, inScope: inScope(row) }))
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)!.chunkId
    await breathe()
  }
}

/** The base first: what repeats it is the upload. */
async function* pagesOfUpload(deps: QualityDependencies, upload: Upload): AsyncGenerator<InspectedChunk[]> {
  const { docId, source, metadata, chunks } = upload
  const isOther = (row: { docId: string }): boolean => row.docId !== docId
  if (chunks.length <= MAX_SEARCHED) {
    yield (await neighboursOf(deps, chunks, isOther)).map((row) => ({ ...row, inScope: false }))
  } else {
    for await (const page of wholeBase(deps.executor, () => false)) yield page.filter(isOther)
  }
  const { productCategory, applicableVersion } = metadata
  for (const page of batchesOf(chunks, PAGE_ROWS)) {
    yield page.map(({ title, headingPath, question, content, features }) => ({
      ...{ chunkId: null, docId, source, title, headingPath, question, content, features },
      ...{ productCategory, applicableVersion, inScope: true },
    }))
  }
}

/** The passages that the search finds for each chunk: whatever repeats or contradicts it uses its words. */
async function neighboursOf(
  { executor, search }: QualityDependencies,
  chunks: readonly Pick<PreparedChunk, 'question' | 'content'>[],
  wanted: (row: QualityRow) => boolean,
): Promise<QualityRow[]> {
  const ids = new Set<number>()
  for (const { question, content } of chunks) {
    const query = [question, content].filter(Boolean).join('\n').slice(0, QUERY_LENGTH)
    for (const { chunkId } of await search({ query, parameters: NEIGHBOURHOOD })) ids.add(chunkId)
  }
  return (await readQualityChunks(executor, [...ids])).filter(wanted)
}

/** An inspection without what a person looked at and accepted. */
async function withoutAccepted(executor: Executor, inspection: Inspection) {
  const duplicatePair = ({ chunk, duplicateOf }: Inspection['duplicates'][number]): Pair => {
    return { a: chunk.chunkId ?? 0, b: duplicateOf.chunkId ?? 0 }
  }
  const conflictPair = ({ a, b }: Inspection['conflicts'][number]): Pair => ({ a: a.chunkId ?? 0, b: b.chunkId ?? 0 })
  const pairs = [...inspection.duplicates.map(duplicatePair), ...inspection.conflicts.map(conflictPair)]
  const accepted = await readAccepted(executor, pairs)
  const duplicates = inspection.duplicates.filter((each) => !accepted.has(keyOf(duplicatePair(each))))
  const conflicts = inspection.conflicts.filter((each) => !accepted.has(keyOf(conflictPair(each))))
  const acceptedDuplicates = inspection.duplicates.length - duplicates.length
  const duplicateCount = inspection.duplicateCount - acceptedDuplicates
  return {
    left: { ...inspection, duplicates, duplicateCount, conflicts },
    acceptedCount: acceptedDuplicates + inspection.conflicts.length - conflicts.length,
  }
}

function toReport(inspection: Inspection, filter: QualityFilter): Omit<QualityReport, 'acceptedCount' | 'texts'> {
  const { totalChunks, duplicateCount, terms, sensitiveHits, conflicts } = inspection
  const missingTerms = terms.filter(({ hits }) => hits === 0).map(({ term }) => term)
  const terminologyHitRate = terms.length === 0 ? null : 1 - missingTerms.length / terms.length
  const duplicateRate = totalChunks === 0 ? 0 : duplicateCount / totalChunks
  // One document need not use every term.
  const isWhole = filter.source === null && filter.docId === null
  const usesTerms = !isWhole || terminologyHitRate === null || terminologyHitRate >= MIN_TERMINOLOGY_RATE
  const passed =
    sensitiveHits.length === 0 && conflicts.length === 0 && duplicateRate <= MAX_DUPLICATE_RATE && usesTerms
  return { ...inspection, checkedAt: new Date(), duplicateRate, terminologyHitRate, missingTerms, passed }
}

function toFindings({ sensitiveHits, duplicates, conflicts }: Inspection) {
  const messages = [
    ...sensitiveHits.map(
      ({ word, category, excerpt }) => `error: the sensitive word "${word}" (${category}) in "${excerpt}"`,
    ),
    ...conflicts.map((conflict) => describeConflict(conflict)),
    ...duplicates.map(
      ({ duplicateOf, similarity, excerpt }) =>
        `warning: "${excerpt}…" says almost the same as a passage of ${nameOf(duplicateOf)} (similarity ${similarity.toFixed(2)})`,
    ),
  ]
  return {
    /** A sensitive word was found: the upload must not be published. */
    rejected: sensitiveHits.length > 0,
    /** The findings, a line each, for the caller. */
    messages: shorten(messages),
  }
}

function describeConflict({ a, b, kind, excerptA, excerptB }: Inspection['conflicts'][number]): string {
  const [own, theirs, other] = a.chunkId === null ? [excerptA, excerptB, b] : [excerptB, excerptA, a]
  return `warning: another ${kind} than in ${nameOf(other)}: "${own}" against "${theirs}"`
}

function nameOf({ chunkId, source }: ChunkReference): string {
  return chunkId === null ? 'the same document' : source
}

function shorten(messages: readonly string[]): string[] {
  if (messages.length <= MAX_MESSAGES) return [...messages]
  return [...messages.slice(0, MAX_MESSAGES), `and ${messages.length - MAX_MESSAGES} more`]
}
