import type { SearchHit } from '../../knowledge/index.ts'
import type { AnswerThresholds } from '../turn/settings.ts'
import type { Search } from './search.ts'
import type { Task } from './task.ts'

/** Passages for a query, the best first. */
export interface Found {
  query: string
  hits: readonly SearchHit[]
}

/** A question that names nothing of its own is about what was answered last, where that holds so much of the best score. */
const FOLLOWS = 0.15
/** One that stands alone as a sentence is, where the document answered last comes nearly as near as the best. */
const STANDS_ALONE = 0.6

/**
 * Passages of the document that answered last come first where a question in the conversation has no sure answer
 * elsewhere and they come near enough: "how many of those can I put in", «那手机上呢». A new subject is not dragged back.
 */
export async function withTopic(
  { search, thresholds }: { search: Search; thresholds: AnswerThresholds },
  { topic, original, question }: Pick<Task, 'topic' | 'original' | 'question'>,
  found: Found,
): Promise<Found> {
  const best = found.hits[0]?.score ?? 0
  if (!topic || best >= thresholds.directAnswer) return found
  const own = await search(question, { within: topic.docId })
  const nearest = own[0]?.score ?? 0
  if (nearest === 0 || nearest < best * (original ? FOLLOWS : STANDS_ALONE)) return found
  return { query: found.query, hits: [...own, ...others(found.hits, own)] }
}

function others(hits: readonly SearchHit[], own: readonly SearchHit[]): SearchHit[] {
  const given = new Set(own.map(({ chunkId }) => chunkId))
  return hits.filter(({ chunkId }) => !given.has(chunkId))
}
