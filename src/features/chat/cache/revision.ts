import { createBatcher } from '../../../kernel/batcher.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { readKnowledgeRevision } from './queries.ts'

/**
 * The revision of the knowledge base as of now, null where it has none.
 *
 * A server is asked each time: another replica's notification can be late or lost, the row cannot. The embedded
 * database has one process, and its thread tells of a change before it tells that the change was committed, so what was
 * read holds until then; and no lookup has to wait behind the turns that are being stored.
 */
export function createRevisionReader(
  db: Database,
  knowledge: { onChange(listener: (docId: string) => void): void },
): () => Promise<number | null> {
  // Lookups that wait for one read share the next: it begins after all of them, so none gets a revision of before.
  const readShared = createBatcher<null, number | null>({
    maxBatch: Number.POSITIVE_INFINITY,
    async run(lookups) {
      const revision = await readKnowledgeRevision(db.executor)
      return lookups.map(() => revision)
    },
  })
  if (db.kind === 'server') return () => readShared(null)

  let known: number | null = null
  let changes = 0
  knowledge.onChange(() => {
    changes += 1
    known = null
  })
  return async () => {
    if (known !== null) return known
    const before = changes
    const revision = await readShared(null)
    if (changes === before) known = revision
    return revision
  }
}
