import { parentPort, workerData } from 'node:worker_threads'
import { oneAtATime } from '../../../kernel/one-at-a-time.ts'
import { loadModel } from './model.ts'
import type { ModelReply, ModelRequest } from './protocol.ts'

/** Runs a model: a batch takes the processor for as long as everybody else would wait. */

const port = parentPort!
const reply = (message: ModelReply): void => port.postMessage(message)
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

try {
  const model = await loadModel(workerData as string)
  // A session takes one batch at a time.
  const inTurn = oneAtATime()
  port.on('message', ({ id, texts }: ModelRequest) => {
    void inTurn(async () => {
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
