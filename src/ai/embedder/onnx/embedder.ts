import { basename, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import { prefixFor } from '../model-families.ts'
import type { Embedder } from '../port.ts'
import type { ModelReply } from './protocol.ts'

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
  // A process that has nothing else to do may end.
  worker.unref()
  const waiting = new Map<number, { resolve(vectors: Float32Array[]): void; reject(reason: Error): void }>()
  let lastId = 0
  let ended: Error | null = null
  const end = (reason: Error): void => {
    ended ??= reason
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }
  const ready = Promise.withResolvers<Extract<ModelReply, { kind: 'ready' }>>()
  worker.on('message', (reply: ModelReply) => {
    if (reply.kind === 'ready') return ready.resolve(reply)
    if (reply.kind === 'failed') return ready.reject(unusable(reply.message))
    const { resolve: settle, reject } = waiting.get(reply.id) ?? {}
    waiting.delete(reply.id)
    if (reply.kind === 'vectors') settle?.(reply.vectors)
    else reject?.(unusable(reply.message))
  })
  worker.on('error', (error: unknown) => {
    ready.reject(error)
    end(unusable(error instanceof Error ? error.message : String(error)))
  })
  worker.on('exit', () => end(unusable('its thread ended')))

  function run(texts: readonly string[]): Promise<Float32Array[]> {
    if (ended) return Promise.reject(ended)
    return new Promise((settle, reject) => {
      waiting.set(++lastId, { resolve: settle, reject })
      worker.ref()
      worker.postMessage({ id: lastId, texts })
    }).finally(() => waiting.size === 0 && worker.unref()) as Promise<Float32Array[]>
  }

  worker.ref()
  const { fingerprint, dimensions } = await ready.promise.catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })
  worker.unref()
  const name = basename(resolve(folder))
  return {
    id: `onnx:${name}:${fingerprint}`,
    dimensions,
    async embed(texts, kind, signal) {
      const inputs = texts.map((text) => prefixFor(name, kind) + text.slice(0, MAX_CHARACTERS).toWellFormed())
      const vectors: Float32Array[] = []
      for (let start = 0; start < inputs.length; start += BATCH_TEXTS) {
        signal?.throwIfAborted()
        vectors.push(...(await run(inputs.slice(start, start + BATCH_TEXTS))))
      }
      return vectors.map((vector, i) => (texts[i]?.trim() === '' ? new Float32Array(dimensions) : vector))
    },
    close: async () => void (await worker.terminate()),
  }
}

function unusable(reason: string): AppError {
  return new AppError('unavailable', 'embedding_model', `The embedding model cannot be used: ${reason}`)
}
