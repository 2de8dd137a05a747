import { once } from 'node:events'
import { basename, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { batchesOf } from '../../../kernel/batches.ts'
import { AppError } from '../../../kernel/errors.ts'
import { prefixFor } from '../model-families.ts'
import type { Embedder } from '../port.ts'
import type { ModelReply } from './model-worker.ts'

/** A customer's query waits for one batch of documents at the most, so a batch is small. */
const BATCH_TEXTS = 8
/** More than any model reads; the tokenizer need not look at the rest. */
const MAX_CHARACTERS = 8_000

export interface OnnxEmbedder extends Embedder {
  /** Ends the thread that the model runs on. */
  close(): Promise<void>
}

/**
 * An embedding model on this machine, from a folder as `loadModel` reads it, on a thread of its own.
 *
 * @throws AppError `unavailable` that says why the model cannot be used.
 */
export async function openOnnxEmbedder(folder: string): Promise<OnnxEmbedder> {
  const worker = new Worker(new URL('./model-worker.ts', import.meta.url), { workerData: resolve(folder) })
  const ended = new Promise<never>((_, reject) => {
    worker.on('error', (error) => reject(unusable(error instanceof Error ? error.message : String(error))))
    worker.on('exit', () => reject(unusable('its thread ended')))
  })
  ended.catch(() => {})
  // A session takes one batch at a time.
  const limit = pLimit(1)

  /** The next message of the thread. Without a question a process that has nothing else to do may end. */
  async function answer<Kind extends 'ready' | 'vectors'>(kind: Kind) {
    worker.ref()
    try {
      const [reply] = (await Promise.race([once(worker, 'message'), ended])) as [ModelReply]
      if (reply.kind !== kind) throw unusable(reply.kind === 'failed' ? reply.message : `it is ${reply.kind}`)
      return reply as Extract<ModelReply, { kind: Kind }>
    } finally {
      worker.unref()
    }
  }

  async function run(texts: readonly string[]): Promise<Float32Array[]> {
    const answered = answer('vectors')
    worker.postMessage(texts)
    return (await answered).vectors
  }

  const { fingerprint, dimensions } = await answer('ready').catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })
  const name = basename(resolve(folder))
  return {
    id: `onnx:${name}:${fingerprint}`,
    dimensions,
    async embed(texts, kind, signal) {
      const inputs = texts.map((text) => prefixFor(name, kind) + text.slice(0, MAX_CHARACTERS).toWellFormed())
      const vectors: Float32Array[] = []
      for (const batch of batchesOf(inputs, BATCH_TEXTS)) {
        signal?.throwIfAborted()
        vectors.push(...(await limit(run, batch)))
      }
      return vectors.map((vector, i) => (texts[i]?.trim() === '' ? new Float32Array(dimensions) : vector))
    },
    close: async () => void (await worker.terminate()),
  }
}

function unusable(reason: string): AppError {
  return new AppError('unavailable', 'embedding_model', `The embedding model cannot be used: ${reason}`)
}
