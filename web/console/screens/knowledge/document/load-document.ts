import { listKnowledgeDocuments, listKnowledgeDocumentVersions } from '../../../../../clients/typescript/src/index.ts'
import { desk } from '../../../api.ts'
import type { ListedDocument, Version } from '../names.ts'

/** A document with its versions, newest first; without history it has none. */
export interface LoadedDocument {
  document: ListedDocument
  versions: readonly Version[]
  /** The one that is served. */
  active: Version | undefined
  canary: Version | undefined
}

const MOST_VERSIONS = 200

/** Null: the service knows no such document. */
export async function loadDocument(docId: string, signal: AbortSignal): Promise<LoadedDocument | null> {
  const find = async (registered: boolean) => {
    const { items } = await listKnowledgeDocuments(desk, { query: { q: docId, registered, limit: 200 }, signal })
    return items.find(({ doc_id }) => doc_id === docId)
  }
  const document = (await find(true)) ?? (await find(false))
  if (!document) return null
  if (!document.registered) return { document, versions: [], active: undefined, canary: undefined }
  const path = { doc_id: docId }
  const { items } = await listKnowledgeDocumentVersions(desk, { path, query: { limit: MOST_VERSIONS }, signal })
  return {
    document,
    versions: items,
    active: items.find(({ status }) => status === 'active'),
    canary: items.find(({ status }) => status === 'canary'),
  }
}
