import type { Log } from '../kernel/log.ts'
import type { Trace, TraceSink } from '../kernel/tracing.ts'
import { type BatchWriter, createBatchWriter } from './batch-writer.ts'

export interface BufferedTraceSink extends TraceSink, Omit<BatchWriter<Trace>, 'push'> {}

export interface TraceSinkOptions {
  name: string
  /** Writes a batch. A rejection with an `AppError` of kind `unavailable` is tried again, any other drops the trace. */
  store: (traces: readonly Trace[]) => Promise<void>
  /** Default 2,000: at some tens of kilobytes each, what a process can spare while the database is away. */
  maxQueued?: number
  /** Default 25: what is stored with every turn must not wait long behind them. */
  maxBatch?: number
  intervalMs?: number
  log: Log
}

/** Takes traces at once and stores them in batches; when more wait than it may hold, new ones are dropped and counted. */
export function createTraceSink(options: TraceSinkOptions): BufferedTraceSink {
  const { store, ...rest } = options
  const { push, ...writer } = createBatchWriter<Trace>({ maxQueued: 2_000, maxBatch: 25, ...rest, write: store })
  return { ...writer, record: push }
}

/** Hands every trace to each of several sinks. */
export function combineSinks(...sinks: readonly TraceSink[]): TraceSink {
  return {
    record(trace) {
      for (const sink of sinks) sink.record(trace)
    },
  }
}
