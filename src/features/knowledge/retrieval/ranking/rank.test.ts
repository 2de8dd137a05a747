import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAnalyser } from '../../../../language/words/analyser.ts'
import { DEFAULT_RETRIEVAL_PARAMETERS } from '../parameters.ts'
import { type ChunkText, decodeFeatures, encodeFeatures } from './chunk-features.ts'
import { prepareQuery } from './query.ts'
import { rank } from './rank.ts'
import { createTermStatistics } from './term-statistics.ts'

const analyser = createAnalyser()

function passage(content: string, more: Partial<ChunkText> = {}): ChunkText {
  return { title: 'Help', headingPath: [], question: null, content, ...more }
}

/** Positions of the passages, best first, with their scores; every passage is a candidate. */
function ranked(query: string, passages: readonly ChunkText[]): { at: number; score: number }[] {
  const statistics = createTermStatistics()
  const features = passages.map((each) => encodeFeatures(each, analyser))
  for (const each of features) statistics.add(each)
  const candidates = features.map((each, i) => ({
    chunkId: i,
    docId: `document ${i}`,
    passages: 1,
    features: each,
    lexicalScore: 1,
    lexicalRank: i + 1,
    vectorScore: null,
    vectorRank: null,
    semantic: null,
    publishedAt: new Date(0),
  }))
  const parameters = { ...DEFAULT_RETRIEVAL_PARAMETERS, minScore: 0, rerankTopK: 50 }
  const prepared = prepareQuery(query, analyser, statistics)
  return rank(prepared, candidates, parameters).ranked.map(({ chunkId, score }) => ({ at: chunkId, score }))
}

const scoreOf = (query: string, one: ChunkText, others: readonly ChunkText[] = OTHERS): number =>
  ranked(query, [one, ...others]).find(({ at }) => at === 0)!.score

const OTHERS = [
  passage('The kettle heats one litre of water in four minutes.'),
  passage('公司每年在杭州举办一次会员大会，欢迎各位参加。'),
  passage('Invoices are sent by mail on the first of each month.'),
]

describe('rank', () => {
  it('gives every passage a score in 0..1, whatever is asked', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 60 })
    fc.assert(
      fc.property(texts, texts, texts, (query, content, heading) => {
        for (const { score } of ranked(query, [passage(content, { headingPath: [heading] }), ...OTHERS])) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('tells a passage whose heading is what was asked from one that only mentions it', () => {
    const under = passage('Ten days from delivery, unworn.', { headingPath: ['Orders', 'Exchanging a size'] })
    const mentions = passage('The shop also helps with exchanging a size and with other wishes of its guests.')
    const [first, second] = ranked('How do I exchange the size?', [mentions, under, ...OTHERS])
    expect(first!.at).toBe(1)
    expect(first!.score).toBeGreaterThan(second!.score)
  })

  it('takes the number in a file’s name for no heading', () => {
    const text = 'The kettle heats one litre of water.'
    const numbered = scoreOf('What about COVID-19?', passage(text, { title: '19' }))
    expect(numbered).toBe(scoreOf('What about COVID-19?', passage(text, { title: '20' })))
  })

  it('prefers the heading right above a passage to those further up', () => {
    const near = passage('Ten days.', { headingPath: ['Other wishes', 'Exchanging a size'] })
    const far = passage('Ten days.', { headingPath: ['Exchanging a size', 'Other wishes'] })
    expect(ranked('exchange a size', [far, near, ...OTHERS])[0]!.at).toBe(1)
  })

  it('puts the later of equal passages first, counting places as numbers', () => {
    const same = Array.from({ length: 12 }, () => passage('Ten days from delivery, unworn.'))
    expect(ranked('delivery within ten days', same).map(({ at }) => at)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })

  it('finds a misspelt word and one written in two', () => {
    expect(scoreOf('kettel', OTHERS[0]!)).toBeGreaterThan(2 * scoreOf('zzzzz', OTHERS[0]!))
    const tub = passage('A hot tub may stay outside in winter.')
    expect(scoreOf('hottub', tub)).toBeGreaterThan(2 * scoreOf('zzzzz', tub))
  })

  it('finds Chinese words that the passage cuts in another place', () => {
    // The segmenter takes 公司总部 for one word, and 总部 for one where it stands alone.
    expect(analyser.words('公司总部')).toEqual(['公司总部'])
    const apart = passage('我们的总部设在西湖区文三路。')
    expect(scoreOf('公司总部', apart)).toBeGreaterThan(1.5 * scoreOf('天气预报', apart))
    const together = passage('公司总部设在西湖区文三路。')
    expect(scoreOf('总部', together)).toBeGreaterThanOrEqual(scoreOf('天气预报', together))
  })
})

describe('features of a chunk', () => {
  it('read as they were written', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 200 })
    fc.assert(
      fc.property(
        texts,
        fc.array(texts, { maxLength: 4 }),
        fc.option(texts),
        texts,
        (title, path, question, content) => {
          const features = decodeFeatures(encodeFeatures({ title, headingPath: path, question, content }, analyser))
          const parts = [title, ...path].filter((part, i) => part !== question && (i > 0 || /\p{L}{2}/u.test(part)))
          const last = parts.at(-1) ?? ''
          const count = (text: string): number => analyser.words(text).length
          expect(features.question.length).toBe(Math.min(64, count(question ?? '')))
          expect(features.content.length).toBe(Math.min(600, count(content)))
          if (new Set(parts).size === parts.length) {
            expect(features.topic.length).toBe(Math.min(64, count(last)))
            expect([...features.heading.subarray(features.heading.length - features.topic.length)]).toEqual([
              ...features.topic,
            ])
          }
        },
      ),
    )
  })
})
