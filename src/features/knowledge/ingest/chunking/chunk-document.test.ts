import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDocument } from '../../formats/parse-document.ts'
import type { Block } from '../../formats/types.ts'
import { chunkDocument } from './chunk-document.ts'
import { countTokens } from './tokens.ts'

const chunksOf = async (fileName: string, text: string, options = {}) =>
  chunkDocument(await parseDocument({ fileName, bytes: new TextEncoder().encode(text) }), options)

const english = (words: number, seed = 'word') => Array.from({ length: words }, (_, i) => `${seed}${i}`).join(' ')

describe('countTokens', () => {
  it('counts CJK characters, parts of words and symbols', () => {
    expect(countTokens('')).toBe(0)
    expect(countTokens('退货政策')).toBe(4)
    expect(countTokens('how to')).toBe(2)
    expect(countTokens('internationalisation')).toBe(4)
    expect(countTokens('TiDB 集群')).toBe(3)
    expect(countTokens('😀')).toBe(2)
  })

  it('adds up over parts that white space joins', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }).map((s) => s.trim())), (parts) => {
        expect(countTokens(parts.filter((part) => part !== '').join('\n\n'))).toBe(
          parts.reduce((sum, part) => sum + countTokens(part), 0),
        )
      }),
    )
  })
})

describe('chunkDocument', () => {
  it('gives each section its heading path, without the title', async () => {
    const chunks = await chunksOf(
      'a.md',
      `# Shop\n\nintro\n\n## Returns\n\n${english(60)}\n\n### Abroad\n\n${english(60)}\n\n## Fees\n\n${english(60)}`,
    )
    expect(chunks.map((chunk) => [chunk.ordinal, chunk.title, chunk.headingPath])).toEqual([
      [0, 'Shop', []],
      [1, 'Shop', ['Returns']],
      [2, 'Shop', ['Returns', 'Abroad']],
      [3, 'Shop', ['Fees']],
    ])
  })

  it('makes a question heading and its section one pair, lists and code included', async () => {
    const [chunk, ...rest] = await chunksOf(
      'a.md',
      '# FAQ\n\n## 2. How do I reset it?\n\nDo this:\n\n- press\n- wait\n\n```\nreset --all\n```\n',
    )
    expect(rest).toEqual([])
    expect(chunk).toMatchObject({
      kind: 'qa',
      question: 'How do I reset it?',
      headingPath: [],
      content: 'Do this:\n\n- press\n- wait\n\nreset --all',
    })
  })

  it('keeps sub-sections in a short answer and as sections of a long chapter', async () => {
    const short = await chunksOf(
      'a.md',
      '## How to pay?\n\nTwo ways.\n\n### Card\n\nType it.\n\n### Cash\n\nHand it over.',
    )
    expect(short).toMatchObject([{ kind: 'qa', content: 'Two ways.\n\nCard\n\nType it.\n\nCash\n\nHand it over.' }])
    const long = await chunksOf(
      'a.md',
      `## How to pay?\n\nTwo ways.\n\n### Card\n\n${english(900)}\n\n### Cash\n\n${english(900)}`,
    )
    expect(long[0]).toMatchObject({ kind: 'qa', question: 'How to pay?', content: 'Two ways.' })
    expect(long.slice(1).every((chunk) => chunk.question === null && chunk.headingPath[0] === 'How to pay?')).toBe(true)
  })

  it('splits a long answer into chunks that all keep the question', async () => {
    const answer = Array.from({ length: 12 }, (_, i) => english(60, `w${i}x`)).join('\n\n')
    const chunks = await chunksOf('a.md', `## Why so long?\n\n${answer}`)
    expect(chunks.length).toBeGreaterThan(1)
    expect(chunks.every((chunk) => chunk.kind === 'qa' && chunk.question === 'Why so long?')).toBe(true)
  })

  it('drops the answer mark below a question heading', async () => {
    expect(await chunksOf('a.md', '### Q: How?\n\nA: So.')).toMatchObject([{ question: 'How?', content: 'So.' }])
    expect(await chunksOf('a.md', '### 问：怎么办？\n\n答：重启。')).toMatchObject([
      { question: '怎么办？', content: '重启。' },
    ])
  })

  it('never cuts a list item that fits, and leaves no lead-in behind', async () => {
    const items = Array.from({ length: 30 }, (_, i) => `- ${english(30, `i${i}x`)}`)
    const text = `${english(270)}\n\nThese are the steps:\n\n${items.join('\n')}`
    const chunks = await chunksOf('a.md', text)
    for (const item of items) expect(chunks.some((chunk) => chunk.content.includes(item))).toBe(true)
    const lead = chunks.find((chunk) => chunk.content.includes('These are the steps:'))
    expect(lead?.content).toContain(items[0])
  })

  it('repeats the header of a long table in every piece and keeps rows whole', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `| plan ${i} | ${i} € |`)
    const chunks = await chunksOf('a.md', `## Prices\n\n| plan | price |\n|---|---|\n${rows.join('\n')}`)
    expect(chunks.length).toBeGreaterThan(2)
    for (const chunk of chunks)
      expect(chunk).toMatchObject({ kind: 'table', content: expect.stringMatching(/^plan \| price\n/) })
    for (let i = 0; i < 200; i++)
      expect(chunks.some((chunk) => chunk.content.includes(`plan ${i} | ${i} €`))).toBe(true)
  })

  it('writes column names beside each value when the header would fill the chunk', async () => {
    const columns = Array.from({ length: 60 }, (_, i) => `a rather long name of column ${i}`)
    const chunks = await chunksOf(
      'a.md',
      `| ${columns.join(' | ')} |\n|${'---|'.repeat(60)}\n| ${columns.map((_, i) => `v${i}`).join(' | ')} |`,
    )
    expect(chunks.map((chunk) => chunk.content).join('\n')).toContain('a rather long name of column 7: v7')
  })

  it('keeps code whole when it fits and cuts it at lines when not', async () => {
    const code = Array.from({ length: 400 }, (_, i) => `call_number(${i})`)
    const chunks = await chunksOf('a.md', `intro text\n\n\`\`\`\n${code.join('\n')}\n\`\`\``)
    expect(chunks.length).toBeGreaterThan(1)
    for (const line of code) expect(chunks.some((chunk) => chunk.content.split('\n').includes(line))).toBe(true)
  })

  it('cuts Chinese paragraphs after sentences and overlaps only there', async () => {
    const sentences = Array.from({ length: 60 }, (_, i) => `第${i}条规定买家应当在收到商品之后的七天之内提出退货申请。`)
    const chunks = await chunksOf('a.txt', sentences.join(''))
    expect(chunks.length).toBeGreaterThan(1)
    for (const chunk of chunks) expect(chunk.content.endsWith('。')).toBe(true)
    const [first, second] = chunks
    const last = `${first?.content.split('。').at(-2)}。`
    expect(second?.content.startsWith(last)).toBe(true)
  })

  it('does not cut English at abbreviations or decimals', async () => {
    const sentence = 'Dr. Smith pays e.g. 3.5 dollars vs. 4.2 dollars to the shop. '
    for (const chunk of await chunksOf('a.txt', sentence.repeat(80))) expect(chunk.content).toMatch(/shop\.$/)
  })

  it('joins tiny neighbours under one heading, each led by its own', async () => {
    const chunks = await chunksOf('a.md', '# Phone\n\n## Size\n\n15 cm\n\n## Weight\n\n170 g\n\n## Colour\n')
    expect(chunks).toMatchObject([{ headingPath: [], content: 'Size\n\n15 cm\n\nWeight\n\n170 g\n\nColour' }])
  })

  it('keeps neighbours apart that say something in whole sentences', async () => {
    const chunks = await chunksOf('a.md', '# 退货\n\n## 家具的期限\n\n30 天内可以退。\n\n## 金灯会员\n\n再多 5 天。\n')
    expect(chunks.map(({ headingPath, content }) => [headingPath, content])).toEqual([
      [['家具的期限'], '30 天内可以退。'],
      [['金灯会员'], '再多 5 天。'],
    ])
  })

  it('keeps every heading between a question and what answers it, once', async () => {
    expect(
      await chunksOf('a.md', '# Returns?\n\n## At home\n\n### By post\n\nFree.\n\n### By van\n\nPaid.'),
    ).toMatchObject([{ question: 'Returns?', content: 'At home\n\nBy post\n\nFree.\n\nBy van\n\nPaid.' }])
  })

  it('keeps a heading with nothing below it', async () => {
    expect(await chunksOf('a.md', '# Only a title')).toMatchObject([{ content: 'Only a title' }])
  })

  it('gives every record a chunk with its columns and keeps entry metadata apart', async () => {
    expect(await chunksOf('a.csv', 'plan,price\nBasic,10\nPro,20\n')).toMatchObject([
      { kind: 'record', content: 'plan: Basic\nprice: 10', metadata: {} },
      { kind: 'record', content: 'plan: Pro\nprice: 20' },
    ])
    expect(
      await chunksOf(
        'a.jsonl',
        '{"id":"7","title":"Returns","text":"Seven days."}\n{"id":"8","title":"Fees","text":"None."}\n',
      ),
    ).toMatchObject([
      { kind: 'text', headingPath: ['Returns'], content: 'Seven days.', metadata: { id: '7' } },
      { headingPath: ['Fees'], metadata: { id: '8' } },
    ])
  })
})

const word = fc.oneof(
  fc.stringMatching(/^[a-z]{1,14}$/),
  fc.stringMatching(/^[\u4e00-\u4fff]{1,30}$/),
  fc.constantFrom('v3.5', '😀', 'x'.repeat(900), '退货？', 'end.'),
)
const prose = fc.array(word, { minLength: 1, maxLength: 120 }).map((words) => words.join(' '))
const short = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
const simple: fc.Arbitrary<Block> = fc.oneof(
  prose.map((text): Block => ({ type: 'paragraph', text })),
  fc
    .array(prose, { minLength: 1, maxLength: 6 })
    .map((items): Block => ({ type: 'list', items: items.map((item) => `- ${item}`) })),
  fc
    .tuple(
      fc.array(short, { maxLength: 4 }),
      fc.array(fc.array(short, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
    )
    .map(([header, rows]): Block => ({ type: 'table', header, rows })),
  prose.map((text): Block => ({ type: 'code', language: null, text })),
)
const block: fc.Arbitrary<Block> = fc.oneof(
  { weight: 4, arbitrary: simple },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 6 }), short)
      .map(([level, text]): Block => ({ type: 'heading', level, text })),
  },
  fc
    .tuple(short, fc.array(simple, { maxLength: 3 }))
    .map(([question, answer]): Block => ({ type: 'qa', question, answer, metadata: {} })),
  fc
    .tuple(short, fc.array(simple, { maxLength: 3 }))
    .map(([title, blocks]): Block => ({ type: 'entry', title, blocks, metadata: {} })),
  fc
    .array(fc.tuple(short, prose), { minLength: 1, maxLength: 4 })
    .map((fields): Block => ({ type: 'record', fields, metadata: {} })),
)
const document = fc.record({ title: fc.option(short), blocks: fc.array(block, { minLength: 1, maxLength: 12 }) })
const sizes = fc.record({
  targetTokens: fc.integer({ min: 32, max: 300 }),
  maxTokens: fc.integer({ min: 300, max: 600 }),
})

/** Letters and digits of a text, in order: what must survive, however it was cut and joined. */
const letters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')

function textsIn(blocks: Block[]): string[] {
  return blocks.flatMap((item) => {
    if (item.type === 'list') return item.items
    if (item.type === 'table') return [...item.header, ...item.rows.flat()]
    if (item.type === 'qa') return [item.question, ...textsIn(item.answer)]
    if (item.type === 'entry') return [item.title, ...textsIn(item.blocks)]
    if (item.type === 'record') return item.fields.flat()
    return [item.text]
  })
}

describe('for any document', () => {
  it('loses no word', () => {
    fc.assert(
      fc.property(document, sizes, (doc, options) => {
        const shown = chunkDocument(doc, options).flatMap((chunk) => [
          chunk.content,
          chunk.question ?? '',
          ...chunk.headingPath,
          chunk.title ?? '',
        ])
        const words = new Set(shown.flatMap((text) => text.split(/\s+/)).map(letters))
        const everything = shown.map(letters).join('\n')
        for (const text of textsIn(doc.blocks)) {
          for (const part of text.split(/\s+/).map(letters)) {
            // Only what is longer than a whole chunk may be cut inside.
            if (part !== '' && part.length < 100) expect(words.has(part) || everything.includes(part)).toBe(true)
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  it('makes no chunk above the maximum, none empty, ordinals dense, the same each time', () => {
    fc.assert(
      fc.property(document, sizes, (doc, options) => {
        const chunks = chunkDocument(doc, options)
        expect(chunks.map((chunk) => chunk.ordinal)).toEqual(chunks.map((_, index) => index))
        for (const chunk of chunks) {
          expect(countTokens(chunk.content)).toBeLessThanOrEqual(options.maxTokens)
          expect(chunk.content.trim()).not.toBe('')
        }
        expect(chunkDocument(doc, options)).toEqual(chunks)
      }),
      { numRuns: 150 },
    )
  })
})
