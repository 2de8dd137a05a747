import type { Executor } from '../../../platform/postgres/index.ts'
import { type DocumentRow, findVersion, saveDocument } from '../queries.ts'
import type { Audience, Collection } from '../types.ts'
import { dropCopies, moveVersion } from './queries.ts'

/** The collection from which a document of an audience is served. Customers' searches look into `main` alone. */
export function servedIn(audience: Audience): Collection {
  return audience === 'staff' ? 'staff' : 'main'
}

/**
 * Serves a document to another audience from now on: the version that is served moves. Null: as it is, so that who uploads a
 * staff document's file again without a word of it does not publish it.
 *
 * @param document locked by the transaction; @returns whether anything changed
 */
export async function changeAudience(
  trx: Executor,
  document: DocumentRow,
  audience: Audience | null,
): Promise<boolean> {
  if (audience === null || audience === document.audience) return false
  document.audience = audience
  await saveDocument(trx, document)
  const active = await findVersion(trx, document.docId, 'active')
  if (active) {
    // A copy of the active version that is tried would stay the other audience's.
    await dropCopies(trx, document.docId)
    await moveVersion(trx, document.docId, active.versionNo, { status: 'active', collection: servedIn(audience) })
  }
  return true
}
