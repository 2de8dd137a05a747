import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import type { Block } from '../types.ts'
import { blocksFromMdast, type MdastNode } from './blocks.ts'
import { markdownBlocks } from './parse.ts'
import { markdownPieces } from './pieces.ts'

/** The whole text through the parser at once. */
function parsedWhole(text: string): Block[] {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return blocksFromMdast(tree as MdastNode).filter((block) => block.type !== 'paragraph' || block.text !== '')
}

const HEADS = [
  '| a | b |\n|---|:-:|',
  'a|b\n-|-',
  '|x|\n|-|',
  ' | a | b | \n | --- | ---',
  '| a\n| -',
  '| **a** | b |\n|---|---|',
]
const ROWS = [
  ...[
    '| 1 | 2 |',
    '1|2',
    '|  two  words |x',
    '| 1 |',
    '| 1 | 2 | 3 |',
    'no bars',
    '|',
    '||',
    '| | |',
    '   | in | dented |',
  ],
  ...[
    '| *b* | `c` |',
    '| [l](http://x.y) | _u_ |',
    '| a \\| b | c |',
    '| &amp; | ~~s~~ |',
    '| www.x.y | a@b.cc |',
    '| # | > |',
  ],
]
const ENDS = [
  '',
  '',
  'after',
  '# Heading',
  '> quote',
  '- item',
  '1. item',
  '***',
  '```\ncode | x\n```',
  '    code',
  '| a | b |',
]

describe('a table in Markdown', () => {
  it('is what the parser makes of the whole', () => {
    const lines = fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ROWS) }, fc.constantFrom(...ENDS)), {
      maxLength: 12,
    })
    const before = fc.constantFrom('', 'text:\n', '# T\n', '# T\n\n', 'text\n\n', '*marked*\n', '- item\n\n', '> q\n')
    const table = fc.tuple(before, fc.constantFrom(...HEADS), lines)
    fc.assert(
      fc.property(table, ([lead, head, rest]) => {
        const text = [lead + head, ...rest].join('\n')
        expect(markdownBlocks(text)).toEqual(parsedWhole(text))
      }),
      { numRuns: 300, seed: 7 },
    )
  })

  it('leaves rows without markup to nobody else, and the others to the parser a few at a time', () => {
    const plain = (count: number): string => '| 1 | row |\n'.repeat(count)
    const marked = (count: number): string => '| *1* | row |\n'.repeat(count)
    const sources = (text: string): number[] =>
      [...markdownPieces(text)].flatMap((piece) => ('source' in piece ? [piece.source.length] : []))
    const head = '| n | name |\n|---|---|\n'
    expect(sources(head + plain(10_000))).toEqual([head.length])
    const [, ...pieces] = sources(`Prices:\n${head}${marked(10_000)}`)
    expect(Math.max(...pieces)).toBeLessThan(1_200)
    // Twice the rows: twice the text for the parser.
    const total = (count: number): number => sources(head + marked(count)).reduce((sum, length) => sum + length, 0)
    expect(total(20_000) / total(10_000)).toBeLessThan(2.05)
  })
})
