import type { Block } from './types.ts'

const SAMPLE_CHARS = 20_000

/** The language that the script of a text shows: 'zh', 'ja', 'ko', or 'en' for text in plain Latin letters; else null. */
export function languageOf(blocks: Block[]): string | null {
  const text = sampleOf(blocks)
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const han = count(/\p{Script=Han}/gu)
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)
  const hangul = count(/\p{Script=Hangul}/gu)
  const latin = count(/[a-z]/gi)
  const letters = count(/\p{L}/gu)
  if (letters < 2) return null
  if (hangul * 3 > letters) return 'ko'
  if (kana * 8 > letters) return 'ja'
  // Han text often holds product names in Latin letters, each of many letters.
  if (han * 6 > letters) return 'zh'
  return latin > letters * 0.97 ? 'en' : null
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
