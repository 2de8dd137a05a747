import { findPersonal } from '../../business/masking/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import type { Knowledge, Publication } from '../knowledge/index.ts'
import {
  approveSolution,
  findCandidate,
  findSolution,
  insertSolution,
  listPendingSolutions,
  lockSolution,
  rejectSolution,
  saveCandidate,
  updateSolution,
} from './queries.ts'
import { type Answer, alikeQuestions, type Replay, replayQuestions } from './replay.ts'
import { excerpt } from './sentences.ts'
import { solutionDocument, solutionSource } from './solution-document.ts'
import type { Candidate, SimilarPassage, Solution, SolutionText } from './solution-types.ts'

export interface EscalationOptions {
  db: Database
  knowledge: Pick<Knowledge, 'search' | 'prepare' | 'publishWithin' | 'searchWith'>
  intentOf(text: string): string
  /** Answers one question with the passages that a search finds, as the assistant would without a model. */
  answer: Answer
  /** What customers asked lately in vain, newest first. */
  unansweredQuestions(limit: number): Promise<string[]>
  /** Notes what the approved solution is expected to answer, within the transaction of the approval. */
  addEvaluationCase(executor: Executor, expected: ExpectedAnswer): Promise<void>
  log: { warn(details: object, message: string): void }
}

export interface ExpectedAnswer {
  query: string
  /** The document that should be found. */
  source: string
  category: string
}

export interface Preview {
  solution: Solution
  similar: SimilarPassage[]
  /** What a reviewer should look at twice. */
  warnings: string[]
  replays: Replay[]
}

export type Escalation = ReturnType<typeof createEscalation>

const SIMILAR = 3
const SIMILAR_SCORE = 0.3
const SIMILAR_CHARACTERS = 300
const UNANSWERED = 500
/** Edits while an approval is being prepared make it start over, a few times. */
const APPROVAL_ATTEMPTS = 3

/** Answers of people on their way into the knowledge base: submitted, edited, replayed, approved or rejected. */
export function createEscalation(options: EscalationOptions) {
  const { db, intentOf } = options

  return {
    /** Puts a solution into the review queue; an empty intent is determined from the question. */
    async submit(submitted: SolutionText & { sessionId: string }): Promise<Solution> {
      const text = completed(submitted, intentOf)
      const similar = await similarTo(options, text.question)
      const { sessionId } = submitted
      return insertSolution(db.executor, { ...text, sessionId, solutionId: newId('sol'), similar })
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

    pending: (): Promise<Solution[]> => listPendingSolutions(db.executor),

    find: (solutionId: string): Promise<Solution> => existing(db.executor, solutionId),

    /** Throws not_found, or conflict when it was reviewed. */
    async edit(solutionId: string, changes: Partial<SolutionText>): Promise<Solution> {
      const { question, solution, intent } = await existing(db.executor, solutionId)
      const text = completed({ question, solution, intent, ...changes }, intentOf)
      const updated = await updateSolution(db.executor, solutionId, text, await similarTo(options, text.question))
      return updated ?? reviewed(await existing(db.executor, solutionId))
    },

    /** Throws not_found, or conflict when it was approved. Again is harmless and keeps the first reason. */
    async reject(solutionId: string, reason: string): Promise<Solution> {
      const rejected = await rejectSolution(db.executor, solutionId, reason)
      if (rejected) return rejected
      const current = await existing(db.executor, solutionId)
      return current.status === 'rejected' ? current : reviewed(current)
    },

    /**
     * Approved and searchable, or neither. Again is harmless, and so are two people at once. Throws not_found also when
     * it cannot be ingested, with the reason, and conflict when it was rejected.
     */
    approve: (solutionId: string): Promise<Solution> => approve(options, solutionId),

    preview: (solutionId: string): Promise<Preview> => preview(options, solutionId),
  }
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
  throw new AppError('conflict', 'solution_state', `The solution is ${status} already`)
}

/** What the knowledge base says to a question now; nothing when it cannot be asked. */
async function similarTo({ knowledge, log }: EscalationOptions, question: string): Promise<SimilarPassage[]> {
  try {
    const hits = await knowledge.search({ query: question, topK: SIMILAR })
    return hits
      .filter(({ score }) => score >= SIMILAR_SCORE)
      .map(({ docId, source, score, question: asked, content }) => {
        return { docId, source, score, question: asked, content: excerpt(content, SIMILAR_CHARACTERS) }
      })
  } catch (error) {
    log.warn({ err: error }, 'Looking for similar passages failed')
    return []
  }
}

async function approve(options: EscalationOptions, solutionId: string): Promise<Solution> {
  for (let attempt = 1; attempt <= APPROVAL_ATTEMPTS; attempt++) {
    const solution = await existing(options.db.executor, solutionId)
    if (solution.status === 'approved') return solution
    if (solution.status === 'rejected') return reviewed(solution)
    const approved = await publish(options, solution)
    if (approved) return approved
  }
  throw new AppError('conflict', 'solution_edited', 'The solution is being edited; look at it again')
}

/** Publishes what was read; undefined when it was edited since. */
async function publish(options: EscalationOptions, solution: Solution): Promise<Solution | undefined> {
  const { db, knowledge } = options
  const { solutionId } = solution
  try {
    const publication = await prepare(options, solution)
    return await db.transaction(async (trx) => {
      const current = await lockSolution(trx, solutionId)
      if (current?.status !== 'pending') return current
      if (current.revision !== solution.revision) return undefined
      const { docId } = await knowledge.publishWithin(trx, publication)
      const { question: query, intent: category } = solution
      await options.addEvaluationCase(trx, { query, source: solutionSource(solution), category })
      return approveSolution(trx, solutionId, docId)
    })
  } catch (error) {
    const reason = error instanceof AppError ? error.message : 'internal error'
    throw new AppError('not_found', 'ingestion_failed', `The solution could not be ingested: ${reason}`, {
      cause: error,
    })
  }
}

function prepare({ knowledge }: EscalationOptions, solution: Solution): Promise<Publication> {
  const { request, fileName } = solutionDocument(solution)
  return knowledge.prepare(request, fileName)
}

async function preview(options: EscalationOptions, solutionId: string): Promise<Preview> {
  const { db, knowledge, answer } = options
  const solution = await existing(db.executor, solutionId)
  const publication = await prepare(options, solution)
  const alike = alikeQuestions(solution.question, await options.unansweredQuestions(UNANSWERED))
  const replays = await replayQuestions([solution.question, ...alike], {
    answer,
    before: (query) => knowledge.search({ query }),
    after: (query) => knowledge.searchWith(publication, { query }),
  })
  return { solution, similar: await similarTo(options, solution.question), warnings: warningsFor(solution), replays }
}

function warningsFor({ question, solution }: SolutionText): string[] {
  return Object.entries({ question, solution })
    .filter(([, text]) => findPersonal(text).length > 0)
    .map(([field]) => `${field}: holds personal data, which every customer would see`)
}
