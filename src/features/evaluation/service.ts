import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { ExclusiveJob, JobRun, RunOptions } from '../../platform/exclusive-job.ts'
import type { Files } from '../../platform/files.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Knowledge } from '../knowledge/index.ts'
import { compareReports } from './compare.ts'
import { type Assistant, judgeCases } from './judge.ts'
import { figuresByCategory, figuresOf, mean, percentile } from './metrics.ts'
import { findReport, insertReport, listReports } from './queries.ts'
import { recommend } from './recommendations.ts'
import { createTestsets, type TestsetChoice } from './testsets.ts'
import type { CaseResult, EvaluationCase, Report, ReportSummary } from './types.ts'

/** `P`: the tuner's parameters. */
export interface EvaluationOptions<P extends object> {
  db: Database
  files: Files
  /** The file of the built-in cases. */
  builtinPath: string
  assistant: Assistant<P>
  /** In force now. */
  parameters: () => P
  knowledge: Pick<Knowledge, 'searchable' | 'stats'>
  /** Lets one evaluation run at a time. */
  job: ExclusiveJob
  /** Lets customers go first. */
  giveWay: () => Promise<void>
}

export interface RunRequest extends TestsetChoice {
  /** 1 to 50; default: the tuner's. */
  topK?: number | undefined
}

/** Sets of parameters to be tried on the same cases. */
export interface Trial<P extends object> {
  name: string
  variants: readonly { variant: string; params: Partial<P> }[]
  /** Takes of each variant whether each answer was right. */
  store(right: ReadonlyMap<string, readonly boolean[]>): Promise<void>
}

export type Evaluation<P extends object = object> = ReturnType<typeof createEvaluation<P>>

/** Asks the assistant questions with known answers and keeps what came of it. */
export function createEvaluation<P extends object>(options: EvaluationOptions<P>) {
  const { db, assistant, job } = options
  const testsets = createTestsets(options)
  const existing = async (reportId: string): Promise<Report> => {
    const report = await findReport(db.executor, reportId)
    if (!report) throw new AppError('not_found', 'report', `No report has the report_id ${reportId}`)
    return report
  }

  /**
   * Runs to its end whether or not the caller stays. Throws what `testsets.load` throws, conflict while another run is
   * under way or when it is cancelled, and unavailable when `signal` aborts or the program ends.
   */
  async function run(request: RunRequest, signal?: AbortSignal, about: RunOptions<Report> = {}): Promise<Report> {
    const { testset, cases } = await testsets.load(request)
    const work = (led: JobRun) => evaluate(options, { testset, cases, topK: request.topK }, led)
    return job.run(testset, work, signal, { ...about, resultOf: ({ reportId }) => reportId })
  }

  return {
    testsets,

    run,

    /** Resolves with the run's id once it is under way; throws what `run` throws before that. */
    async start(request: RunRequest, by: string | null, signal?: AbortSignal): Promise<string> {
      const { promise: begun, resolve: onBegun } = Promise.withResolvers<string>()
      const ended = run(request, signal, { by, onBegun })
      // How it ended stands with the run.
      ended.catch(() => {})
      return Promise.race([begun, ended.then(({ reportId }) => reportId)])
    },

    /** As `start`, and leaves with the trial what came of it. @param resultId what the run names as its result */
    async startTrial(
      request: RunRequest,
      { trial, resultId, by }: { trial: Trial<P>; resultId: string; by: string | null },
      signal?: AbortSignal,
    ): Promise<string> {
      const { testset, cases } = await testsets.load(request)
      const { promise: begun, resolve: onBegun } = Promise.withResolvers<string>()
      const work = (led: JobRun) => tryOut(options, { cases, topK: request.topK, trial }, led)
      const ended = job.run(testset, work, signal, { by, onBegun, resultOf: () => resultId })
      // How it ended stands with the run.
      ended.catch(() => {})
      return Promise.race([begun, ended.then(() => resultId)])
    },

    /** Every run, and their end. */
    runs: job,

    /** The run under way, on any replica. */
    running: () => job.running(),

    /** Newest first. */
    reports: (page: { limit: number; offset: number }): Promise<ReportSummary[]> => listReports(db.executor, page),

    /** Throws not_found. */
    report: existing,

    /** Throws not_found. */
    async compare(a: string, b: string) {
      const [before, after] = [await existing(a), await existing(b)]
      return { a: before, b: after, ...compareReports(before, after) }
    },

    /** Null before any run. */
    async latest(): Promise<{ recallAt5: number; createdAt: Date } | null> {
      const [latest] = await listReports(db.executor, { limit: 1, offset: 0 })
      return latest ? { recallAt5: latest.recallAt5 ?? 0, createdAt: latest.createdAt } : null
    },

    /** How the cases go under parameters that need not be those in force; nothing is stored. */
    judge: (
      cases: readonly EvaluationCase[],
      params: P,
      signal: AbortSignal,
      using: Assistant<P> = assistant,
    ): Promise<CaseResult[]> =>
      judgeCases(using, cases, { params, topK: using.passagesPerAnswer(params), signal, giveWay: options.giveWay }),

    close: () => job.close(),
  }
}

async function tryOut<P extends object>(
  { assistant, parameters, giveWay }: EvaluationOptions<P>,
  { cases, topK, trial }: { cases: readonly EvaluationCase[]; topK: number | undefined; trial: Trial<P> },
  { signal, progress }: JobRun,
): Promise<void> {
  const right = new Map<string, boolean[]>()
  const total = cases.length * trial.variants.length
  for (const { variant, params: changes } of trial.variants) {
    const params = { ...parameters(), ...changes }
    const before = right.size * cases.length
    progress(before, total, 'asking')
    const onCase = (done: number): void => progress(before + done, total, 'asking')
    const looked = { params, topK: topK ?? assistant.passagesPerAnswer(params), signal, giveWay, onCase }
    const results = await judgeCases(assistant, cases, looked)
    right.set(
      variant,
      results.map(({ answerRight }) => answerRight),
    )
  }
  await trial.store(right)
}

async function evaluate<P extends object>(
  { db, assistant, parameters, knowledge, giveWay }: EvaluationOptions<P>,
  asked: { testset: string; cases: readonly EvaluationCase[]; topK: number | undefined },
  { signal, progress }: JobRun,
): Promise<Report> {
  const { testset, cases } = asked
  const params = parameters()
  const topK = asked.topK ?? assistant.passagesPerAnswer(params)
  progress(0, cases.length, 'asking')
  const before = await knowledge.stats()
  const onCase = (done: number): void => progress(done, cases.length)
  const results = await judgeCases(assistant, cases, { params, topK, signal, giveWay, onCase })
  const after = await knowledge.stats()
  const documents = await knowledge.searchable()
  const latencies = results.map(({ latencyMs }) => latencyMs)
  const figures = figuresOf(results)
  const byCategory = figuresByCategory(results)
  const p95LatencyMs = percentile(latencies, 0.95)
  const changedMeanwhile = before.revision !== after.revision
  const report = {
    reportId: newId('eval'),
    testset,
    topK,
    ...figures,
    avgLatencyMs: mean(latencies),
    p95LatencyMs,
    byCategory,
    params: { ...params } as Record<string, number>,
    knowledgeVersion: before.revision,
    recommendations: recommend({
      testset,
      topK,
      results,
      figures,
      byCategory,
      p95LatencyMs,
      documents,
      changedMeanwhile,
    }),
    cases: results,
  }
  return { ...report, createdAt: await insertReport(db.executor, report) }
}
