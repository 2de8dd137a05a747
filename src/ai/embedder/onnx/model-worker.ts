import { parentPort, workerData } from 'node:worker_threads'
import { loadModel } from './model.ts'
import type { ModelReply, ModelRequest } from './protocol.ts'

/** Runs a model: a batch takes the processor for as long as everybody else would wait. */

const port = parentPort!
const reply = (message: ModelReply): void => port.postMessage(message)
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

try {
  const model = await loadModel(workerData as string)
  let last: Promise<void> = Promise.resolve()
  port.on('message', ({ id, texts }: ModelRequest) => {
    // A session takes one batch at a time.
    last = last.then(async () => {
      try {
        reply({ kind: 'vectors', id, vectors: await model.embed(texts) })
      } catch (error) {
        reply({ kind: 'refused', id, message: textOf(error) })
      }
    })
  })
  reply({ kind: 'ready', fingerprint: model.fingerprint, dimensions: model.dimensions })
} catch (error) {
  reply({ kind: 'failed', message: textOf(error) })
}
