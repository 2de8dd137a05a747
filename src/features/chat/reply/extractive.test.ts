import { describe, expect, it } from 'vitest'
import { terms } from '../../../../test/support/turns.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import { composeClosest, composeExtractive } from './extractive.ts'

function hit(content: string, headingPath: string[], more: Partial<SearchHit> = {}): SearchHit {
  return {
    ordinal: 0,
    chunkId: content.length,
    docId: 'doc_1',
    version: 1,
    source: 'returns.zh.md',
    title: '退货与退款',
    headingPath,
    kind: 'text',
    question: null,
    content,
    page: null,
    metadata: {},
    score: 0.5,
    ...more,
  }
}

describe('of a rule and its special cases', () => {
  const general = hit('一般商品 7 天内可以退货。', ['退货期限'])
  const furniture = hit('家具 30 天内可以退货。', ['退货期限', '家具的退货期限'])
  const members = hit('金灯会员再多 5 天。', ['退货期限', '金灯会员'])
  const chairs = hit('办公椅等家具 30 天内可以退货。', ['退货期限', '家具的退货期限'])
  const elsewhere = hit('运费 12 元。', ['退货运费'], { docId: 'doc_2' })

  it.each([
    ['退货期限是几天？', [furniture, members, general], '一般商品'],
    ['家具的退货期限是几天？', [furniture, general], '家具 30 天'],
    ['金灯会员的退货期限是几天？', [members, general, furniture], '再多 5 天'],
    ['退货期限是几天？', [furniture, members, elsewhere], '家具 30 天'],
    ['办公椅的退货期限是几天？', [chairs, general], '办公椅'],
  ])('answers "%s" with the one that is asked for', (question, hits, expected) => {
    expect(composeExtractive(question, hits, 'zh', terms).text).toContain(expected)
  })

  it('cites the passage that it gives', () => {
    expect(composeExtractive('退货期限是几天？', [furniture, general], 'zh', terms).used).toEqual([general])
  })
})

it('names an answer of a person by its question', () => {
  const solution = hit('可以，请联系人工开具。', [], {
    source: 'solution:sol_1',
    title: '能开专票吗',
    question: '能开专票吗',
  })
  const { text } = composeExtractive('能开专票吗', [solution], 'zh', terms)
  expect(text).toContain('来源：人工客服的解答 › 能开专票吗')
  expect(text).not.toContain('sol_1')
})

describe('of documents of which none is sure', () => {
  const nearby = ['退货', '运费', '发票', '积分'].map((title, i) =>
    hit(`${title}的说明见此。`, [`${title}规则`], { docId: `doc_${i}`, title, chunkId: i, score: 0.4 - i / 50 }),
  )
  const closest = (hits: SearchHit[], room?: number) => composeClosest('怎么办', hits, 'zh', terms, room)

  it('gives three that come nearly as near, numbered, each under its heading and with its title', () => {
    const { text, used } = closest(nearby)
    expect(text.split('\n')[0]).toMatch(/^最接近的资料/)
    expect(text).toContain('① 退货规则\n退货的说明见此。\n\n来源：退货\n\n② 运费规则\n')
    expect(text).not.toContain('积分')
    expect(used.map(({ docId }) => docId)).toEqual(['doc_0', 'doc_1', 'doc_2'])
  })

  it('gives the best alone where no other comes half as near, or there is no room', () => {
    const [best, far] = [nearby[0] as SearchHit, { ...(nearby[1] as SearchHit), score: 0.1 }]
    for (const { text, used } of [closest([best, far]), closest(nearby, 400)]) {
      expect(text).toBe('最接近的资料：\n退货的说明见此。\n\n来源：退货 › 退货规则')
      expect(used).toEqual([best])
    }
  })

  it('gives no document twice, and none of the same title', () => {
    const [best, other] = nearby as [SearchHit, SearchHit]
    const again = { ...other, docId: best.docId, chunkId: 8 }
    const named = { ...other, docId: 'doc_9', title: best.title, chunkId: 9 }
    expect(closest([best, again, named, other]).used).toEqual([best, other])
  })
})
