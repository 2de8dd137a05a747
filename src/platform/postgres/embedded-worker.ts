import { constants, cpSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch'
import { vector } from '@electric-sql/pglite-pgvector'
import { oneAtATime } from '../../kernel/one-at-a-time.ts'
import { openFiles } from './embedded-files.ts'
import { createMaintenance } from './embedded-maintenance.ts'
import type { SerialisedError, WorkerOptions, WorkerReply, WorkerRequest } from './embedded-protocol.ts'
import { createStatements, type StatementResult, type Statements } from './embedded-statements.ts'

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

const { dataDir } = workerData as WorkerOptions
/** By default a gigabyte of log may gather, and reading it again after a crash would make a start slow. */
const START_PARAMS = ['-c', 'max_wal_size=128MB']
const unlisten = new Map<string, () => Promise<void>>()
const inTurn = oneAtATime()

try {
  const pg = await PGlite.create({
    ...(dataDir === undefined ? {} : { fs: openFiles(dataDir, (reason) => post({ kind: 'broken', reason })) }),
    startParams: [...PGlite.defaultStartParams, ...START_PARAMS],
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
  post({ kind: 'failed', error: serialise(error) })
}

async function answer(pg: PGlite, statements: Statements, request: WorkerRequest): Promise<void> {
  try {
    const { rows, affectedRows } = await perform(pg, statements, request)
    post({ kind: 'result', id: request.id, rows, affectedRows })
    if (request.op === 'close') port?.close()
  } catch (error) {
    post({ kind: 'error', id: request.id, error: serialise(error) })
  }
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
  }
  return { rows: [], affectedRows: 0 }
}

/** What is in memory is written first. Nothing writes meanwhile: this thread is the only one that could, and it copies. */
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

function serialise(error: unknown): SerialisedError {
  const { message, code, detail, constraint } = error as SerialisedError
  return {
    message: message ?? String(error),
    ...(typeof code === 'string' ? { code } : {}),
    ...(detail ? { detail } : {}),
    ...(constraint ? { constraint } : {}),
  }
}
