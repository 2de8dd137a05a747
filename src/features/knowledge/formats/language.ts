import { detectLanguage, isOtherLatin } from '../../../language/languages.ts'
import type { Block } from './types.ts'

const SAMPLE_CHARS = 20_000

/** The language that the script of a text shows; null where it shows none, and for Latin letters in another than English. */
export function languageOf(blocks: Block[]): string | null {
  const text = sampleOf(blocks)
  const language = detectLanguage(text, SAMPLE_CHARS)
  if ((text.match(/\p{L}/gu)?.length ?? 0) < 2) return null
  return language === 'en' && isOtherLatin(text.toLowerCase()) ? null : language
}

function sampleOf(blocks: Block[]): string {
  const parts: string[] = []
  let length = 0
  for (const block of blocks) {
    const text = textsOf(block).join(' ').slice(0, SAMPLE_CHARS)
    parts.push(text)
    length += text.length
    if (length > SAMPLE_CHARS) break
  }
  return parts.join(' ')
}

function textsOf(block: Block): string[] {
  switch (block.type) {
    case 'list':
      return block.items.slice(0, 50)
    case 'table':
      return [block.header, ...block.rows.slice(0, 20)].flat()
    case 'qa':
      return [block.question, ...block.answer.flatMap(textsOf)]
    case 'entry':
      return [block.title, ...block.blocks.flatMap(textsOf)]
    case 'record':
      return block.fields.map(([, value]) => value)
    case 'code':
      return []
    default:
      return [block.text]
  }
}
