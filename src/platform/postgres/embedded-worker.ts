import { constants, cpSync, existsSync, renameSync, rmdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch'
import { vector } from '@electric-sql/pglite-pgvector'
import pLimit from 'p-limit'
import { createDurability, type Durability } from './embedded-durability.ts'
import { openFiles } from './embedded-files.ts'
import { createMaintenance } from './embedded-maintenance.ts'
import {
  DAMAGED,
  type SerialisedError,
  type WorkerOptions,
  type WorkerReply,
  type WorkerRequest,
} from './embedded-protocol.ts'
import { createStatements, type StatementResult, type Statements } from './embedded-statements.ts'
import { syncFolder, syncTree } from './sync-files.ts'

/**
 * The embedded database on a thread of its own: a query blocks its thread, and on the main thread it would stall every
 * stream. Statements run one after the other, in the order in which they arrive.
 */
const INT8 = 20
const BYTEA = 17
/**
 * The text index gathers new rows in a page chain that it sorts into a segment when it is full, and merges segments of
 * one size when there are as many as said here. A query looks into every segment, so few large ones are wanted.
 */
const SETTINGS = `set pg_textsearch.memtable_pages_threshold = 256; set pg_textsearch.segments_per_level = 2`
const port = parentPort
if (!port) throw new Error('embedded-worker.ts only runs as a worker thread')
const post = (reply: WorkerReply): void => port.postMessage(reply)

const { dataDir, initialising, sync, buffersMb } = workerData as WorkerOptions
/** By default a gigabyte of log may gather, and reading it again after a crash would make a start slow. */
const START_PARAMS = ['-c', 'max_wal_size=128MB', '-c', `shared_buffers=${buffersMb}MB`]
/** The library's own switch Postgres' waiting for the disk off. Of its ways to do it the files know this one alone. */
const SYNC_PARAMS = ['-c', 'fsync=on', '-c', 'full_page_writes=on', '-c', 'wal_sync_method=fsync']
const durability = dataDir === undefined || sync === 'off' ? null : createDurability(sync, fail)
const params = PGlite.defaultStartParams.filter((param) => durability === null || param !== '-F')
const unlisten = new Map<string, () => Promise<void>>()
const inTurn = pLimit(1)
/** Postgres' last words before it gave up, such as which file it cannot read. */
let lastWords = ''
const GIVES_UP = /\b(?:FATAL|PANIC):\s+(.+)/

try {
  const pg = await PGlite.create({
    ...(dataDir === undefined ? {} : { fs: files(dataDir, durability) }),
    onStderr(line: string) {
      lastWords = GIVES_UP.exec(line)?.[1] ?? lastWords
      return false
    },
    startParams: [...params, ...START_PARAMS, ...(durability ? SYNC_PARAMS : [])],
    extensions: { vector, pg_textsearch },
    parsers: {
      // As on a server (see server.ts): counts are numbers; none of ours reach 2^53.
      [INT8]: (value: string) => Number(value),
      [BYTEA]: parseBytea,
    },
  })
  await pg.exec(SETTINGS)
  const statements = createStatements(pg)
  const maintenance = createMaintenance(pg, inTurn)
  port.on('message', (request: WorkerRequest) => {
    if (request.op === 'close') maintenance.stop()
    else maintenance.postpone()
    void inTurn(() => answer(pg, statements, request))
  })
  post({ kind: 'ready' })
} catch (error) {
  post({ kind: 'failed', error: lastWords === '' ? serialise(error) : { code: DAMAGED, message: lastWords } })
}

function files(folder: string, safety: Durability | null) {
  const watch = { durability: safety, onFailure: fail }
  if (initialising === undefined) return openFiles(folder, watch)
  return openFiles(initialising, { ...watch, onMade: () => takeName(initialising, folder) })
}

/** Only a whole database takes its name, so that none is ever made over what may be one. */
async function takeName(made: string, folder: string): Promise<string> {
  if (durability) await syncTree(made)
  if (existsSync(folder)) rmdirSync(folder)
  renameSync(made, folder)
  if (durability) await syncFolder(dirname(folder))
  return folder
}

/** The thread answers nothing any more. */
function fail(error: unknown): void {
  post({ kind: 'broken', reason: reasonOf(error) })
}

async function answer(pg: PGlite, statements: Statements, request: WorkerRequest): Promise<void> {
  try {
    const { rows, affectedRows } = await perform(pg, statements, request)
    reply({ kind: 'result', id: request.id, rows, affectedRows })
    if (request.op === 'close') port?.close()
  } catch (error) {
    reply({ kind: 'error', id: request.id, error: serialise(error) })
  }
}

/** A change of others that this saw must be as safe as one that this made itself, so every answer waits alike. */
function reply(message: WorkerReply): void {
  if (durability) durability.answer(() => post(message))
  else post(message)
}

async function perform(pg: PGlite, statements: Statements, request: WorkerRequest): Promise<StatementResult> {
  switch (request.op) {
    case 'query':
      return statements.query(request.text, request.params)
    case 'exec':
      await pg.exec(request.text)
      break
    case 'listen': {
      const { channel } = request
      unlisten.set(channel, await pg.listen(channel, (payload) => post({ kind: 'notification', channel, payload })))
      break
    }
    case 'unlisten':
      await unlisten.get(request.channel)?.()
      unlisten.delete(request.channel)
      break
    case 'copy':
      await copyFiles(pg, request.folder)
      break
    case 'close':
      await pg.close()
      await durability?.stop()
  }
  return { rows: [], affectedRows: 0 }
}

/**
 * Pages in memory are written first. Nothing writes meanwhile: this thread is the only one that could, and it copies.
 */
async function copyFiles(pg: PGlite, folder: string): Promise<void> {
  if (dataDir === undefined) throw new Error('A database in memory has no files')
  await pg.exec('checkpoint')
  // Where the file system can, the copy shares its blocks with the original until one of them changes.
  cpSync(dataDir, folder, { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE })
}

/** The library's own takes 40 times as long. A buffer of its own: a pooled one would cross the thread as a whole. */
function parseBytea(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
}

/** Numbers that Emscripten gives to errors, and Node's names: https://github.com/WebAssembly/wasi-libc (`wasi/api.h`). */
const REASONS: [errno: number, code: string, meaning: string][] = [
  [19, 'EDQUOT', 'the quota of disk space is used up'],
  [22, 'EFBIG', 'a file may not become larger'],
  [29, 'EIO', 'the disk reports an error'],
  [51, 'ENOSPC', 'the disk is full'],
  [69, 'EROFS', 'the disk is read-only'],
]

function reasonOf(error: unknown): string {
  const { errno, code } = error as { errno?: number; code?: string }
  return REASONS.find(([number, name]) => number === errno || name === code)?.[2] ?? `error ${code ?? errno ?? ''}`
}

function serialise(error: unknown): SerialisedError {
  const { message, code, detail, constraint } = error as SerialisedError
  return {
    message: message ?? String(error),
    ...(typeof code === 'string' ? { code } : {}),
    ...(detail ? { detail } : {}),
    ...(constraint ? { constraint } : {}),
  }
}
