import { parentPort, workerData } from 'node:worker_threads'
import { createAnalyser } from '../../ai/analysis/analyser.ts'
import { createMiner } from './miner.ts'
import type { MinerReply, MinerRequest, MinerSettings } from './miner-protocol.ts'

/** A mining run on a thread of its own: up to minutes of computing that would stall every request on the main thread. */
const port = parentPort
if (!port) throw new Error('miner-worker.ts only runs as a worker thread')
const analyser = createAnalyser(workerData as MinerSettings)
const miner = createMiner({ wordsOf: (text) => analyser.words(text) })
const post = (reply: MinerReply): void => port.postMessage(reply)

port.on('message', (request: MinerRequest) => {
  if (request.op === 'finish') {
    const outcome = miner.finish(request.limits, (share) => post({ kind: 'progress', share }))
    return post({ kind: 'finished', outcome })
  }
  for (const ticket of request.tickets) miner.add(ticket)
  post({ kind: 'added' })
})
