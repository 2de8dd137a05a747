import { describe, expect, it } from 'vitest'
import { createAnalyser } from './analyser.ts'
import { isStopWord } from './stop-words.ts'

const analyser = createAnalyser()
const { words } = analyser
const telling = (text: string): string[] => words(text).filter((word) => !isStopWord(word))

describe('words', () => {
  it.each([
    ['5ghz', '5 GHz'],
    ['64GB', '64 gb'],
    ['2FA', '2-FA'],
    ['covid19', 'COVID-19'],
    ['10kg', '10 kg'],
  ])('are the same for a number glued to its unit and apart: %s, %s', (glued, apart) => {
    expect(words(glued)).toEqual(words(apart))
  })

  it.each(['1st', '22nd', '4g', 'h264'])('keep %s whole', (text) => {
    expect(words(text)).toHaveLength(1)
  })

  it.each([
    ['我想查一下账单', ['查', '账单']],
    ['能开专票吗', ['开', '专票']],
    ['会员要求退货', ['会员', '要求', '退货']],
    ['你好，我想问一下关税是什么意思', ['关税']],
    ['hi, i was just wondering about customs, thanks', ['custom']],
  ])('tell what is asked from the frame around it: %s', (text, expected) => {
    expect(telling(text)).toEqual(expected)
  })
})

const TEXTS = [
  'The COVID-19 test costs 1,000 USD, v6.4.0 of batchSize in foo_bar.baz: iPhone, U.S. and 5ghz.',
  '我想查一下中华人民共和国国家发展和改革委员会的账单，他怎么样了？退货地址在哪里',
  'ＡＢＣ１２３ ｶﾅ カナ 한국어 텍스트 มะละกอ 𠀀𠀁𠀂漢字測試',
  'HOW DO I RETURN IT TO THE US',
  'Ünïcode ﬁne, ÀÉÎ',
  '',
]

describe('a text that is analysed once', () => {
  it.each(TEXTS)('has the words that it has one by one, and of its terms those to be found by: %s', (text) => {
    const found = analyser.document(text)
    expect(found.words).toEqual(words(text))
    expect(new Set(found.terms).isSubsetOf(new Set(analyser.documentTerms(text)))).toBe(true)
    expect(new Set(words(text)).isSubsetOf(new Set(found.terms))).toBe(true)
  })

  it.each([
    ['pairs across words', '上海内战如此分布', ['上海', '内战', '如此', '分布']],
    ['pairs with a stop word', '我的他的', ['我', '的', '他', '的']],
  ])('is not found by %s', (_, text, terms) => {
    expect(analyser.document(text).terms).toEqual(terms)
  })

  it('is found by pairs within what no dictionary has', () => {
    expect(analyser.document('𠀀𠀁𠀂').terms).toEqual(['𠀀𠀁𠀂', '𠀀𠀁', '𠀁𠀂'])
  })

  it.each(TEXTS)('is asked for by the terms that it is found by: %s', (text) => {
    expect(new Set(analyser.searchTerms(text)).isSubsetOf(new Set(analyser.document(text).terms))).toBe(true)
  })

  it.each(TEXTS.flatMap((above) => TEXTS.map((below) => [above, below])))(
    'has them as a heading as well: %s, %s',
    (above, below) => {
      const { terms, words: found } = analyser.headings([above, below])
      expect(terms).toEqual(analyser.document(`${above}\n${below}`).terms)
      expect(found).toEqual([words(above), words(below)])
    },
  )
})
