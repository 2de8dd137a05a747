import pLimit from 'p-limit'
import { AppError } from '../../kernel/errors.ts'
import type { Knowledge, SearchHit, SearchRequest } from '../knowledge/index.ts'
import { type Answer, type Replay, replayQuestions } from '../solutions/index.ts'

export interface ReplayOptions {
  reading: Pick<Knowledge['reading'], 'searchAs' | 'list'>
  /** The assistant's reply to a question by itself, from what a search finds. */
  answer: Answer
  /** Questions of customers lately, newest first, each once. */
  recentQuestions(limit: number): Promise<string[]>
  /** Questions of the stored test sets that stand alone. */
  testQuestions(): Promise<string[]>
  mask(text: string): string
  now(): number
}

export interface ReplayAsked {
  docId: string
  version: string
  /** Null: the version that is served; of that one, the version before. */
  against: string | null
  /** Questions at the most. */
  limit: number
}

type Changed = Pick<Replay, 'question' | 'before' | 'after'> & { change: Exclude<Replay['change'], 'unchanged'> }

export interface ReplayedQuestion extends Changed {
  origin: 'conversation' | 'evaluation'
}

/** A reply looks at so many passages. */
const LOOKED_AT = 16
/** Half a minute is as long as anybody waits for a page. */
const MAX_MS = 20_000

/** Which questions would be answered otherwise if another version of a document were served. */
export function createVersionReplay(options: ReplayOptions) {
  // Each of them takes the processor for seconds.
  const inTurn = pLimit(1)
  return (asked: ReplayAsked) => inTurn(() => replayVersions(options, asked))
}

async function replayVersions(options: ReplayOptions, { docId, version, against, limit }: ReplayAsked) {
  const { reading, now } = options
  const from = against ?? (await versionBeside(reading, docId, version))
  const [before, after] = [await reading.searchAs(docId, from), await reading.searchAs(docId, version)]
  const { questions, available } = await questionsOf(options, limit)
  const startedAt = now()
  const items: ReplayedQuestion[] = []
  let asked = 0
  for (const { question, origin } of questions) {
    if (now() - startedAt > MAX_MS) break
    asked++
    const replay = await replayOne(options, { docId, question, before, after })
    if (replay) items.push({ ...replay, origin })
  }
  const count = (change: Changed['change']): number => items.filter((item) => item.change === change).length
  const summary = {
    ...{ answered: count('answered'), changed: count('changed'), improved: count('improved'), worse: count('worse') },
    unchanged: asked - items.length,
  }
  return { docId, from, to: version, asked, isComplete: asked === available, summary, items }
}

type SearchAs = (request: SearchRequest) => Promise<SearchHit[]>

/** Null: the answer is the same. Where neither version is among what a reply looks at, none need be written. */
async function replayOne(
  { answer, mask }: ReplayOptions,
  { docId, question, before, after }: { docId: string; question: string; before: SearchAs; after: SearchAs },
): Promise<Changed | null> {
  const found = await Promise.all([before, after].map((search) => search({ query: question, topK: LOOKED_AT })))
  if (!found.flat().some((hit) => hit.docId === docId)) return null
  const asReply = (search: SearchAs) => (query: string) => search({ query, topK: LOOKED_AT, withSurroundings: true })
  const [replay] = await replayQuestions([question], { answer, before: asReply(before), after: asReply(after) })
  if (!replay || replay.change === 'unchanged') return null
  return { question: mask(question), change: replay.change, ...sides(replay) }
}

function sides({ before, after }: Replay): Pick<Replay, 'before' | 'after'> {
  const plain = ({ reply, confidence, sources }: Replay['before']) => {
    return { reply, confidence, sources: sources.map(({ source, score }) => ({ source, score })) }
  }
  return { before: plain(before), after: plain(after) }
}

/** Those of test sets first: somebody chose them. */
async function questionsOf({ recentQuestions, testQuestions }: ReplayOptions, limit: number) {
  const [tested, recent] = await Promise.all([testQuestions(), recentQuestions(limit + 1)])
  const known = new Set(tested)
  const all = [
    ...tested.map((question) => ({ question, origin: 'evaluation' as const })),
    ...recent
      .filter((question) => !known.has(question))
      .map((question) => ({ question, origin: 'conversation' as const })),
  ]
  return { questions: all.slice(0, limit), available: all.length }
}

async function versionBeside(reading: ReplayOptions['reading'], docId: string, version: string): Promise<string> {
  const versions = await reading.list(docId, { before: null, limit: 200 })
  const active = versions.find(({ status }) => status === 'active')
  if (active && `v${active.versionNo}` !== version) return `v${active.versionNo}`
  const other = versions.find(({ versionNo, chunkCount }) => versionNo < Number(version.slice(1)) && chunkCount > 0)
  if (other) return `v${other.versionNo}`
  throw new AppError('not_found', 'version', `The document ${docId} has no other version to compare ${version} with`)
}
