import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createBuiltInEmbedder } from '../../src/ai/embedder/built-in.ts'
import type { EmbeddingKind } from '../../src/ai/embedder/port.ts'
import { createAnalyser } from '../../src/language/words/analyser.ts'

/** What of LangChain is used here. Its packages have a lockfile of their own, so that nobody installs them to run Frontdesk. */
interface VectorStore {
  addDocuments(documents: { pageContent: string; metadata: { id: string } }[]): Promise<void>
  similaritySearch(query: string, count: number): Promise<{ metadata: { id: string } }[]>
}
interface Embeddings {
  embedDocuments(texts: string[]): Promise<number[][]>
  embedQuery(text: string): Promise<number[]>
}

const FOLDER = import.meta.dirname
const BATCH = 500

/**
 * LangChain's in-memory vector store, with Frontdesk's own embedder: it comes with none, and the others need a download
 * or a service.
 */
export async function indexWithLangChain(texts: Iterable<{ id: string; text: string }>) {
  const store = await openStore()
  let batch: { pageContent: string; metadata: { id: string } }[] = []
  for (const { id, text } of texts) {
    batch.push({ pageContent: text, metadata: { id } })
    if (batch.length === BATCH) {
      await store.addDocuments(batch)
      batch = []
    }
  }
  if (batch.length > 0) await store.addDocuments(batch)
  return async (query: string, count: number): Promise<string[]> =>
    (await store.similaritySearch(query, count)).map(({ metadata }) => metadata.id)
}

async function openStore(): Promise<VectorStore> {
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    console.log('Installing LangChain to measure beside…')
    const options = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', options, { cwd: FOLDER, stdio: 'inherit' })
  }
  const module: unknown = await import(join(FOLDER, 'node_modules/@langchain/classic/dist/vectorstores/memory.js'))
  const { MemoryVectorStore } = module as { MemoryVectorStore: new (embeddings: Embeddings) => VectorStore }
  const embedder = createBuiltInEmbedder({ analyser: createAnalyser() })
  const embed = async (texts: string[], kind: EmbeddingKind) =>
    (await embedder.embed(texts, kind)).map((vector) => [...vector])
  return new MemoryVectorStore({
    embedDocuments: (texts) => embed(texts, 'document'),
    embedQuery: async (text) => (await embed([text], 'query'))[0] ?? [],
  })
}
