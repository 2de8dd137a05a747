import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { DemoCustomer, HelpPage } from './features/web/index.ts'
import type { App } from './http/server.ts'
import type { Log } from './kernel/log.ts'

const SAMPLE = new URL('../sample/', import.meta.url).pathname

/** Settings of the demonstration; whatever the environment sets wins. */
export const demoSettings = {
  DATA_DIR: './data/demo',
  USER_DICTIONARY: join(SAMPLE, 'dictionary.txt'),
  SYNONYMS_FILE: join(SAMPLE, 'synonyms.txt'),
}

const LANGUAGES = ['zh', 'en'] as const

/**
 * Loads the sample shop through the same endpoints that a user calls; what is there already stays as it is.
 *
 * @param origin of the page that shows the documents to customers; left out: they have no address
 */
export async function loadSample(
  app: App,
  apiKey: string,
  log: Log<'info'>,
  origin?: string,
): Promise<readonly SampleDocument[]> {
  let chunks = 0
  let isNew = false
  const documents: SampleDocument[] = []
  for (const { file, ...document } of LANGUAGES.flatMap(filesOf)) {
    const result = await post(app, apiKey, '/api/v1/knowledge/ingest', file, {
      register: 'true',
      knowledge_type: 'faq',
      ...(origin ? { url: `${origin}/demo/help/${document.name}` } : {}),
    })
    chunks += result.chunk_count ?? 0
    isNew ||= result.unchanged === false
    documents.push({ ...document, docId: result.doc_id ?? '', version: result.version ?? '' })
  }
  // Orders change when somebody tries cancelling one; another start must not undo that.
  const orders = isNew ? await loadRecords(app, apiKey) : undefined
  log.info({ documents: documents.length, chunks, orders }, 'The sample shop is loaded')
  return documents
}

export interface SampleDocument extends Pick<HelpPage, 'name' | 'language'> {
  docId: string
  version: string
}

/** The files of a language, each with its name without the ending, which is that of its page. */
function filesOf(language: HelpPage['language']) {
  const files = filesIn(join(SAMPLE, 'help-centre', language))
  return files.map((file) => ({ file, name: basename(file, extname(file)), language }))
}

const DEMO_WIDGET = 'Demo'
const WIDGETS = '/api/v1/settings/widgets'

/** Puts the widget on pages of the sample shop, at `/demo`, for whoever reaches this machine by these origins. */
export async function showShop(
  app: App,
  apiKey: string,
  origins: readonly string[],
  documents: readonly SampleDocument[],
): Promise<void> {
  const { widgets } = await ask<{ widgets: Widget[] }>(app, apiKey, 'GET', WIDGETS)
  const known = widgets.find(({ name, revoked_at: revokedAt }) => name === DEMO_WIDGET && revokedAt === null)
  const body = { name: DEMO_WIDGET, allowed_origins: origins, settings: LOOK }
  if (known) await ask(app, apiKey, 'PUT', `${WIDGETS}/${known.widget_id}`, { allowed_origins: origins })
  // Its secret is shown once, so another start makes a new one.
  const widget = known
    ? await ask<Widget>(app, apiKey, 'POST', `${WIDGETS}/${known.widget_id}/rotate-secret`, {})
    : await ask<Widget>(app, apiKey, 'POST', WIDGETS, body)
  const help = await Promise.all(documents.map((document) => readHelp(app, apiKey, document)))
  app.showDemo({ key: widget.key, identitySecret: widget.identity_secret, customers: readCustomers(), help })
}

/** Words of a shop, so that the first look is one at a shop's widget. They are set once: what somebody changes stays. */
const LOOK = {
  title: { zh: '灯笼商城客服', en: 'Lantern help' },
  greeting: {
    zh: '您好！我是灯笼商城的智能助手。订单、配送、退换货和发票都可以问我。',
    en: 'Hello! I am the assistant of Lantern. Ask me about orders, delivery, returns or invoices.',
  },
  starters: {
    zh: ['刚买就降价了，可以退差价吗？', '退货期限是几天？', '怎么开发票？'],
    en: ['What is the return window?', 'How much is delivery?', 'How do I get an invoice?'],
  },
}

const QUESTIONS = { zh: '常见问题', en: 'Frequently asked questions' } as const

/** A document as it was read. */
async function readHelp(app: App, apiKey: string, { docId, version, ...page }: SampleDocument): Promise<HelpPage> {
  const path = `/api/v1/knowledge/documents/${docId}/versions/${version}/chunks?limit=200`
  const { items } = await ask<{ items: Passage[] }>(app, apiKey, 'GET', path)
  const passages = items.map(({ heading_path: headingPath, question, content }) => ({ headingPath, question, content }))
  const [{ title } = { title: '' }] = items
  // A list of questions has the name of its file alone.
  return { ...page, title: title === page.name ? QUESTIONS[page.language] : title, passages }
}

interface Passage {
  title: string
  heading_path: string[]
  question: string | null
  content: string
}

interface Widget {
  widget_id: string
  name: string
  key: string
  revoked_at: string | null
  identity_secret: string
}

async function ask<T>(
  app: App,
  apiKey: string,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  body?: object,
): Promise<T> {
  const headers = { 'x-api-key': apiKey }
  const response = await app.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
  if (response.statusCode >= 300) throw new Error(`The widget of the demo was refused: ${response.body}`)
  return response.json()
}

interface SampleCustomer {
  user_id: string
  name: { first_name: string; last_name: string }
}

function readCustomers(): DemoCustomer[] {
  const lines = readFileSync(join(SAMPLE, 'customers.jsonl'), 'utf8').split('\n').filter(Boolean)
  return lines
    .map((line) => JSON.parse(line) as SampleCustomer)
    .map(({ user_id: userId, name }) => ({
      userId,
      name: /[\u4e00-\u9fff]/.test(name.last_name)
        ? `${name.last_name}${name.first_name}`
        : `${name.first_name} ${name.last_name}`,
    }))
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
  doc_id?: string
  version?: string | null
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
