import { parentPort, workerData } from 'node:worker_threads'
import { createAnalyser } from '../../../ai/analysis/analyser.ts'
import type { InspectionReply, InspectionRequest, QualityLists } from './inspection-protocol.ts'
import { createInspector, prepareWordChecks } from './inspector.ts'

/** A quality check on a thread of its own: seconds of computing that would stall every request on the main thread. */
const port = parentPort
if (!port) throw new Error('inspection-worker.ts only runs as a worker thread')
const lists = workerData as QualityLists
const analyser = createAnalyser({ userDictionary: lists.userDictionary })
const inspector = createInspector(prepareWordChecks(lists), (text) => analyser.words(text))
const post = (reply: InspectionReply): void => port.postMessage(reply)

port.on('message', (request: InspectionRequest) => {
  if (request.op === 'finish') return post({ kind: 'finished', inspection: inspector.finish() })
  for (const chunk of request.chunks) inspector.add(chunk)
  post({ kind: 'added' })
})
