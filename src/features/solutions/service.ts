import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import type { Knowledge } from '../knowledge/index.ts'
import { listConversations, unansweredQuestions } from '../sessions/index.ts'
import type { CustomerRecords } from './customer-values.ts'
import {
  approveSolution,
  countPendingSolutions,
  deleteDraft,
  findCandidate,
  findSolution,
  insertSolution,
  listPendingSolutions,
  listSolutions,
  listWaiting,
  lockSolution,
  rejectSolution,
  reopenSolution,
  saveCandidate,
  saveDraft,
  submitDraft,
  updateSolution,
} from './queries.ts'
import { type Answer, alikeQuestions, type Replay, replayQuestions } from './replay.ts'
import { preparePublication, type Review, reviewSolution, similarTo, solutionSource } from './review.ts'
import type { Candidate, Draft, Solution, SolutionFilter, SolutionText } from './solution-types.ts'

export interface SolutionsOptions {
  db: Database
  knowledge: Pick<Knowledge, 'search' | 'prepare' | 'inspect' | 'publishTogether' | 'removeTogether' | 'searchWith'>
  /** The records in the shop's systems of customers, and of these orders and their owners. Rejects when they fail. */
  recordsOf(request: { userIds: readonly string[]; orderIds: readonly string[] }): Promise<CustomerRecords>
  intentOf(text: string): string
  /** Answers one question with the passages that a search finds, as the assistant would without a model. */
  answer: Answer
  /** Notes what the approved solution is expected to answer, within the transaction of the approval. */
  addEvaluationCase(executor: Executor, expected: ExpectedAnswer): Promise<void>
  /** Takes that back, by its question. */
  dropEvaluationCase(executor: Executor, query: string): Promise<void>
  log: Log
}

export interface ExpectedAnswer {
  query: string
  /** The document that should be found. */
  source: string
  category: string
}

export interface Preview extends Review {
  solution: Solution
  replays: Replay[]
}

export type SubmittedSolution = SolutionText & { sessionId: string }

export type Solutions = ReturnType<typeof createSolutions>

/** Of the queue, those that are compared with the knowledge base each time that it is listed. */
const COMPARED = 50
const UNANSWERED = 500
/** Drafts kept: people may want none of them. */
const DRAFTS = 1_000
/** Solutions of the queue that others compare questions with. */
const WAITING = 500
/** Edits while an approval is being prepared make it start over, a few times. */
const APPROVAL_ATTEMPTS = 3

/** Answers of people on their way into the knowledge base: submitted, edited, replayed, approved or rejected. */
export function createSolutions(options: SolutionsOptions) {
  const { db, intentOf } = options

  return {
    /** Puts a solution into the review queue; an empty intent is determined from the question. */
    submit: (submitted: SubmittedSolution): Promise<Solution> => submit(options, submitted),

    /** The answer of a person in a session. Throws not_found for an unknown one. */
    async submitFrom(submitted: SubmittedSolution): Promise<Solution> {
      const [known] = await listConversations(db.executor, { sessionId: submitted.sessionId, messageIds: [] })
      if (known) return submit(options, submitted)
      throw new AppError('not_found', 'session', `No session has the session_id ${submitted.sessionId}`)
    },

    /**
     * The same for what mining found: running again updates a candidate that nobody has reviewed, and leaves one that
     * was reviewed as it is.
     */
    async submitCandidate(candidate: Candidate): Promise<Solution> {
      const complete = { ...candidate, ...completed(candidate, intentOf) }
      const similar = await similarTo(options, complete.question)
      const saved = await saveCandidate(db.executor, newId('sol'), complete, similar)
      return saved ?? ((await findCandidate(db.executor, candidate.candidateKey)) as Solution)
    },

    async pending(): Promise<Solution[]> {
      const waiting = await listPendingSolutions(db.executor)
      const fresh: Solution[] = []
      for (const each of waiting.slice(0, COMPARED)) {
        fresh.push({ ...each, similar: await similarTo(options, each.question) })
      }
      return [...fresh, ...waiting.slice(COMPARED)]
    },

    countPending: (): Promise<number> => countPendingSolutions(db.executor),

    /** Newest first, as they were stored: one that is looked at shows what the knowledge base says by now. */
    list: (filter: SolutionFilter): Promise<Solution[]> => listSolutions(db.executor, filter),

    /** Keeps what a resolved conversation leaves, once, for somebody to hand in. */
    draft: (draft: Draft): Promise<void> =>
      saveDraft(db.executor, { ...draft, solutionId: newId('sol'), intent: intentOf(draft.question) }, DRAFTS),

    /** Puts a draft into the review queue. Again is harmless. Throws not_found, or conflict when it was reviewed. */
    async submitDraft(solutionId: string): Promise<Solution> {
      const submitted = (await submitDraft(db.executor, solutionId)) ?? (await existing(db.executor, solutionId))
      return submitted.status === 'pending' ? looked(options, submitted) : reviewed(submitted)
    },

    /** Throws not_found, or conflict for one that is no draft any more. */
    async drop(solutionId: string): Promise<Solution> {
      const solution = await existing(db.executor, solutionId)
      if (await deleteDraft(db.executor, solutionId)) return solution
      const { status } = await existing(db.executor, solutionId)
      throw new AppError('conflict', 'solution_state', `Only drafts are dropped: the solution is ${status}`)
    },

    /** Those that nobody has reviewed, newest first, and a text that changes with them. */
    waiting: () => listWaiting(db.executor, WAITING),

    find: async (solutionId: string): Promise<Solution> => looked(options, await existing(db.executor, solutionId)),

    /** Throws not_found, or conflict when it was reviewed. */
    async edit(solutionId: string, changes: Partial<SolutionText>): Promise<Solution> {
      const { question, solution, intent } = await existing(db.executor, solutionId)
      const text = completed({ question, solution, intent, ...changes }, intentOf)
      const updated = await updateSolution(db.executor, solutionId, text, await similarTo(options, text.question))
      return updated ? looked(options, updated) : reviewed(await existing(db.executor, solutionId))
    },

    /** Throws not_found, or conflict when it was approved. Again is harmless and keeps the first reason. */
    async reject(solutionId: string, reason: string, reviewer: string | null = null): Promise<Solution> {
      const rejected = await rejectSolution(db.executor, solutionId, { reason, reviewer })
      if (rejected) return rejected
      const current = await existing(db.executor, solutionId)
      return current.status === 'rejected' ? current : reviewed(current)
    },

    /**
     * Approved and searchable, or neither. Again is harmless, and so are two people at once. Throws not_found also when
     * it cannot be ingested, with the reason, and conflict when it was rejected.
     */
    approve: (solutionId: string, reviewer: string | null = null): Promise<Solution> =>
      approve(options, solutionId, reviewer),

    /**
     * Takes a review back: the solution waits again, and of an approved one the document goes, or neither. Texts stay as
     * they were published. One that waits already stays as it is. Throws not_found, and conflict for a draft.
     */
    reopen: (solutionId: string): Promise<Solution> => reopen(options, solutionId),

    preview: (solutionId: string): Promise<Preview> => preview(options, solutionId),
  }
}

async function submit(options: SolutionsOptions, { sessionId, ...submitted }: SubmittedSolution): Promise<Solution> {
  const text = completed(submitted, options.intentOf)
  const similar = await similarTo(options, text.question)
  const solution = { ...text, sessionId, solutionId: newId('sol'), similar }
  return looked(options, await insertSolution(options.db.executor, solution))
}

function completed({ question, solution, intent }: SolutionText, intentOf: (text: string) => string): SolutionText {
  const text = { question: question.trim(), solution: solution.trim() }
  return { ...text, intent: intent.trim() || intentOf(text.question) }
}

async function existing(executor: Executor, solutionId: string): Promise<Solution> {
  const found = await findSolution(executor, solutionId)
  if (!found) throw new AppError('not_found', 'solution', `No solution has the solution_id ${solutionId}`)
  return found
}

function reviewed({ status }: Solution): never {
  if (status === 'draft') throw new AppError('conflict', 'solution_state', 'The solution is a draft: submit it first')
  throw new AppError('conflict', 'solution_state', `The solution is ${status} already`)
}

/** A solution that waits, with what is to be said of it as things stand. */
async function looked(options: SolutionsOptions, solution: Solution): Promise<Solution> {
  if (solution.status !== 'pending' && solution.status !== 'draft') return solution
  const { similar, masked, warnings } = await reviewSolution(options, solution)
  return { ...solution, similar, masked, warnings }
}

async function approve(options: SolutionsOptions, solutionId: string, reviewer: string | null): Promise<Solution> {
  for (let attempt = 1; attempt <= APPROVAL_ATTEMPTS; attempt++) {
    const solution = await existing(options.db.executor, solutionId)
    if (solution.status === 'approved') return solution
    if (solution.status !== 'pending') return reviewed(solution)
    const approved = await publish(options, solution, reviewer)
    if (approved) return approved
  }
  throw new AppError('conflict', 'solution_edited', 'The solution is being edited; look at it again')
}

/** Publishes what was read; undefined when it was edited since. */
async function publish(
  options: SolutionsOptions,
  solution: Solution,
  reviewer: string | null,
): Promise<Solution | undefined> {
  const { db, knowledge } = options
  const { solutionId } = solution
  try {
    const { review, publication } = await preparePublication(options, solution)
    const { published, masked, warnings, similar } = review
    return await knowledge.publishTogether(publication, (publishWithin) =>
      db.transaction(async (trx) => {
        const current = await lockSolution(trx, solutionId)
        if (current?.status !== 'pending') return current
        if (current.revision !== solution.revision) return undefined
        const { docId } = await publishWithin(trx)
        const source = solutionSource(solution)
        await options.addEvaluationCase(trx, { query: published.question, source, category: solution.intent })
        return approveSolution(trx, solutionId, { docId, ...published, masked, warnings, similar, reviewer })
      }),
    )
  } catch (error) {
    const reason = error instanceof AppError ? error.message : 'internal error'
    throw new AppError('not_found', 'ingestion_failed', `The solution could not be ingested: ${reason}`, {
      cause: error,
    })
  }
}

async function reopen(options: SolutionsOptions, solutionId: string): Promise<Solution> {
  const { db, knowledge } = options
  const { docId, status } = await existing(db.executor, solutionId)
  if (status === 'draft') throw new AppError('conflict', 'solution_state', 'Nobody has reviewed it: it is a draft')
  const back = (trx: Executor) => reopenSolution(trx, solutionId, docId)
  const reopened =
    docId === null
      ? await db.transaction(back)
      : await knowledge.removeTogether(docId, (removeWithin) =>
          db.transaction(async (trx) => {
            const solution = await back(trx)
            if (!solution) return undefined
            await removeWithin(trx)
            await options.dropEvaluationCase(trx, solution.question)
            return solution
          }),
        )
  return looked(options, reopened ?? (await existing(db.executor, solutionId)))
}

async function preview(options: SolutionsOptions, solutionId: string): Promise<Preview> {
  const { db, knowledge, answer } = options
  const solution = await existing(db.executor, solutionId)
  const { review, publication } = await preparePublication(options, solution)
  const { question } = review.published
  const alike = alikeQuestions(question, await unansweredQuestions(db.executor, UNANSWERED))
  const replays = await replayQuestions([question, ...alike], {
    answer,
    before: (query) => knowledge.search({ query }),
    after: (query) => knowledge.searchWith(publication, { query }),
  })
  return { solution, ...review, replays }
}
