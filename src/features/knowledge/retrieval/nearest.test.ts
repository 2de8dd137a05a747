import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { bridged } from '../../../ai/embedder/vectors/bridge.ts'
import { meaningOf } from '../../../ai/embedder/vectors/store.ts'
import { createAnalyser } from '../../../language/words/analyser.ts'
import { createNearest } from './nearest.ts'
import { decodeMeanings, encodeFeatures } from './ranking/chunk-features.ts'
import { askedMeaning, createCommonMeaning, semanticSimilarity } from './ranking/semantics.ts'

const analyser = createAnalyser()
const WORDS =
  'parcel refund password kitchen garden invoice customs battery screen doctor ticket train hotel 发票 密码 退款 快递'.split(
    ' ',
  )

function featuresOf(number: number): Uint8Array {
  const picked = [1, 3, 7, 11].map((step) => WORDS[(number * step + (number >> 3)) % WORDS.length]!)
  return encodeFeatures(
    { title: '', headingPath: number % 3 === 0 ? [] : [picked[0]!], question: null, content: picked.join(' ') },
    analyser,
  )
}
const FEATURES = Array.from({ length: 3_000 }, (_, number) => featuresOf(number))

function createBase() {
  const common = createCommonMeaning()
  const nearest = createNearest(common.mean)
  return {
    common,
    nearest,
    add(chunkId: number): void {
      common.add(FEATURES[chunkId]!)
      nearest.add(chunkId, FEATURES[chunkId]!)
    },
    remove(chunkId: number): void {
      common.remove(FEATURES[chunkId]!)
      nearest.remove(chunkId)
    },
    asked: (text: string) => askedMeaning(bridged(meaningOf(analyser.words(text)), 0.5), common.mean()),
  }
}

/** Scores of the nearest, which say more than their ids where several are alike. */
function exactScores(base: ReturnType<typeof createBase>, chunkIds: readonly number[], text: string, count: number) {
  const asked = base.asked(text)
  return chunkIds
    .map((chunkId) => semanticSimilarity(asked, decodeMeanings(FEATURES[chunkId]!)))
    .sort((a, b) => b - a)
    .slice(0, count)
}

describe('createNearest', () => {
  let full: ReturnType<typeof createBase>
  beforeAll(() => {
    full = createBase()
    for (const chunkId of FEATURES.keys()) full.add(chunkId)
  })

  it.each(['where is my parcel', 'i forgot my password', '怎么开发票', 'is there a train to the hotel'])(
    'finds about what a comparison with every passage finds: %s',
    (text) => {
      const found = full.nearest.find(full.asked(text), 20).map(({ score }) => score)
      const exact = exactScores(full, [...FEATURES.keys()], text, 20)
      expect(found).toHaveLength(20)
      expect(found[0]).toBeCloseTo(exact[0]!, 5)
      expect(found.reduce((a, b) => a + b) / exact.reduce((a, b) => a + b)).toBeGreaterThan(0.95)
    },
  )

  it('finds what is there, however passages came and went', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(99)), { maxLength: 200 }), (changes) => {
        const base = createBase()
        const there = new Set<number>()
        for (const [isAdded, chunkId] of changes) {
          if (isAdded === there.has(chunkId)) continue
          if (isAdded) {
            base.add(chunkId)
            there.add(chunkId)
          } else {
            base.remove(chunkId)
            there.delete(chunkId)
          }
        }
        const found = base.nearest.find(base.asked('refund of a ticket'), 100)
        expect(found.map(({ chunkId }) => chunkId).toSorted((a, b) => a - b)).toEqual([...there].sort((a, b) => a - b))
      }),
      { numRuns: 50 },
    )
  })

  it('finds nothing in an empty base', () => {
    const base = createBase()
    expect(base.nearest.find(base.asked('parcel'), 5)).toEqual([])
  })
})
