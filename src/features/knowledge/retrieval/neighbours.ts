import type { Passage, SearchHit } from '../types.ts'

/** Where a long paragraph was cut, its last sentence is repeated; it is at most this long, in characters. */
const MAX_REPEATED = 400

/**
 * Passages that stand side by side in one document as one, in the document's order and in the place of the best of them:
 * what was cut for the index is read together. At most `limit` come back.
 */
export function joinNeighbours(hits: readonly SearchHit[], limit: number): SearchHit[] {
  const runs: SearchHit[][] = []
  for (const hit of hits) {
    const run = runs.find((members) => members.some((member) => areNeighbours(member, hit)))
    if (run) run.push(hit)
    else runs.push([hit])
  }
  return runs.slice(0, limit).map((run) => {
    const [best] = run as [SearchHit]
    const ordered = run.toSorted((a, b) => a.ordinal - b.ordinal)
    const content = ordered
      .map((passage, i) => (i === 0 ? passage.content : withoutRepetition(ordered[i - 1] as SearchHit, passage)))
      .join('\n\n')
    return { ...best, content }
  })
}

function areNeighbours(a: SearchHit, b: SearchHit): boolean {
  const isText = a.question === null && b.question === null
  return isText && a.docId === b.docId && a.version === b.version && Math.abs(a.ordinal - b.ordinal) === 1
}

/** Text that the passage before ends with, or the header of the table that goes on, is not said twice. */
export function withoutRepetition(
  before: Pick<Passage, 'content'>,
  { content, kind }: Pick<Passage, 'content' | 'kind'>,
): string {
  const [firstLine = ''] = content.split('\n', 1)
  if (kind === 'table' && before.content.startsWith(`${firstLine}\n`)) return content.slice(firstLine.length + 1)
  for (let length = Math.min(MAX_REPEATED, content.length, before.content.length); length > 0; length--) {
    if (before.content.endsWith(content.slice(0, length)) && /[\s。！？；.!?]/.test(content[length - 1] ?? '')) {
      return content.slice(length).trimStart()
    }
  }
  return content
}
