import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { ExclusiveJob, JobRun } from '../../platform/exclusive-job.ts'
import type { Database } from '../../platform/postgres/index.ts'
import {
  bootstrapInterval,
  type CaseResult,
  createRandom,
  type EvaluationCase,
  mean,
  type TestsetChoice,
  verdictOf,
} from '../evaluation/index.ts'
import { objectiveOf, performanceOf } from './auto-objective.ts'
import { searchParameters } from './auto-search.ts'
import { type Split, splitCases } from './auto-split.ts'
import type { TunerParameters } from './parameters.ts'
import { findLatestSearch, findSearch, type HistoryEntry, insertSearch } from './queries.ts'
import { differences, type Tuner, type TunerView } from './service.ts'

/** How the cases go under parameters that need not be those in force. */
export type Judge = (
  cases: readonly EvaluationCase[],
  params: TunerParameters,
  signal: AbortSignal,
) => Promise<CaseResult[]>

export interface AutoTunerOptions {
  db: Database
  tuner: Pick<Tuner, 'current' | 'update'>
  loadCases(choice: TestsetChoice): Promise<{ testset: string; cases: EvaluationCase[] }>
  /** A judge for one search; it may remember what it found for the same parameters. */
  createJudge(): Judge
  /** Counts the changes of the knowledge base. */
  knowledgeVersion(): Promise<number>
  /** Lets one search run at a time. */
  job: ExclusiveJob
  log: Log
}

export interface AutoRequest extends TestsetChoice {
  /** Put the best into force, if it is proven. */
  apply: boolean
  /** How many sets of parameters may be tried on the training cases. */
  budget: number
  seed: number
}

/** One automatic tuning: what it tried, found and did. */
export type AutoReport = Awaited<ReturnType<typeof search>>

export type FoundReport = AutoReport & { createdAt: Date }
export type AutoTuner = ReturnType<typeof createAutoTuner>

/** Twelve train and eight prove: fewer prove nothing. */
const MIN_CASES = 20

/** Searches the parameters on questions with known answers. */
export function createAutoTuner(options: AutoTunerOptions) {
  const { db, job } = options
  return {
    /**
     * Resolves when the search has begun, to its end, which rejects with unavailable when `signal` aborts or the program
     * ends. Throws what loading the test set throws, invalid for one that is too small, and conflict while another search
     * runs.
     */
    async start(
      request: AutoRequest,
      signal?: AbortSignal,
      by: string | null = null,
    ): Promise<{ ended: Promise<FoundReport>; runId: string }> {
      const { testset, cases } = await options.loadCases(request)
      const split = splitCases(cases, createRandom(request.seed))
      if (cases.length < MIN_CASES || split.train.length === 0 || split.heldOut.length === 0) {
        const message = `testset: ${cases.length} cases are too few to learn from some and prove it on others; at least ${MIN_CASES} different ones are needed`
        throw new AppError('invalid', 'testset', message)
      }
      const { promise: begun, resolve: onBegun } = Promise.withResolvers<string>()
      const work = async (run: JobRun): Promise<FoundReport> => {
        const report = await search(options, { ...request, testset }, split, run)
        return { ...report, createdAt: await insertSearch(db.executor, report) }
      }
      const ended = job.run(testset, work, signal, { by, onBegun, resultOf: ({ searchId }) => searchId })
      // Callers who do not wait for the end hear of its failure here alone.
      ended.catch((error: unknown) => options.log.warn({ err: error, testset }, 'A search for parameters failed'))
      const runId = await Promise.race([begun, ended.then(({ searchId }) => searchId)])
      return { ended, runId }
    },

    /** The search under way, on any replica. */
    running: () => job.running(),

    /** Every search, and their end. */
    runs: job,

    /** Throws not_found. */
    async found(searchId: string): Promise<FoundReport> {
      const report = await findSearch(db.executor, searchId)
      if (!report) throw new AppError('not_found', 'search', `No search has the search_id ${searchId}`)
      return report
    },

    /** Null before any search. */
    latest: () => findLatestSearch(db.executor),

    close: () => job.close(),
  }
}

async function search(
  options: AutoTunerOptions,
  request: AutoRequest & { testset: string },
  { train, heldOut }: Split,
  { signal, progress }: JobRun,
) {
  const { budget, seed, testset } = request
  const before = options.tuner.current()
  const knowledgeVersion = await options.knowledgeVersion()
  const judge = options.createJudge()
  // The last two are the proof.
  const total = budget + 2
  progress(0, total, 'searching')
  let done = 0
  const { best, tried } = await searchParameters({
    start: before.params,
    budget,
    random: createRandom(seed + 1),
    async score(params) {
      const results = await judge(train, params, signal)
      progress(++done, total)
      return performanceOf(results).score
    },
  })
  progress(done, total, 'proving')
  const proof = {
    current: await judge(heldOut, before.params, signal),
    best: await judge(heldOut, best.params, signal),
  }
  const trained = { current: await judge(train, before.params, signal), best: await judge(train, best.params, signal) }
  progress(total, total)
  const gains = proof.best.map((result, i) => objectiveOf(result) - objectiveOf(proof.current[i] as CaseResult))
  const interval = bootstrapInterval(gains)
  const changes = differences(before.params, best.params)
  const verdict = verdictOf(interval)
  const isStale = (await options.knowledgeVersion()) !== knowledgeVersion
  const outcome = await apply(options, { request, before, changes, verdict, isStale })
  return {
    searchId: newId('tune'),
    testset,
    seed,
    knowledgeVersion,
    trainCases: train.length,
    heldOutCases: heldOut.length,
    /** Every set of parameters that was tried on the training cases, in order, by what differs from those in force. */
    candidates: tried.map(({ params, score }) => ({ changes: differences(before.params, params), score })),
    current: { params: before.params, train: performanceOf(trained.current), heldOut: performanceOf(proof.current) },
    /** The best on the training cases. */
    best: { changes, train: performanceOf(trained.best), heldOut: performanceOf(proof.best) },
    /** Of the score on the held-out cases, best less current, with its 95 % confidence interval. */
    difference: { mean: mean(gains), ...interval },
    verdict,
    ...outcome,
  }
}

interface Finding {
  request: AutoRequest
  before: TunerView
  changes: HistoryEntry['changes']
  verdict: ReturnType<typeof verdictOf>
  /** The knowledge base changed while it was searched on. */
  isStale: boolean
}

/** `reason`: why it was applied or not; `tunerVersion`: of the parameters in force afterwards. */
async function apply({ tuner }: AutoTunerOptions, finding: Finding) {
  const { before, changes } = finding
  const reason = reasonAgainst(finding)
  if (reason !== null) return { applied: false, reason, tunerVersion: tuner.current().version }
  const values = Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to]))
  try {
    const { version } = await tuner.update(values, 'auto', before.version)
    return { applied: true, reason: 'It is better on the held-out cases than chance explains', tunerVersion: version }
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'conflict') throw error
    return { applied: false, reason: 'The parameters were changed meanwhile', tunerVersion: tuner.current().version }
  }
}

function reasonAgainst({ request, changes, verdict, isStale }: Finding): string | null {
  if (Object.keys(changes).length === 0) return 'Nothing better was found on the training cases'
  if (verdict === 'worse') return 'It is worse on the held-out cases'
  if (verdict === 'not_significant') return 'The difference on the held-out cases may be chance'
  if (!request.apply) return 'It is better on the held-out cases, and "apply" was not set'
  return isStale ? 'The knowledge base changed meanwhile: search again' : null
}
