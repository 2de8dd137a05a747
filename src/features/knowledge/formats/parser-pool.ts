import { Worker } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import type { Chunk, ChunkOptions } from '../chunking.ts'
import { malformedDocument, parseTimeout, tooComplex } from './failures.ts'
import type { DocumentInput, ParsedDocument, ParseLimits } from './types.ts'

/** A document cut into chunks; what stays in the worker are its blocks. */
export type ChunkedDocument = Omit<ParsedDocument, 'blocks'> & { chunks: Chunk[] }

export interface ParserPoolOptions {
  /** Documents parsed at the same time. */
  size: number
  /** For one document, from the moment a worker takes it. */
  timeoutMs: number
  /** JavaScript heap and buffers of one worker together. */
  maxMemoryMb: number
  /** A worker without work for this long is ended, which gives its memory back. */
  idleMs: number
  limits: Partial<ParseLimits>
  chunking: Partial<ChunkOptions>
}

export interface ParserPool {
  /**
   * Parses and chunks in a worker thread, which is killed when it exceeds its time or memory or when `signal` aborts.
   * The bytes are copied. Rejects with AppError bad_request (unsupported_file, malformed_document, empty_document,
   * document_too_complex, parse_timeout), with unavailable after `close`, or with the signal's reason.
   */
  parse(input: DocumentInput, signal?: AbortSignal): Promise<ChunkedDocument>
  /** Ends all workers; what waits or runs is rejected. */
  close(): Promise<void>
}

export interface ParseJob {
  input: DocumentInput
  limits: Partial<ParseLimits>
  chunking: Partial<ChunkOptions>
}

export type ParseAnswer =
  | { ok: true; document: ChunkedDocument }
  | { ok: false; code: string; message: string | null; cause: string | undefined }

const DEFAULTS: ParserPoolOptions = {
  size: 1,
  timeoutMs: 120_000,
  maxMemoryMb: 1_024,
  idleMs: 30_000,
  limits: {},
  chunking: {},
}
const MEMORY_CHECK_MS = 200
const MEGABYTE = 1024 * 1024

interface Task {
  input: DocumentInput
  resolve(document: ChunkedDocument): void
  reject(reason: unknown): void
}

interface Seat {
  worker: Worker
  task: Task | null
  timers: NodeJS.Timeout[]
  idle: NodeJS.Timeout | null
}

interface Pool {
  options: ParserPoolOptions
  seats: Set<Seat>
  queue: Task[]
  closed: boolean
}

/** A small pool of workers that are started when needed; an idle pool keeps no process alive. */
export function createParserPool(options: Partial<ParserPoolOptions> = {}): ParserPool {
  const pool: Pool = { options: { ...DEFAULTS, ...options }, seats: new Set(), queue: [], closed: false }
  return {
    parse: (input, signal) => submit(pool, input, signal),
    close: () => closePool(pool),
  }
}

function submit(pool: Pool, input: DocumentInput, signal: AbortSignal | undefined): Promise<ChunkedDocument> {
  if (pool.closed) return Promise.reject(closedError())
  if (signal?.aborted) return Promise.reject(signal.reason)
  const { promise, resolve, reject } = Promise.withResolvers<ChunkedDocument>()
  const task: Task = { input, resolve, reject }
  const abort = () => cancel(pool, task, signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  pool.queue.push(task)
  dispatch(pool)
  return promise.finally(() => signal?.removeEventListener('abort', abort))
}

function cancel(pool: Pool, task: Task, reason: unknown): void {
  const waiting = pool.queue.indexOf(task)
  if (waiting >= 0) {
    pool.queue.splice(waiting, 1)
    task.reject(reason)
    return
  }
  for (const seat of pool.seats) if (seat.task === task) dismiss(pool, seat, reason)
}

/** Gives waiting tasks to free workers, starting new ones up to the pool's size. */
function dispatch(pool: Pool): void {
  while (pool.queue.length > 0 && !pool.closed) {
    const free = [...pool.seats].find((seat) => seat.task === null)
    if (!free && pool.seats.size >= pool.options.size) return
    start(pool, free ?? newSeat(pool), pool.queue.shift() as Task)
  }
}

function newSeat(pool: Pool): Seat {
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: pool.options.maxMemoryMb },
    // A debugger or loader of the parent has no business in here.
    execArgv: [],
  })
  const seat: Seat = { worker, task: null, timers: [], idle: null }
  pool.seats.add(seat)
  worker.on('message', (answer: ParseAnswer) => finish(pool, seat, answer))
  worker.on('error', (error: Error & { code?: string }) => {
    const fileName = seat.task?.input.fileName ?? ''
    const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    dismiss(pool, seat, outOfMemory ? memoryExceeded(fileName) : malformedDocument(fileName, 'cannot be read', error))
  })
  worker.on('exit', () => dismiss(pool, seat, malformedDocument(seat.task?.input.fileName ?? '', 'cannot be read')))
  return seat
}

function start(pool: Pool, seat: Seat, task: Task): void {
  const { limits, chunking, timeoutMs, maxMemoryMb } = pool.options
  const { fileName } = task.input
  seat.task = task
  if (seat.idle) clearTimeout(seat.idle)
  seat.worker.ref()
  const timeout = setTimeout(() => dismiss(pool, seat, parseTimeout(fileName, timeoutMs)), timeoutMs)
  const memory = setInterval(async () => {
    if ((await memoryMb(seat.worker)) > maxMemoryMb) dismiss(pool, seat, memoryExceeded(fileName))
  }, MEMORY_CHECK_MS)
  seat.timers = [timeout, memory]
  // Transferred rather than cloned: a clone would copy the whole buffer that a small view may stand on.
  const bytes = Uint8Array.from(task.input.bytes)
  seat.worker.postMessage({ input: { fileName, bytes }, limits, chunking } satisfies ParseJob, [bytes.buffer])
}

/** Buffers lie outside the heap that `resourceLimits` bounds; 0 when the worker is gone. */
async function memoryMb(worker: Worker): Promise<number> {
  try {
    const statistics = await worker.getHeapStatistics()
    return (statistics.used_heap_size + (statistics.external_memory ?? 0)) / MEGABYTE
  } catch {
    return 0
  }
}

function finish(pool: Pool, seat: Seat, answer: ParseAnswer): void {
  const { task } = seat
  release(seat)
  seat.worker.unref()
  seat.idle = setTimeout(() => dismiss(pool, seat, null), pool.options.idleMs).unref()
  if (answer.ok) task?.resolve(answer.document)
  else task?.reject(failure(answer, task.input.fileName))
  dispatch(pool)
}

function failure(answer: ParseAnswer & { ok: false }, fileName: string): AppError {
  const { cause } = answer
  if (answer.message !== null) return new AppError('bad_request', answer.code, answer.message, { cause })
  if (answer.code === 'document_too_complex')
    return tooComplex(fileName, 'is too deeply nested or too large to be read', cause)
  return malformedDocument(fileName, 'cannot be read', cause)
}

/** Ends a worker; its task, when it has one, fails for `reason`. */
function dismiss(pool: Pool, seat: Seat, reason: unknown): void {
  if (!pool.seats.delete(seat)) return
  const { task } = seat
  release(seat)
  if (seat.idle) clearTimeout(seat.idle)
  void seat.worker.terminate()
  task?.reject(reason)
  dispatch(pool)
}

function release(seat: Seat): void {
  for (const timer of seat.timers) clearTimeout(timer)
  seat.timers = []
  seat.task = null
}

async function closePool(pool: Pool): Promise<void> {
  pool.closed = true
  for (const task of pool.queue.splice(0)) task.reject(closedError())
  const workers = [...pool.seats].map((seat) => seat.worker)
  for (const seat of pool.seats) dismiss(pool, seat, closedError())
  await Promise.all(workers.map((worker) => worker.terminate()))
}

function memoryExceeded(fileName: string): AppError {
  return tooComplex(fileName, 'needs more memory than one document may use')
}

function closedError(): AppError {
  return new AppError('unavailable', 'shutting_down', 'The service is shutting down')
}
