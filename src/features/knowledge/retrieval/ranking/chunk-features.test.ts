import { expect, it } from 'vitest'
import { createAnalyser } from '../../../../language/words/analyser.ts'
import { analyseChunk, type ChunkText, encodeFeatures, indexTerms } from './chunk-features.ts'

const analyser = createAnalyser()

const CHUNKS: ChunkText[] = [
  {
    title: 'Returns',
    headingPath: ['Returns', 'HOW TO RETURN'],
    question: null,
    content: 'Within 14 days, in the US too.',
  },
  { title: '退货', headingPath: ['如何退货？'], question: '如何退货？', content: '我想退货：请在十四天内联系客服。' },
  { title: '19', headingPath: [], question: '', content: '' },
]

it.each(CHUNKS)('A chunk is analysed in one pass to what its parts are analysed to: $title', (chunk) => {
  expect(analyseChunk(chunk, analyser)).toEqual({
    searchText: indexTerms(chunk, analyser).join(' '),
    features: encodeFeatures(chunk, analyser),
  })
})
