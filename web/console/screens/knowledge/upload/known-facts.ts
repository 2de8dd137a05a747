import { listKnowledgeDocuments } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import type { KnowledgeType } from '../names.ts'
import type { UploadOptions } from './uploads.ts'

/**
 * What a file is loaded with: all that is not said about it stays as it is known of its document. The service takes an upload
 * that says nothing for one without type, category and address.
 */
export async function withKnownFacts(name: string, said: UploadOptions, signal: AbortSignal): Promise<UploadOptions> {
  const { items } = await listKnowledgeDocuments(desk, { query: { q: name, limit: 200 }, signal })
  const known = items.find(({ source }) => source === name)
  if (!known) return said
  return {
    ...said,
    knowledge_type: said.knowledge_type ?? (known.knowledge_type as KnowledgeType),
    product_category: said.product_category ?? known.product_category,
    applicable_version: said.applicable_version ?? known.applicable_version,
    url: said.url ?? known.url ?? undefined,
  }
}
