import { workerData } from 'node:worker_threads'
import { serveReduction } from '../../../kernel/threads.ts'
import { createAnalyser } from '../../../language/words/analyser.ts'
import { createInspector, type InspectedChunk, prepareWordChecks } from './inspector.ts'
import type { QualityLists } from './lists.ts'

const lists = workerData as QualityLists
const analyser = createAnalyser({ userDictionary: lists.userDictionary })
const inspector = createInspector(prepareWordChecks(lists), (text) => analyser.words(text))

serveReduction({
  add: (chunks: readonly InspectedChunk[]) => chunks.forEach(inspector.add),
  finish: () => inspector.finish(),
})
