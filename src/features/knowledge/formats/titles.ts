import type { Block } from './types.ts'

/** The only first-level heading, when nothing of its rank comes after it: that is the document's title, not a chapter's. */
export function soleTopHeading(blocks: Block[]): string | null {
  const tops = blocks.filter((block) => block.type === 'heading' && block.level === 1)
  const [only] = tops
  return tops.length === 1 && only?.type === 'heading' ? only.text : null
}
