import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { App } from './http/server.ts'
import type { Log } from './kernel/log.ts'

const SAMPLE = new URL('../sample/', import.meta.url).pathname

/** Settings of the demonstration; whatever the environment sets wins. */
export const demoSettings = {
  DATA_DIR: './data/demo',
  USER_DICTIONARY: join(SAMPLE, 'dictionary.txt'),
  SYNONYMS_FILE: join(SAMPLE, 'synonyms.txt'),
}

/** Loads the sample shop through the same endpoints that a user calls; what is there already stays as it is. */
export async function loadSample(app: App, apiKey: string, log: Log<'info'>): Promise<void> {
  const files = ['zh', 'en'].flatMap((language) => filesIn(join(SAMPLE, 'help-centre', language)))
  let chunks = 0
  let isNew = false
  for (const file of files) {
    const result = await post(app, apiKey, '/api/v1/knowledge/ingest', file, {
      register: 'true',
      knowledge_type: 'faq',
    })
    chunks += result.chunk_count ?? 0
    isNew ||= result.unchanged === false
  }
  // Orders change when somebody tries cancelling one; another start must not undo that.
  const orders = isNew ? await loadRecords(app, apiKey) : undefined
  log.info({ documents: files.length, chunks, orders }, 'The sample shop is loaded')
}

async function loadRecords(app: App, apiKey: string): Promise<number> {
  let count = 0
  for (const kind of ['customers', 'orders']) {
    const file = join(SAMPLE, `${kind}.jsonl`)
    const { imported = 0, updated = 0 } = await post(app, apiKey, '/api/v1/business/import', file, { kind })
    count = imported + updated
  }
  return count
}

interface Loaded {
  chunk_count?: number
  unchanged?: boolean
  imported?: number
  updated?: number
}

async function post(
  app: App,
  apiKey: string,
  url: string,
  file: string,
  fields: Record<string, string>,
): Promise<Loaded> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new File([readFileSync(file)], basename(file)))
  const encoded = new Response(form)
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', 'x-api-key': apiKey },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  if (response.statusCode !== 200) throw new Error(`The sample file ${basename(file)} was refused: ${response.body}`)
  return response.json()
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
}
