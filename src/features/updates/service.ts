import { extname, isAbsolute, relative, sep } from 'node:path'
import pLimit from 'p-limit'
import { AppError, isUnavailable } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { ExclusiveJob, JobRun, RunOptions } from '../../platform/exclusive-job.ts'
import type { Files } from '../../platform/files.ts'
import type { Database } from '../../platform/postgres/index.ts'
import {
  type Audience,
  contentHash,
  type DocumentMetadata,
  documentIdOf,
  type Knowledge,
  type StoredFile,
} from '../knowledge/index.ts'
import { extensionsOf } from './extensions.ts'
import { findLastRun, findRun, saveRun } from './queries.ts'
import { isGone, scanFolder } from './scan.ts'
import { sourceLabel } from './source-label.ts'
import { createTally, type Tally } from './tally.ts'
import type { FileOutcome, FileUpdateResult, StoredRun, UpdateMode, UpdateResult } from './types.ts'

export interface UpdatesOptions {
  db: Database
  knowledge: Pick<Knowledge, 'ingest' | 'remove' | 'storedFiles'>
  files: Files
  /** Of its own: one update at a time over all replicas. */
  job: ExclusiveJob
  maxFileBytes: number
  log: Log
}

export type Updates = ReturnType<typeof createUpdates>

/** Files read and prepared at the same time: enough to keep the database busy while the next ones are analysed. */
const CONCURRENCY = 4
const DEFAULT_METADATA: DocumentMetadata = {
  knowledgeType: 'doc',
  productCategory: 'unknown',
  applicableVersion: 'latest',
  publishedAt: null,
}

/** Keeps documents as they are in files. Each document changes in a transaction of its own, so a crash tears none. */
export function createUpdates(options: UpdatesOptions) {
  const { db, files, job } = options
  return {
    /**
     * Takes in the new and changed files of a folder; `full` also deletes documents whose files are gone.
     * Throws bad_request for a folder that may not or cannot be read, conflict while another update runs.
     */
    async folder(mode: UpdateMode, asked: FolderAsked): Promise<UpdateResult> {
      return (await beginFolder(options, await prepared(options, mode, asked))).result
    },

    /** The same, but resolves with the run's id once it is under way. */
    async start(mode: UpdateMode, asked: FolderAsked, by: string | null): Promise<string> {
      const update = await prepared(options, mode, asked)
      const { promise: begun, resolve: onBegun } = Promise.withResolvers<string>()
      const ended = beginFolder(options, update, { by, onBegun })
      ended.catch((error: unknown) => {
        if (!(error instanceof AppError)) options.log.warn({ err: error }, 'An update of a folder failed')
      })
      // Its end comes first where it never begins: another one runs.
      return Promise.race([begun, ended.then(() => begun)])
    },

    runs: job,

    /** Outcome of an update, by the number that its run leaves. Throws not_found. */
    async report(reportId: string): Promise<StoredRun> {
      const run = /^\d{1,18}$/.test(reportId) ? await findRun(db.executor, reportId) : null
      if (!run) throw new AppError('not_found', 'report', `No update has the report_id ${reportId}`)
      return run
    },

    /**
     * Takes in one file, whether or not it changed. Throws bad_request for a file that may not or cannot be read,
     * conflict while another update runs.
     *
     * @param overrides what is said of the document; what is not overridden stays as it was.
     */
    async file(filePath: string, overrides: Overrides): Promise<FileUpdateResult> {
      const label = overrides.source === undefined ? {} : { source: sourceLabel(overrides.source) }
      if (!isAbsolute(filePath)) throw new AppError('bad_request', 'path', 'file_path: must be an absolute path')
      const { path } = await files.find('file_path', filePath)
      return job.run(`incremental ${path}`, () => updateFile(options, path, { ...overrides, ...label }))
    },

    async status() {
      const [last, running] = await Promise.all([findLastRun(db.executor), job.running()])
      if (!running) return { last, running: null }
      const { subject, done, total, startedAt } = running
      const mode: UpdateMode = subject.startsWith('full ') ? 'full' : 'incremental'
      return { last, running: { mode, path: subject.slice(mode.length + 1), processed: done, total, startedAt } }
    },

    /** Stops a running update between two documents. */
    close: () => job.close(),
  }
}

/** Details given of a document beside its file; `source` is its name where it is shown. */
export type Overrides = Partial<DocumentMetadata> & { source?: string; audience?: Audience }

interface FolderAsked {
  path: string
  /** Default: all that can be read. */
  extensions?: readonly string[]
  /** An address under which people read the folder; default: documents keep theirs. */
  urlPrefix?: string | null
}

interface FolderUpdate {
  mode: UpdateMode
  folder: string
  wanted: ReadonlySet<string>
  urlPrefix: string | null
}

async function prepared(
  { files }: UpdatesOptions,
  mode: UpdateMode,
  { path, extensions = [], urlPrefix = null }: FolderAsked,
): Promise<FolderUpdate> {
  const wanted = extensionsOf(extensions)
  return { mode, folder: await files.findFolder('dir_path', path), wanted, urlPrefix }
}

interface FolderUpdated {
  result: UpdateResult
  reportId: string
}

function beginFolder(
  options: UpdatesOptions,
  update: FolderUpdate,
  about: Omit<RunOptions<FolderUpdated>, 'resultOf'> = {},
): Promise<FolderUpdated> {
  const work = (run: JobRun): Promise<FolderUpdated> => updateFolder(options, update, run)
  const resultOf = ({ reportId }: FolderUpdated): string => reportId
  return options.job.run(`${update.mode} ${update.folder}`, work, undefined, { ...about, resultOf })
}

async function updateFolder(options: UpdatesOptions, update: FolderUpdate, run: JobRun): Promise<FolderUpdated> {
  const { mode, folder, wanted, urlPrefix } = update
  const { db, knowledge, files, log } = options
  const startedAt = new Date()
  const tally = createTally()
  const mayEnter = (path: string): Promise<boolean> =>
    files.findFolder('dir_path', path).then(
      (real) => real === path,
      () => false,
    )
  const scan = await scanFolder(folder, wanted, mayEnter)
  // A filter leaves documents alone whose files it does not name.
  const isInScope = ({ filePath }: StoredFile): boolean => wanted.has(extname(filePath).toLowerCase())
  const stored = (await knowledge.storedFiles(withSeparator(folder))).filter(isInScope)
  for (const { path, reason } of scan.unreadable) tally.note(`${path}: ${reason}`)

  const known = new Map(stored.map((each) => [each.filePath, each]))
  const limit = pLimit(CONCURRENCY)
  const failed = new AbortController()
  const stopped = AbortSignal.any([run.signal, failed.signal])
  let done = 0
  run.progress(done, scan.files.length, 'files')
  const taken = scan.files.map((path) =>
    limit(async () => {
      stopped.throwIfAborted()
      const url = urlPrefix === null ? null : urlBelow(urlPrefix, relative(folder, path))
      await takeIn(options, { path, stored: known.get(path), url }, tally).catch((error: unknown) =>
        failed.abort(error),
      )
      run.progress(++done, scan.files.length)
    }),
  )
  // After a failure no more begin, and those under way end.
  await Promise.allSettled(taken)
  failed.signal.throwIfAborted()
  await Promise.all(taken)
  if (mode === 'full') await deleteGone(options, stored, new Set(scan.files), tally, run.signal)
  // A disk that is not mounted looks the same: whoever is in charge should hear of it.
  if (scan.files.length === 0 && stored.length > 0)
    log.warn({ folder, mode }, 'A folder of documents holds none any more')

  const result = tally.result(mode, scan.files.length)
  const reportId = await saveRun(db.executor, { summary: summaryOf(result), path: folder, startedAt })
  return { result, reportId }
}

/** A file that cannot be taken in is counted and leaves its document as it was. */
async function takeIn(
  options: UpdatesOptions,
  { path, stored, url }: { path: string; stored: StoredFile | undefined; url: string | null },
  tally: Tally,
): Promise<void> {
  try {
    // An archived document stays out of use, whatever its file says by now.
    if (stored?.status === 'archived') return tally.skip()
    const bytes = await readSame(options, path)
    const isMoved = url !== null && stored?.metadata?.url !== url
    if (stored && isKnown(stored, contentHash(bytes)) && !(isMoved && stored.activeHash === contentHash(bytes)))
      return tally.skip()
    const metadata = { ...(stored?.metadata ?? DEFAULT_METADATA), ...(url === null ? {} : { url }) }
    tally.add(await ingest(options, { path, bytes, stored, metadata }))
  } catch (error) {
    if (!(error instanceof AppError)) options.log.warn({ err: error, path }, 'A file could not be taken in')
    // The database is gone, for one: no other file would fare better.
    if (isUnavailable(error)) throw error
    const reason = error instanceof AppError ? error.message : 'could not be taken in'
    tally.add({ path, status: 'failed', docId: documentIdOf(path), version: null, error: reason })
  }
}

/** Where a file of a folder is read: its path without extension; of `index` and `README` the folder's. */
function urlBelow(prefix: string, path: string): string {
  const parts = path.slice(0, path.length - extname(path).length).split(sep)
  if (/^(?:index|readme)$/i.test(parts.at(-1) ?? '')) parts.pop()
  return (prefix.endsWith('/') ? prefix : `${prefix}/`) + parts.map(encodeURIComponent).join('/')
}

/** The same content is served already, or was and somebody rolled it back. */
function isKnown({ status, activeHash, rolledBackHashes }: StoredFile, hash: string): boolean {
  return status === 'active' && (activeHash === hash || rolledBackHashes.includes(hash))
}

async function updateFile(
  options: UpdatesOptions,
  path: string,
  { source: label, audience = null, ...overrides }: Omit<Overrides, 'audience'> & { audience?: Audience | null },
): Promise<FileUpdateResult> {
  const startedAt = new Date()
  const tally = createTally()
  const [stored] = await options.knowledge.storedFiles(path)
  const bytes = await readSame(options, path)
  const metadata = { ...(stored?.metadata ?? DEFAULT_METADATA), ...overrides }
  const isSame = stored?.status === 'active' && stored.activeHash === contentHash(bytes)
  const isRenamed = label !== undefined && label !== stored?.source
  const isSkipped = isSame && !isRenamed && audience === null && !changes(stored.metadata, overrides)
  const outcome = await ingest(options, { path, bytes, stored, metadata, label, audience })
  if (isSkipped) tally.skip()
  else tally.add(outcome)
  const result = tally.result('incremental', 1)
  await saveRun(options.db.executor, { summary: summaryOf(result), path, startedAt })
  const { docId, version, status } = outcome
  return { ...result, path, docId, version, status: isSkipped ? 'skipped' : status }
}

function changes(current: DocumentMetadata | null, overrides: Partial<DocumentMetadata>): boolean {
  const names = Object.keys(overrides) as (keyof DocumentMetadata)[]
  return names.some((name) => current?.[name]?.valueOf() !== overrides[name]?.valueOf())
}

/** The file at this very path: a link that was put in its place since the scan leads elsewhere. */
async function readSame({ files, maxFileBytes }: UpdatesOptions, path: string): Promise<Buffer> {
  const read = await files.read('file', path, maxFileBytes)
  if (read.path !== path) throw new AppError('bad_request', 'path', 'file: changed while it was opened')
  return read.bytes
}

async function ingest(
  { knowledge }: UpdatesOptions,
  request: {
    path: string
    bytes: Buffer
    stored: StoredFile | undefined
    metadata: DocumentMetadata
    label?: string | undefined
    audience?: Audience | null
  },
): Promise<FileOutcome> {
  const { path, bytes, stored, metadata, label = null, audience = null } = request
  const file = { source: path, filePath: path, label, audience }
  const { docId, version } = await knowledge.ingest({ bytes, ...file, register: true, metadata })
  return { path, status: stored?.status === 'active' ? 'updated' : 'added', docId, version, error: null }
}

async function deleteGone(
  { knowledge }: UpdatesOptions,
  stored: readonly StoredFile[],
  scanned: ReadonlySet<string>,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  for (const { docId, filePath, status } of stored) {
    signal.throwIfAborted()
    // Looked at once more: a file may have been added, or a folder become unreadable, since the scan.
    if (status !== 'active' || scanned.has(filePath) || !(await isGone(filePath))) continue
    await knowledge.remove(docId)
    tally.add({ path: filePath, status: 'deleted', docId, version: null, error: null })
  }
}

function summaryOf({ files: _, ...summary }: UpdateResult) {
  return { ...summary, errors: summary.errors.slice(0, 20) }
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep
}
