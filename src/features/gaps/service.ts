import { setImmediate as breathe } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { type DoubtfulReply, newestSeq, ratedReplies, unsureReplies } from '../sessions/index.ts'
import { type Compared, nearestOf, toCompared, toGroup } from './alike.ts'
import {
  countOpenGaps,
  decideGap,
  dropRated,
  findGap,
  findKinds,
  insertGap,
  leadersMarker,
  listGaps,
  listLeaders,
  listQuestions,
  listStale,
  moveCursor,
  readCursor,
  type StaleGap,
  saveCheck,
  saveQuestion,
  saveSolutions,
  trimGaps,
} from './queries.ts'
import type { Gap, GapFilter, GapQuestion, NearDocument } from './types.ts'

export interface GapsOptions {
  db: Database
  /** The assistant's reply to a question by itself, without a model. */
  answer(question: string): Promise<{
    confidence: string
    sources: readonly { docId: string; source: string; score: number; version: string }[]
  }>
  /** The documents that come nearest, surely an answer or not. */
  nearest(question: string): Promise<NearDocument[]>
  /** Of everything that an answer rests on: when it changes, answers may. */
  answersMarker(): Promise<string>
  /** Solutions that nobody has reviewed, newest first, and something that changes with them. */
  waitingSolutions(): Promise<{ marker: string; solutions: readonly { solutionId: string; question: string }[] }>
  meaningOf(text: string): Float32Array
  languageOf(text: string): 'zh' | 'en'
  mask(text: string): string
  now(): number
}

export type Gaps = ReturnType<typeof createGaps>

/** Questions kept: what nobody asked for so long is no gap any more. */
const KEPT = 20_000
const LEADERS = 5_000
const BATCH = 500
/** A message may become visible after one with a higher number: so many are looked at again. */
const OVERLAP = 1_000
const OVERLAP_MS = 60_000
/** Callers wait for so much of the work; the rest is done for the next. */
const READ_MS = 2_000
const CHECK_MS = 1_500
const CHECKED = 100
/** Questions of a group by which it is judged. */
const JUDGED = 3
const SLICE = 20
const MAX_QUESTION = 500

/** Questions that customers asked in vain, grouped by what they mean. Groups close by themselves when the base answers them. */
export function createGaps(options: GapsOptions) {
  const { db } = options

  /** Brings everything up to date; false: there was too much for once. */
  async function refresh(): Promise<boolean> {
    const isRead = await readNew(options)
    await linkSolutions(options)
    return (await checkStale(options)) && isRead
  }
  async function existing(gapId: string): Promise<Gap> {
    const gap = await findGap(db.executor, gapId)
    if (!gap) throw new AppError('not_found', 'gap', `No gap has the gap_id ${gapId}`)
    return gap
  }

  return {
    refresh,

    /** Those that most conversations have first. */
    async list(filter: GapFilter, limit: number) {
      const isComplete = await refresh()
      return { ...(await listGaps(db.executor, filter, limit)), isComplete }
    },

    /** How many there are of which nobody has drafted an answer. */
    countOpen: async (): Promise<number> => {
      await refresh()
      return countOpenGaps(db.executor)
    },

    /** A gap with its questions, newest first. Throws not_found. */
    async detail(gapId: string, page: { before: number | null; limit: number }) {
      await refresh()
      return { gap: await existing(gapId), questions: await listQuestions(db.executor, gapId, page) }
    },

    /** Lets a gap be ignored, or looked after again. Throws not_found. */
    async decide(
      gapId: string,
      decision: { isIgnored: boolean; by: string | null },
    ): Promise<Record<'before' | 'after', Gap>> {
      const before = await existing(gapId)
      await decideGap(db.executor, gapId, decision)
      return { before, after: await existing(gapId) }
    },
  }
}

/** Sorts new questions into groups, a batch a transaction; one replica at a time. */
async function readNew(options: GapsOptions): Promise<boolean> {
  const { db, now } = options
  const startedAt = now()
  for (let isFirst = true; ; isFirst = false) {
    const cursor = await readCursor(db.executor)
    const end = await newestSeq(db.executor)
    const replies = await repliesAfter(db.executor, cursor, isFirst)
    const { unsure, rated } = replies
    const fresh = await newOf(db.executor, [...unsure, ...rated])
    if (fresh.length > 0 || rated.length > 0) await db.transaction((trx) => takeIn(options, trx, fresh, rated))
    const isEnd = unsure.length < BATCH && rated.length < BATCH
    await moveCursor(db.executor, {
      messageSeq: unsure.length < BATCH ? Math.max(0, end - OVERLAP) : (unsure.at(-1)?.seq ?? 0),
      ratedAt: rated.length < BATCH ? earlier(rated.at(-1)?.ratedAt) : (rated.at(-1)?.ratedAt ?? null),
    })
    if (isEnd) return true
    if (now() - startedAt > READ_MS) return false
  }
}

function earlier(date: Date | null | undefined): Date | null {
  return date ? new Date(date.getTime() - OVERLAP_MS) : null
}

async function repliesAfter(
  executor: Executor,
  { messageSeq, ratedAt }: { messageSeq: number; ratedAt: Date | null },
  isFirst: boolean,
) {
  const unsure = await unsureReplies(executor, messageSeq, BATCH)
  return { unsure, rated: isFirst ? await ratedReplies(executor, ratedAt, BATCH) : [] }
}

/** Those that no group has yet, as what they are now. */
async function newOf(executor: Executor, replies: readonly DoubtfulReply[]): Promise<DoubtfulReply[]> {
  const kinds = await findKinds(
    executor,
    replies.map(({ messageId }) => messageId),
  )
  const byId = new Map<string, DoubtfulReply>()
  for (const reply of replies) {
    const kind = kindOf(reply)
    const known = kinds.get(reply.messageId)
    if (kind && kind !== known && !(known === 'rated_down' && reply.rating === null)) byId.set(reply.messageId, reply)
  }
  return [...byId.values()]
}

function kindOf({ rating, isUnsure }: DoubtfulReply): GapQuestion['kind'] | null {
  if (rating === 'down') return 'rated_down'
  return isUnsure ? 'unsure' : null
}

async function takeIn(
  options: GapsOptions,
  trx: Executor,
  fresh: readonly DoubtfulReply[],
  rated: readonly DoubtfulReply[],
): Promise<void> {
  await readCursor(trx, { lock: true })
  const groups = (await listLeaders(trx, LEADERS)).map(toGroup)
  for (const [i, reply] of fresh.entries()) {
    if (i % SLICE === SLICE - 1) await breathe()
    const question = toQuestion(options, reply)
    if (question.question === '') continue
    const compared = toCompared(question.question, options.meaningOf)
    const gapId = nearestOf(compared, groups)?.gapId ?? (await openGap(trx, groups, compared))
    await saveQuestion(trx, gapId, question)
  }
  await dropRated(
    trx,
    rated.filter((reply) => kindOf(reply) === null).map(({ messageId }) => messageId),
  )
  await trimGaps(trx, KEPT)
}

async function openGap(trx: Executor, groups: { gapId: string; compared: Compared }[], compared: Compared) {
  const gapId = newId('gap')
  await insertGap(trx, gapId, compared.meaning)
  groups.push({ gapId, compared })
  return gapId
}

function toQuestion({ mask, languageOf }: GapsOptions, reply: DoubtfulReply): GapQuestion {
  const { messageId, seq, sessionId, askedAt, sources } = reply
  const question = mask(reply.question.trim().slice(0, MAX_QUESTION))
  const restedOn = sources.map(({ docId, version }) => `${docId} ${version}`)
  const kind = kindOf(reply) ?? 'unsure'
  return { messageId, seq, sessionId, kind, question, language: languageOf(question), restedOn, askedAt }
}

/** Looks again at groups whose questions, or the base, changed; false: some are left for the next who asks. */
async function checkStale(options: GapsOptions): Promise<boolean> {
  const { db, now } = options
  const startedAt = now()
  const base = await options.answersMarker()
  const stale = await listStale(db.executor, { base, limit: CHECKED, questions: JUDGED })
  for (const gap of stale) {
    if (now() - startedAt > CHECK_MS) return false
    await saveCheck(db.executor, gap.gapId, { marker: gap.marker, ...(await check(options, gap)) })
  }
  return stale.length < CHECKED
}

/** A gap is closed where all of its latest questions get a sure answer, and one that was rated badly another than then. */
async function check({ answer, nearest }: GapsOptions, { questions }: StaleGap) {
  const [first] = questions
  const documents = first ? await nearest(first.question) : []
  for (const { question, kind, restedOn } of questions) {
    const { confidence, sources } = await answer(question)
    const isSame =
      kind === 'rated_down' && sources.every(({ docId, version }) => restedOn.includes(`${docId} ${version}`))
    if (confidence !== 'sure' || isSame) return { isAnswered: false, documents }
  }
  return { isAnswered: questions.length > 0, documents }
}

/** Notes which gaps a solution would answer that waits for its review. */
async function linkSolutions({ db, waitingSolutions, meaningOf }: GapsOptions): Promise<void> {
  const { marker, solutions } = await waitingSolutions()
  const own = `${marker}/${await leadersMarker(db.executor)}`
  if (own === (await readCursor(db.executor)).solutionsMarker) return
  const leaders = await listLeaders(db.executor, LEADERS)
  const proposed = solutions.map(({ solutionId, question }) => {
    return { solutionId, compared: toCompared(question, meaningOf) }
  })
  const found = new Map<string, string>()
  for (const { gapId, compared } of leaders.map(toGroup)) {
    const solution = nearestOf(compared, proposed)
    if (solution) found.set(gapId, solution.solutionId)
  }
  await saveSolutions(db.executor, found, own)
}
