import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { reduceOnThread } from '../../kernel/threads.ts'
import type { ExclusiveJob, JobRun, RunOptions } from '../../platform/exclusive-job.ts'
import { type CandidatesOptions, consolidate } from './candidates.ts'
import { type CoverageOptions, createCoverage } from './coverage.ts'
import type { ChosenColumns } from './importing/columns.ts'
import { importTickets } from './importing/import-tickets.ts'
import type { TicketRow } from './importing/ticket-file.ts'
import {
  countTickets,
  failRun,
  findLastRun,
  findLatestReport,
  findReport,
  finishRun,
  forgetClusters,
  type PagedTicket,
  pageTickets,
  startRun,
} from './queries.ts'
import { createSessionTickets, type SessionTicketsOptions } from './session-tickets.ts'
import type { ImportResult, MinedTicket, MinerSettings, MiningOutcome, MiningReport, TicketFilter } from './types.ts'

export interface MiningOptions extends Omit<CandidatesOptions, 'isCovered'>, CoverageOptions, SessionTicketsOptions {
  /** Lets one run at a time, over all replicas. */
  job: ExclusiveJob
  settings: Pick<MinerSettings, 'userDictionary'>
  /** Tickets from which on a problem is frequent. */
  minFrequency: number
}

export type Mining = ReturnType<typeof createMining>

const MAX_CLUSTERS = 2_000
/** Enough for about half a million tickets; beyond it the run fails and the service goes on. */
const MAX_HEAP_MB = 2_048
const PAGE = 500
/** Progress is told in percent: reading to the first, finding to the second, proposing to the end. */
const READ = 40
const FOUND = 80

/** Past tickets, and the frequent problems in them on their way into the review queue. */
export function createMining(options: MiningOptions) {
  const { db, job } = options
  const sessions = createSessionTickets(options)

  const run = (filter: TicketFilter, about: RunOptions<MiningReport> = {}): Promise<MiningReport> => {
    const work = async (led: JobRun): Promise<MiningReport> => {
      led.progress(0, 100, 'reading')
      await sessions.sweep()
      return mine(options, filter, led)
    }
    return job.run('tickets', work, undefined, { ...about, resultOf: ({ reportId }) => reportId })
  }

  return {
    importTickets: (
      rows: AsyncIterable<TicketRow> | Iterable<TicketRow>,
      chosen: ChosenColumns = {},
    ): Promise<ImportResult> => importTickets(db, rows, chosen),

    /** Throws conflict while another run is under way, on any replica, and unavailable when the program ends. */
    run,

    /** Resolves with the run's id once it is under way; throws what `run` throws before that. */
    async start(filter: TicketFilter, by: string | null): Promise<string> {
      const { promise: begun, resolve: onBegun } = Promise.withResolvers<string>()
      const ended = run(filter, { by, onBegun })
      // How it ended stands with the run.
      ended.catch(() => {})
      return Promise.race([begun, ended.then(({ reportId }) => reportId)])
    },

    /** Every run, and their end. */
    runs: job,

    /** Throws not_found. */
    async report(reportId: string): Promise<MiningReport> {
      const report = await findReport(db.executor, reportId)
      if (!report) throw new AppError('not_found', 'report', `No report has the report_id ${reportId}`)
      return report
    },

    /** With the report of the last run that came to its end; null before any. */
    async status() {
      const running = await job.running()
      const [report, lastRun] = await Promise.all([findLatestReport(db.executor), findLastRun(db.executor)])
      const isDead = lastRun?.state === 'running' && running === null
      return {
        report,
        running: running && { startedAt: running.startedAt, done: running.done, total: running.total },
        lastRun: lastRun && isDead ? { ...lastRun, state: 'interrupted' as const } : lastRun,
      }
    },

    /** Stops a run that is under way here. */
    async close(): Promise<void> {
      await Promise.all([job.close(), sessions.close()])
    },
  }
}

async function mine(options: MiningOptions, filter: TicketFilter, run: JobRun): Promise<MiningReport> {
  const { db } = options
  const reportId = newId('mining')
  const startedAt = new Date()
  await startRun(db.executor, { reportId, startedAt, filter })
  try {
    const found = await findAndPropose(options, filter, run)
    const report = { reportId, startedAt: startedAt.toISOString(), finishedAt: new Date().toISOString(), ...found }
    await finishRun(db.executor, report)
    await forgetClusters(db.executor)
    return report
  } catch (error) {
    const state = run.signal.aborted ? 'interrupted' : 'failed'
    const reason = error instanceof AppError ? error.message : state === 'failed' ? 'internal error' : ''
    await failRun(db.executor, { reportId, state, error: reason }).catch((cause: unknown) =>
      options.log.warn({ err: cause }, 'A mining run that failed could not say so'),
    )
    throw error
  }
}

async function findAndPropose(
  options: MiningOptions,
  filter: TicketFilter,
  { signal, progress }: JobRun,
): Promise<Pick<MiningReport, 'totalTickets' | 'ingested' | 'items' | 'unclustered' | 'errors'>> {
  const { db, settings, minFrequency } = options
  const total = await countTickets(db.executor, filter)
  const tally = { tickets: 0 }
  const pages = readPages(options, filter, (count) => {
    tally.tickets += count
    progress(Math.min(READ, Math.floor((tally.tickets / Math.max(1, total)) * READ)), 100, 'reading')
  })
  const thread = new URL('./miner-worker.ts', import.meta.url)
  const { clusters, leftOut, unclustered } = await reduceOnThread<MinedTicket[], MiningOutcome>(thread, pages, {
    of: 'the mining run',
    workerData: { ...settings, limits: { minFrequency, maxClusters: MAX_CLUSTERS } } satisfies MinerSettings,
    maxHeapMb: MAX_HEAP_MB,
    outOfMemory: {
      code: 'mining_memory',
      message: 'There are too many tickets to be mined at once; mine them by start_time and end_time',
    },
    signal,
    onProgress: (share) => progress(READ + Math.floor(share * (FOUND - READ)), 100, 'finding'),
  })
  const { items, waiting, errors } = await consolidate({ ...options, isCovered: createCoverage(options) }, clusters, {
    signal,
    onItem: (done) => progress(FOUND + Math.floor((done / clusters.length) * (100 - FOUND)), 100, 'proposing'),
  })
  const tooMany =
    leftOut > 0 ? [`${leftOut} more problems were found; only the ${MAX_CLUSTERS} most frequent count`] : []
  return { totalTickets: tally.tickets, ingested: waiting, items, unclustered, errors: [...tooMany, ...errors] }
}

async function* readPages(
  { db }: MiningOptions,
  filter: TicketFilter,
  onPage: (count: number) => void,
): AsyncIterable<MinedTicket[]> {
  for (let after: PagedTicket | null = null; ; ) {
    const page: PagedTicket[] = await pageTickets(db.executor, filter, after, PAGE)
    onPage(page.length)
    yield page.map(toMined)
    after = page.at(-1) ?? null
    if (page.length < PAGE) return
  }
}

/** A solution counts only once its ticket is closed. */
const SOLVED = new Set(
  'resolved solved closed done complete completed finished fixed 已解决 已关闭 已完成 已结案 已处理 已办结 已完结 已结束 关闭 完成 解决 结案 办结 完结 结束'.split(
    ' ',
  ),
)

function toMined({ ticketId, subject, content, solution, category, status }: PagedTicket): MinedTicket {
  // HubSpot names the pipeline, too: `closed (support pipeline)`.
  const isSolved = status === '' || SOLVED.has(status.replace(/\s?[(（].*$/, ''))
  return { ticketId, subject, content, category, solution: isSolved ? solution : '' }
}
