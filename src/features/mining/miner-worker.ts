import { workerData } from 'node:worker_threads'
import { serveReduction } from '../../kernel/threads.ts'
import { createAnalyser } from '../../language/words/analyser.ts'
import { createMiner } from './miner.ts'
import type { MinedTicket, MinerSettings } from './types.ts'

const { limits, ...settings } = workerData as MinerSettings
const analyser = createAnalyser(settings)
const miner = createMiner({ wordsOf: (text) => analyser.words(text) })

serveReduction({
  add: (tickets: readonly MinedTicket[]) => tickets.forEach(miner.add),
  finish: (onProgress) => miner.finish(limits, onProgress),
})
