import { htmlToText } from '../../channels/index.ts'

const TAG = /<\/?(?:p|div|br|span|a|ul|ol|li|html|body|table|strong|b|em|i|h[1-6]|blockquote|img)\b[^<>]{0,2000}>/i

/** The text of what help desks store as HTML; anything else as it is. */
export function plainText(text: string): string {
  if (!TAG.test(text)) return text
  try {
    return htmlToText(text)
  } catch (error) {
    // One nested beyond reason is read without its tags.
    if (!(error instanceof RangeError)) throw error
    return text.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ')
  }
}

const MAX_NODES = 20_000
const LINES = new Set<unknown>(['paragraph', 'heading', 'listItem', 'hardBreak'])

/** The text of a document as Jira writes it: paragraphs one a line. */
export function adfText(document: object): string {
  const pieces: string[] = []
  const waiting: object[] = [document]
  for (let node = waiting.pop(), read = 0; node && read < MAX_NODES; node = waiting.pop(), read++) {
    const { type, text, content } = node as { type?: unknown; text?: unknown; content?: unknown }
    if (typeof text === 'string') pieces.push(text)
    if (LINES.has(type)) pieces.push('\n')
    if (Array.isArray(content))
      waiting.push(...content.filter((each) => typeof each === 'object' && each !== null).toReversed())
  }
  return pieces.join('').trim()
}
