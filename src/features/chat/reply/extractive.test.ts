import { describe, expect, it } from 'vitest'
import { terms } from '../../../../test/support/turns.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import { composeExtractive } from './extractive.ts'

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
