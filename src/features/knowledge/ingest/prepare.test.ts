import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Analyser, createAnalyser } from '../../../language/words/analyser.ts'
import type { Chunk } from './chunking/types.ts'
import { prepareChunks } from './prepare.ts'

const CHUNKS = 600

function chunk(ordinal: number): Chunk {
  const content = `Passage number ${ordinal} says something about parcels and returns.`
  const place = { kind: 'text' as const, title: null, headingPath: [], question: null, page: null, metadata: {} }
  return { ordinal, ...place, content }
}

/** The analyser, and the most texts that it read between two turns of the event loop. */
function countingAnalyser() {
  const analyser = createAnalyser()
  const counts = { inTurn: 0, most: 0, turns: 0 }
  const counted =
    <Text, Result>(read: (text: Text) => Result) =>
    (text: Text): Result => {
      counts.most = Math.max(counts.most, ++counts.inTurn)
      return read(text)
    }
  const wrapped: Analyser = {
    ...analyser,
    document: counted(analyser.document),
    headings: counted(analyser.headings),
    words: counted(analyser.words),
  }
  return { analyser: wrapped, counts }
}

it('lets other requests have their turn while a long document is analysed', async () => {
  const { analyser, counts } = countingAnalyser()
  let isDone = false
  const turning = (async () => {
    while (!isDone) {
      await turn()
      counts.inTurn = 0
      counts.turns++
    }
  })()
  const prepared = await prepareChunks(
    {
      analyser,
      embeddings: { embedDocuments: async () => [] },
      parsers: {
        parse: async () => ({
          format: 'txt',
          title: null,
          language: null,
          metadata: {},
          chunks: Array.from({ length: CHUNKS }, (_, i) => chunk(i)),
        }),
      },
    },
    { bytes: new Uint8Array(64 * 1_024), fileName: 'long.txt' },
  )
  isDone = true
  await turning
  expect(prepared).toHaveLength(CHUNKS)
  // Ten passages of two texts, their headings and their content.
  expect(counts.most).toBeLessThanOrEqual(20)
  expect(counts.turns).toBeGreaterThan(CHUNKS / 25)
})
