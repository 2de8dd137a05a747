import { parentPort, workerData } from 'node:worker_threads'
import { loadModel } from './model.ts'

/** Runs a model: a batch takes the processor for as long as everybody else would wait. A message is a batch of texts. */
export type ModelReply =
  | { kind: 'ready'; fingerprint: string; dimensions: number }
  | { kind: 'vectors'; vectors: Float32Array[] }
  | { kind: 'failed'; message: string }

const reply = (message: ModelReply): void => parentPort?.postMessage(message)
const fail = (error: unknown): void =>
  reply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })

try {
  const model = await loadModel(workerData as string)
  parentPort?.on('message', (texts: readonly string[]) => {
    model.embed(texts).then((vectors) => reply({ kind: 'vectors', vectors }), fail)
  })
  reply({ kind: 'ready', fingerprint: model.fingerprint, dimensions: model.dimensions })
} catch (error) {
  fail(error)
}
