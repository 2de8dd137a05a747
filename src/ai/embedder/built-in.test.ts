import { describe, expect, it } from 'vitest'
import { createAnalyser } from '../../language/words/analyser.ts'
import { createBuiltInEmbedder } from './built-in.ts'
import { DIMENSIONS, readVectors, toRows, writeVectors } from './vectors/format.ts'
import { meaningOf, openVectors } from './vectors/store.ts'

const analyser = createAnalyser()
const embedder = createBuiltInEmbedder({ analyser })

async function likeness(question: string, page: string): Promise<number> {
  const [[asked], [said]] = await Promise.all([embedder.embed([question], 'query'), embedder.embed([page], 'document')])
  return (asked as Float32Array).reduce((sum, value, d) => sum + value * (said as Float32Array)[d]!, 0)
}

describe('the built-in vectors', () => {
  it.each([
    ['how do I stop paying you every month', 'Cancel your subscription', 'Change the delivery address'],
    ['钱扣了两次怎么回事', '重复扣款', '修改收货地址'],
    ['the parcel never showed up', '包裹未收到', '开具发票'],
    ['手机打不开了', 'The phone does not turn on', 'Download an invoice'],
  ])('find "%s" nearer to "%s" than to "%s", across words and languages', async (question, page, other) => {
    expect(await likeness(question, page)).toBeGreaterThan(await likeness(question, other))
  })

  it('have length 1, or are zeros for a text without a known word', async () => {
    const [said, empty] = await embedder.embed(['refund', '!!! ???'], 'document')
    expect(Math.hypot(...(said as Float32Array))).toBeCloseTo(1)
    expect((empty as Float32Array).every((value) => value === 0)).toBe(true)
    expect((await embedder.embed(['!!!'], 'query'))[0]?.every((value) => Number.isFinite(value))).toBe(true)
  })

  it('tell by their id which file and which analysis made them', () => {
    expect(embedder.id).toContain(analyser.fingerprint)
    expect(createBuiltInEmbedder({ analyser: createAnalyser({ userDictionary: '金灯会员' }) }).id).not.toBe(embedder.id)
  })

  it('are no larger than 12 MB', () => {
    const { words, families } = openVectors()
    expect(words.values.length + families.values.length).toBeLessThan(12_000_000)
  })
})

describe('a file of vectors', () => {
  const values = Float32Array.from({ length: 3 * DIMENSIONS }, (_, i) => Math.sin(i))
  const bytes = writeVectors({
    keys: Uint32Array.from([1, 2, 3]),
    words: toRows(values),
    families: toRows(values.slice(0, 2 * DIMENSIONS)),
    perFamily: 2,
  })

  it('is read as it was written, within half of a step', () => {
    const read = readVectors(bytes)
    expect([...read.keys]).toEqual([1, 2, 3])
    expect(read.perFamily).toBe(2)
    const { scales, values: rows } = read.words
    for (const [i, value] of values.entries()) {
      const scale = scales[Math.floor(i / DIMENSIONS)] as number
      expect(Math.abs(rows[i]! * scale - value)).toBeLessThanOrEqual(scale / 2 + 1e-6)
    }
  })

  it.each([
    ['cut off', bytes.slice(0, -1)],
    ['empty', new Uint8Array()],
    ['of another version', Uint8Array.from(bytes, (byte, i) => (i === 4 ? 1 : byte))],
    ['of another kind', Uint8Array.from(bytes, (byte, i) => (i === 0 ? 0 : byte))],
  ])('is refused when it is %s', (_, wrong) => {
    expect(() => readVectors(wrong)).toThrow(/file of vectors/)
  })

  it('gives zeros for words that it does not hold', () => {
    expect(meaningOf(['nobodyknowsthis'], readVectors(bytes)).every((value) => value === 0)).toBe(true)
  })
})
