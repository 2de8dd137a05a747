import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { AppError } from '../../../kernel/errors.ts'
import type { Chunk, ChunkOptions } from '../ingest/chunking/types.ts'
import { malformedDocument, parseTimeout, tooComplex } from './failures.ts'
import type { ChunkedDocument } from './read-document.ts'
import type { DocumentInput, ParseLimits } from './types.ts'

export interface ParserPoolOptions {
  /** Documents parsed at the same time. */
  size: number
  /** For one document, from the moment a running process takes it. */
  timeoutMs: number
  /** Of one process, all told. */
  maxMemoryMb: number
  /** A process without work for this long is ended, which gives its memory back. */
  idleMs: number
  limits: Partial<ParseLimits>
  chunking: Partial<ChunkOptions>
}

export type ParserPool = ReturnType<typeof createParserPool>

export interface ParseJob {
  input: DocumentInput
  limits: Partial<ParseLimits>
  chunking: Partial<ChunkOptions>
}

export type ParseAnswer =
  | { type: 'ready' }
  | { type: 'chunks'; chunks: Chunk[] }
  | { type: 'done'; document: Omit<ChunkedDocument, 'chunks'> }
  | { type: 'failed'; code: string; message: string | null; cause: string | undefined }

const DEFAULTS: ParserPoolOptions = {
  size: 1,
  timeoutMs: 120_000,
  maxMemoryMb: 1_024,
  idleMs: 30_000,
  limits: {},
  chunking: {},
}
const MEMORY_CHECK_MS = 200
const MAX_START_MS = 60_000
const PAGE_BYTES = 4096
const MEGABYTE = 1024 * 1024

interface Task {
  input: DocumentInput
  chunks: Chunk[]
  resolve(document: ChunkedDocument): void
  reject(reason: unknown): void
}

interface Seat {
  child: ChildProcess
  /** Started and listening; a document's time begins no earlier. */
  ready: boolean
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

/**
 * A few processes that are started when needed; an idle pool keeps nothing alive. Processes rather than worker threads:
 * some V8 failures abort the whole process whatever thread they happen in, and after a document that needed 500 MB a
 * terminated thread left 600 MB resident, a killed process nothing. They get no environment, and may neither write files
 * nor start programs.
 */
export function createParserPool(options: Partial<ParserPoolOptions> = {}) {
  const pool: Pool = { options: { ...DEFAULTS, ...options }, seats: new Set(), queue: [], closed: false }
  return {
    /**
     * Parses and chunks in a process of its own, which is killed when it exceeds its time or memory or when `signal`
     * aborts. Rejects with AppError bad_request (unsupported_file, malformed_document, empty_document,
     * document_too_complex, parse_timeout), with unavailable after `close`, or with the signal's reason.
     */
    parse: (input: DocumentInput, signal?: AbortSignal): Promise<ChunkedDocument> => submit(pool, input, signal),
    /** Kills all processes; what waits or runs is rejected. */
    close: (): Promise<void> => closePool(pool),
  }
}

function submit(pool: Pool, input: DocumentInput, signal: AbortSignal | undefined): Promise<ChunkedDocument> {
  if (pool.closed) return Promise.reject(closedError())
  if (signal?.aborted) return Promise.reject(signal.reason)
  const { promise, resolve, reject } = Promise.withResolvers<ChunkedDocument>()
  const task: Task = { input, chunks: [], resolve, reject }
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

/** Gives waiting tasks to free processes, starting new ones up to the pool's size. */
function dispatch(pool: Pool): void {
  while (pool.queue.length > 0 && !pool.closed) {
    const free = [...pool.seats].find((seat) => seat.task === null)
    if (!free && pool.seats.size >= pool.options.size) return
    start(pool, free ?? newSeat(pool), pool.queue.shift() as Task)
  }
}

function newSeat(pool: Pool): Seat {
  const child = fork(new URL('./parse-process.ts', import.meta.url), {
    execArgv: ['--permission', '--allow-fs-read=*', `--max-old-space-size=${pool.options.maxMemoryMb}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const seat: Seat = { child, ready: false, task: null, timers: [], idle: null }
  pool.seats.add(seat)
  child.on('message', (answer) => receive(pool, seat, answer as ParseAnswer))
  child.on('error', (error) => dismiss(pool, seat, malformedDocument(nameOf(seat), 'cannot be read', error)))
  child.on('exit', (code, signal) => dismiss(pool, seat, deathOf(nameOf(seat), code, signal)))
  return seat
}

function nameOf(seat: Seat): string {
  return seat.task?.input.fileName ?? ''
}

/** V8 aborts, or traps, when its heap is full. */
function deathOf(fileName: string, code: number | null, signal: NodeJS.Signals | null): AppError {
  const outOfMemory = signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGKILL' || code === 134
  return outOfMemory ? memoryExceeded(fileName) : malformedDocument(fileName, 'cannot be read')
}

function start(pool: Pool, seat: Seat, task: Task): void {
  const { limits, chunking, timeoutMs, maxMemoryMb } = pool.options
  const { bytes, fileName } = task.input
  seat.task = task
  if (seat.idle) clearTimeout(seat.idle)
  seat.child.ref()
  seat.child.channel?.ref()
  const memory = setInterval(async () => {
    const used = await residentMb(seat.child.pid)
    if (used > maxMemoryMb && seat.task === task) dismiss(pool, seat, memoryExceeded(fileName))
  }, MEMORY_CHECK_MS)
  seat.timers = [memory]
  limitTime(pool, seat, seat.ready ? timeoutMs : timeoutMs + MAX_START_MS)
  seat.child.send({ input: { fileName, bytes }, limits, chunking } satisfies ParseJob, (error) => {
    if (error) dismiss(pool, seat, malformedDocument(fileName, 'cannot be read', error))
  })
}

function limitTime(pool: Pool, seat: Seat, milliseconds: number): void {
  const fail = () => dismiss(pool, seat, parseTimeout(nameOf(seat), pool.options.timeoutMs))
  seat.timers.push(setTimeout(fail, milliseconds))
}

function receive(pool: Pool, seat: Seat, answer: ParseAnswer): void {
  const { task } = seat
  if (answer.type === 'ready') {
    seat.ready = true
    if (task) limitTime(pool, seat, pool.options.timeoutMs)
  } else if (answer.type === 'chunks') for (const chunk of answer.chunks) task?.chunks.push(chunk)
  else if (task) finish(pool, seat, task, answer)
}

function finish(pool: Pool, seat: Seat, task: Task, answer: ParseAnswer & { type: 'done' | 'failed' }): void {
  if (answer.type === 'done') task.resolve({ ...answer.document, chunks: task.chunks })
  else task.reject(failure(answer, task.input.fileName))
  release(seat)
  // A parser that gave up half-way may still be at work in there.
  if (answer.type === 'failed' && answer.code === 'document_too_complex') dismiss(pool, seat, null)
  else rest(pool, seat)
  dispatch(pool)
}

function rest(pool: Pool, seat: Seat): void {
  seat.child.unref()
  seat.child.channel?.unref()
  seat.idle = setTimeout(() => dismiss(pool, seat, null), pool.options.idleMs).unref()
}

function failure(answer: ParseAnswer & { type: 'failed' }, fileName: string): AppError {
  const { cause } = answer
  if (answer.message !== null) return new AppError('bad_request', answer.code, answer.message, { cause })
  if (answer.code === 'document_too_complex')
    return tooComplex(fileName, 'is too deeply nested or too large to be read', cause)
  return malformedDocument(fileName, 'cannot be read', cause)
}

/** Ends a process; its task, when it has one, fails for `reason`. */
function dismiss(pool: Pool, seat: Seat, reason: unknown): void {
  if (!pool.seats.delete(seat)) return
  const { task } = seat
  release(seat)
  if (seat.idle) clearTimeout(seat.idle)
  seat.child.kill('SIGKILL')
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
  const seats = [...pool.seats]
  const ended = seats.map(({ child }) => {
    child.ref()
    return new Promise((resolve) => child.once('exit', resolve))
  })
  for (const seat of seats) dismiss(pool, seat, closedError())
  await Promise.all(ended)
}

function memoryExceeded(fileName: string): AppError {
  return tooComplex(fileName, 'needs more memory than one document may use')
}

function closedError(): AppError {
  return new AppError('unavailable', 'shutting_down', 'The service is shutting down')
}

/**
 * Resident memory of another process in MB; 0 where the system does not tell (no /proc) or the process is gone. The heap
 * limit of V8 does not count buffers, which is where the inflated data of an archive or a PDF goes.
 */
async function residentMb(pid: number | undefined): Promise<number> {
  try {
    // proc_pid_statm(5): sizes in pages, the second field is the resident set.
    const fields = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')
    return (Number(fields[1]) * PAGE_BYTES) / MEGABYTE
  } catch {
    return 0
  }
}
