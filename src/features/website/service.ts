import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { ExclusiveJob, JobRun } from '../../platform/exclusive-job.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { pageAddress, sitemapAddresses } from './page.ts'
import { findPage, findReport, savePage, saveReport } from './queries.ts'
import { EVERYTHING, parseRobots, type Robots } from './robots.ts'
import { type PageOptions, type Taken, takePage, USER_AGENT } from './take-page.ts'
import type { ImportReport, ImportSummary, WebsiteRequest } from './types.ts'

export interface WebsiteOptions extends PageOptions {
  db: Database
  /** Of its own: one import at a time over all replicas. */
  job: ExclusiveJob
  /** Between two requests, in milliseconds, where the site does not ask for more. */
  pauseMs: number
  log: Log
}

export type WebsiteImports = ReturnType<typeof createWebsiteImports>

const AGENT = 'frontdesk'
const MAX_DELAY_SECONDS = 10
const MAX_SITEMAPS = 50
/** Addresses that are remembered for later: a site that makes up links has no end. */
const MAX_QUEUE = 20_000
const MAX_FAILURES = 100
const NO_SUMMARY = { imported: 0, unchanged: 0, skipped: 0, failed: 0, gone: 0, left: 0 }

/** Takes the pages of a website into the knowledge base: those of a sitemap, or those that links lead to. */
export function createWebsiteImports(options: WebsiteOptions) {
  const { job, db } = options
  return {
    /**
     * Resolves with the run's id once it is under way. Throws invalid for addresses that are none or on two hosts,
     * bad_request for a site that may not or cannot be reached, conflict while another import runs.
     */
    async start(request: WebsiteRequest, by: string | null): Promise<string> {
      const site = siteOf(request)
      const robots = await readRobots(options, site.url)
      const { promise: begun, resolve: onBegun } = Promise.withResolvers<string>()
      const work = (run: JobRun): Promise<string> => importSite(options, { ...site, robots }, run)
      const ended = job.run(site.url, work, undefined, { by, onBegun, resultOf: (reportId) => reportId })
      ended.catch((error: unknown) => {
        if (!(error instanceof AppError)) options.log.warn({ err: error }, 'An import of a website failed')
      })
      return Promise.race([begun, ended])
    },

    /** Throws not_found. */
    async report(reportId: string): Promise<ImportReport> {
      const report = await findReport(db.executor, reportId)
      if (!report) throw new AppError('not_found', 'report', `No import has the report_id ${reportId}`)
      return report
    },

    runs: job,
    close: () => job.close(),
  }
}

interface Site extends WebsiteRequest {
  robots: Robots
}

function siteOf(request: WebsiteRequest): WebsiteRequest {
  const url = pageAddress(request.url)
  if (!url) throw invalid('url', 'must be an http or https address')
  if (request.sitemap === null) return { ...request, url }
  const sitemap = pageAddress(request.sitemap, url)
  if (!sitemap) throw invalid('sitemap', 'must be an http or https address')
  if (!isSameHost(sitemap, url)) throw invalid('sitemap', 'must be on the host of url')
  return { ...request, url, sitemap }
}

function invalid(field: string, reason: string): AppError {
  return new AppError('invalid', 'validation', `${field}: ${reason}`)
}

function isSameHost(a: string, b: string): boolean {
  return new URL(a).host === new URL(b).host
}

/** A site whose rules cannot be read may not be read (RFC 9309); one without any may. */
async function readRobots(options: WebsiteOptions, url: string): Promise<Robots> {
  const { status, text } = await fetchText(
    options,
    new URL('/robots.txt', url).href,
    AbortSignal.timeout(20_000),
  ).catch((error: unknown) => {
    const reason = error instanceof AppError ? error.message : 'cannot be reached'
    throw new AppError('bad_request', 'website', `url: ${reason}`, { cause: error })
  })
  if (status >= 500) throw new AppError('bad_request', 'website', `url: its robots.txt answers ${status}`)
  return status >= 300 ? EVERYTHING : parseRobots(text, AGENT)
}

async function fetchText({ fetch }: WebsiteOptions, url: string, signal: AbortSignal) {
  const headers = { 'user-agent': USER_AGENT, accept: 'text/plain,application/xml,text/xml,*/*' }
  const response = await fetch(url, { headers, signal })
  return { status: response.status, text: await response.text() }
}

/** Returns the id of the report. */
async function importSite(options: WebsiteOptions, site: Site, run: JobRun): Promise<string> {
  const walk = createWalk(
    site,
    site.sitemap === null ? [site.url] : await readSitemaps(options, site, site.sitemap, run.signal),
  )
  const summary: ImportSummary = { ...NO_SUMMARY, failures: [] }
  const delay = Math.max(options.pauseMs, Math.min(site.robots.crawlDelay, MAX_DELAY_SECONDS) * 1_000)
  for (let done = 0; done < site.limit; done++) {
    const url = walk.next()
    if (url === null) break
    if (done > 0) await sleep(delay, undefined, { signal: run.signal }).catch(() => {})
    run.signal.throwIfAborted()
    run.progress(done, Math.min(site.limit, done + 1 + walk.waiting()), 'reading')
    const taken = await attempt(options, url, isBelow(url, site.pathPrefix), run.signal)
    note(summary, url, taken)
    if (taken.instead) walk.add([taken.instead])
    if (site.sitemap === null) walk.add(taken.links)
  }
  summary.left = walk.waiting()
  const reportId = newId('import')
  await saveReport(options.db.executor, { reportId, url: site.url, summary })
  return reportId
}

function note(summary: ImportSummary, url: string, { outcome, reason }: Taken): void {
  summary[outcome]++
  if (outcome === 'failed' && summary.failures.length < MAX_FAILURES)
    summary.failures.push({ url, reason: reason ?? 'failed' })
}

/** A page that cannot be read or taken in is told of and left as it was. */
async function attempt(options: WebsiteOptions, url: string, isWanted: boolean, signal: AbortSignal): Promise<Taken> {
  const { executor } = options.db
  const known = await findPage(executor, url)
  try {
    const taken = await takePage(options, { url, known, isWanted, signal })
    if (taken.page) await savePage(executor, taken.page)
    return taken
  } catch (error) {
    signal.throwIfAborted()
    // The database is gone, for one: no other page would fare better.
    const isOurs = error instanceof AppError && error.kind === 'unavailable' && !error.code.startsWith('outbound_')
    if (isOurs) throw error
    if (!(error instanceof AppError)) options.log.warn({ err: error, url }, 'A page could not be taken in')
    return { outcome: 'failed', reason: error instanceof AppError ? error.message : 'could not be taken in', links: [] }
  }
}

/** The addresses of a site that are still to be asked for, each once; those that it does not let us read never are. */
function createWalk({ url: start, pathPrefix, robots }: Site, first: readonly string[]) {
  const known = new Set<string>()
  const queue: string[] = []
  let at = 0
  const isWelcome = (url: string): boolean => {
    const { pathname, search } = new URL(url)
    return (
      isSameHost(url, start) && (isBelow(url, pathPrefix) || url === start) && robots.allows(`${pathname}${search}`)
    )
  }
  const add = (urls: readonly string[]): void => {
    for (const url of urls) {
      if (known.size >= MAX_QUEUE || known.has(url) || !isWelcome(url)) continue
      known.add(url)
      queue.push(url)
    }
  }
  add(first)
  return { add, next: (): string | null => queue[at++] ?? null, waiting: () => Math.max(0, queue.length - at) }
}

function isBelow(url: string, prefix: string): boolean {
  return new URL(url).pathname.startsWith(prefix)
}

/** The pages of a sitemap and of those that it names. */
async function readSitemaps(
  options: WebsiteOptions,
  { url }: Site,
  first: string,
  signal: AbortSignal,
): Promise<string[]> {
  const pages: string[] = []
  const sitemaps = [first]
  for (let i = 0; i < sitemaps.length && i < MAX_SITEMAPS; i++) {
    signal.throwIfAborted()
    const { status, text } = await fetchText(options, sitemaps[i] as string, signal)
    if (status !== 200 && i === 0)
      throw new AppError('bad_request', 'website', `sitemap: the server answered ${status}`)
    const { addresses, isIndex } = sitemapAddresses(status === 200 ? text : '')
    const own = addresses.filter((address) => isSameHost(address, url))
    // Not push(...): a spread of a long array overflows the stack.
    for (const address of own) (isIndex ? sitemaps : pages).push(address)
  }
  return pages
}
