import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DemoCustomer } from './features/web/index.ts'
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

const DEMO_WIDGET = 'Demo'

/** Puts the widget on a page of the sample shop, at `/demo`, for whoever reaches this machine by these origins. */
export async function showShop(app: App, apiKey: string, origins: readonly string[]): Promise<void> {
  const { widgets } = await ask<{ widgets: Widget[] }>(app, apiKey, 'GET', '/api/v1/settings/widgets')
  const known = widgets.find(({ name, revoked_at: revokedAt }) => name === DEMO_WIDGET && revokedAt === null)
  const path = '/api/v1/settings/widgets'
  const body = { name: DEMO_WIDGET, allowed_origins: origins }
  if (known) await ask(app, apiKey, 'PUT', `${path}/${known.widget_id}`, { allowed_origins: origins })
  // Its secret is shown once, so another start makes a new one.
  const widget = known
    ? await ask<Widget>(app, apiKey, 'POST', `${path}/${known.widget_id}/rotate-secret`, {})
    : await ask<Widget>(app, apiKey, 'POST', path, body)
  app.showDemo({ key: known?.key ?? widget.key, identitySecret: widget.identity_secret, customers: readCustomers() })
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
  orders: string[]
}
interface SampleOrder {
  order_id: string
  status: string
  items: { name: string }[]
}

function readCustomers(): DemoCustomer[] {
  const orders = new Map(readLines<SampleOrder>('orders').map((order) => [order.order_id, order]))
  return readLines<SampleCustomer>('customers').map(({ user_id: userId, name, orders: ids }) => ({
    userId,
    name: /[\u4e00-\u9fff]/.test(name.last_name)
      ? `${name.last_name}${name.first_name}`
      : `${name.first_name} ${name.last_name}`,
    orders: ids.flatMap((id) => {
      const order = orders.get(id)
      return order
        ? [{ orderId: id, items: order.items.map((item) => item.name).join(', '), status: order.status }]
        : []
    }),
  }))
}

function readLines<T>(kind: 'customers' | 'orders'): T[] {
  const text = readFileSync(join(SAMPLE, `${kind}.jsonl`), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)
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
