import { describe, expect, it } from 'vitest'
import { diffTexts } from './diff.ts'

const kinds = (before: string[], after: string[]) => diffTexts(before, after).lines.map(({ kind }) => kind)

describe('a text diff', () => {
  it('finds nothing between equal texts', () => {
    expect(diffTexts(['a', 'b'], ['a', 'b'])).toEqual({
      ...{ added: 0, removed: 0, changed: 0, unchanged: 2, lines: [], isComplete: true },
    })
  })

  it('tells what of a line changed, word by word, in both languages', () => {
    const [line] = diffTexts(['Return it within 14 days.'], ['Return it within 30 days.']).lines
    expect(line).toMatchObject({ kind: 'changed', before: 1, after: 1 })
    expect(line?.words.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: '14' },
      { kind: 'added', text: '30' },
    ])
    const [chinese] = diffTexts(['七天内可以退货'], ['十天内可以退货']).lines
    expect(chinese?.words.map(({ text }) => text)).toEqual(expect.arrayContaining(['七', '十', '天内可以退货']))
  })

  it('takes lines without common words as replaced', () => {
    expect(kinds(['The kettle is red.'], ['电热水壶'])).toEqual(['removed', 'added'])
  })

  it('keeps three lines around a change and leaves the rest out', () => {
    const many = Array.from({ length: 50 }, (_, i) => `line ${i}`)
    const { lines, unchanged } = diffTexts(many, many.with(20, 'something else'))
    expect(unchanged).toBe(49)
    expect(lines.map(({ before }) => before).filter(Boolean)).toEqual([18, 19, 20, 21, 22, 23, 24])
  })

  it('leads from one text to the other, whatever they are', () => {
    let state = 7
    const random = (): number => {
      state = (state * 48_271) % 2_147_483_647
      return state / 2_147_483_647
    }
    for (let round = 0; round < 200; round++) {
      const text = () => Array.from({ length: Math.floor(random() * 12) }, () => 'abcd'[Math.floor(random() * 4)]!)
      const [before, after] = [text(), text()]
      const { added, removed, changed, unchanged, isComplete } = diffTexts(before, after)
      expect(isComplete).toBe(true)
      expect([unchanged + changed + removed, unchanged + changed + added]).toEqual([before.length, after.length])
    }
  })

  it('says so when texts are too long to be compared whole', () => {
    const before = Array.from({ length: 5_000 }, (_, i) => `a${i}`)
    const after = Array.from({ length: 5_000 }, (_, i) => `b${i}`)
    const startedAt = performance.now()
    expect(diffTexts(before, after).isComplete).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(3_000)
  })
})
