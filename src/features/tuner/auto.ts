import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
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
import { type Candidate, DIMENSIONS, searchParameters } from './auto-search.ts'
import { type Split, splitCases } from './auto-split.ts'
import type { AutoReport, ParameterChanges } from './auto-types.ts'
import { performanceOf, worthOf } from './auto-worth.ts'
import type { TunerParameters } from './parameters.ts'
import { findLatestSearch, insertSearch } from './queries.ts'
import type { Tuner, TunerView } from './service.ts'

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
  log: { warn(details: object, message: string): void }
}

export interface AutoRequest extends TestsetChoice {
  /** Put the best into force, if it is proven. */
  apply: boolean
  /** How many sets of parameters may be tried on the training cases. */
  budget: number
  seed: number
}

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
    async start(request: AutoRequest, signal?: AbortSignal): Promise<{ ended: Promise<FoundReport> }> {
      const { testset, cases } = await options.loadCases(request)
      const split = splitCases(cases, createRandom(request.seed))
      if (cases.length < MIN_CASES || split.train.length === 0 || split.heldOut.length === 0) {
        const message = `testset: ${cases.length} cases are too few to learn from some and prove it on others; at least ${MIN_CASES} different ones are needed`
        throw new AppError('invalid', 'testset', message)
      }
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const work = async (run: JobRun): Promise<FoundReport> => {
        begin()
        const report = await search(options, { ...request, testset }, split, run)
        return { ...report, createdAt: await insertSearch(db.executor, report) }
      }
      const ended = job.run(testset, work, signal)
      // Whoever does not wait for the end hears of its failure here alone.
      ended.catch((error: unknown) => options.log.warn({ err: error, testset }, 'A search for parameters failed'))
      await Promise.race([begun, ended])
      return { ended }
    },

    /** The search under way, on any replica. */
    running: () => job.running(),

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
): Promise<AutoReport> {
  const { budget, seed, testset } = request
  const before = options.tuner.current()
  const knowledgeVersion = await options.knowledgeVersion()
  const judge = options.createJudge()
  // The last two are the proof.
  const total = budget + 2
  progress(0, total)
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
  const proof = {
    current: await judge(heldOut, before.params, signal),
    best: await judge(heldOut, best.params, signal),
  }
  const trained = { current: await judge(train, before.params, signal), best: await judge(train, best.params, signal) }
  progress(total, total)
  const differences = proof.best.map((result, i) => worthOf(result) - worthOf(proof.current[i] as CaseResult))
  const interval = bootstrapInterval(differences)
  const changes = changesOf(before.params, best)
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
    candidates: tried.map((candidate) => ({ changes: changesOf(before.params, candidate), score: candidate.score })),
    current: { params: before.params, train: performanceOf(trained.current), heldOut: performanceOf(proof.current) },
    best: { changes, train: performanceOf(trained.best), heldOut: performanceOf(proof.best) },
    difference: { mean: mean(differences), ...interval },
    verdict,
    ...outcome,
  }
}

function changesOf(from: TunerParameters, { params }: Pick<Candidate, 'params'>): ParameterChanges {
  const changed = DIMENSIONS.filter(({ name }) => params[name] !== from[name])
  return Object.fromEntries(changed.map(({ name }) => [name, { from: from[name], to: params[name] }]))
}

interface Finding {
  request: AutoRequest
  before: TunerView
  changes: ParameterChanges
  verdict: AutoReport['verdict']
  /** The knowledge base changed while it was searched on. */
  isStale: boolean
}

type Outcome = Pick<AutoReport, 'applied' | 'reason' | 'tunerVersion'>

async function apply({ tuner }: AutoTunerOptions, finding: Finding): Promise<Outcome> {
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
