import { AppError } from '../../kernel/errors.ts'
import type { Knowledge } from '../knowledge/index.ts'
import { pageAddress, type ReadPage, readPage } from './page.ts'
import type { KnownPage } from './types.ts'

/** Outcome of asking for a page, with the addresses that it leads to. */
export interface Taken {
  outcome: 'imported' | 'unchanged' | 'skipped' | 'failed' | 'gone'
  reason?: string
  links: string[]
  /** Where the page itself is. */
  instead?: string
  /** As it is known from now on; undefined: as before. */
  page?: KnownPage
}

export interface PageOptions {
  fetch(
    url: string,
    init: { headers: Record<string, string>; redirect?: 'manual'; signal: AbortSignal },
  ): Promise<Response>
  ingest: Knowledge['ingest']
}

export const USER_AGENT = 'Frontdesk (website import)'
const UTF8_MARK = '\ufeff'

/** Asks for a page and takes it in where it is new or says something else than before. */
export async function takePage(
  options: PageOptions,
  {
    url,
    known,
    isWanted,
    signal,
  }: { url: string; known: KnownPage | undefined; isWanted: boolean; signal: AbortSignal },
): Promise<Taken> {
  const response = await options.fetch(url, { headers: headersFor(known), redirect: 'manual', signal })
  const { status } = response
  if (status === 304 && known) return { outcome: 'unchanged', links: known.links }
  const refusal = refusalOf(response, url)
  if (refusal) {
    await response.body?.cancel()
    return refusal
  }
  const { html, bytes } = await textOf(response)
  const read = readPage(html, url)
  if (!isWanted) return { outcome: 'skipped', reason: 'outside the prefix', links: read.links }
  if (read.isHidden) return { outcome: 'skipped', reason: 'does not want to be found', links: read.links }
  if (read.canonical && read.canonical !== url)
    return { outcome: 'skipped', reason: 'another address of a page', links: read.links, instead: read.canonical }
  if (known?.isArchived) return { outcome: 'unchanged', links: read.links }
  if (known?.textHash === read.textHash)
    return { outcome: 'unchanged', links: read.links, page: toKnown(response, url, known.docId, read) }
  const { docId } = await options.ingest(toRequest(url, bytes))
  return { outcome: 'imported', links: read.links, page: toKnown(response, url, docId, read) }
}

function headersFor(known: KnownPage | undefined): Record<string, string> {
  return {
    accept: 'text/html,application/xhtml+xml',
    'user-agent': USER_AGENT,
    ...(known?.etag ? { 'if-none-match': known.etag } : {}),
    ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
  }
}

/** Null: the answer is a page. */
function refusalOf(response: Response, url: string): Taken | null {
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    const next = pageAddress(headers.get('location') ?? '', url)
    return { outcome: 'skipped', reason: 'leads to another address', links: [], ...(next ? { instead: next } : {}) }
  }
  if (status === 404 || status === 410) return { outcome: 'gone', links: [] }
  if (status < 200 || status > 299) return { outcome: 'failed', reason: `the server answered ${status}`, links: [] }
  const type = headers.get('content-type') ?? ''
  if (/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return null
  return { outcome: 'skipped', reason: 'no page', links: [] }
}

/** Read as the header says, which wins over what the page says of itself; handed on so that it is read alike. */
async function textOf(response: Response): Promise<{ html: string; bytes: Uint8Array }> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(response.headers.get('content-type') ?? '')?.[1]
  try {
    const html = new TextDecoder(charset ?? 'utf-8').decode(bytes)
    return { html, bytes: charset ? new TextEncoder().encode(`${UTF8_MARK}${html}`) : bytes }
  } catch (cause) {
    throw new AppError('bad_request', 'charset', `the encoding ${charset} is not known`, { cause })
  }
}

function toRequest(url: string, bytes: Uint8Array): Parameters<Knowledge['ingest']>[0] {
  const name = new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? 'index'
  const metadata = { knowledgeType: 'doc', productCategory: 'unknown', applicableVersion: 'latest', publishedAt: null }
  return {
    bytes,
    source: url,
    fileName: `${name.replace(/\.\w{1,8}$/, '')}.html`,
    register: true,
    metadata: { ...metadata, url },
  }
}

function toKnown({ headers }: Response, url: string, docId: string, { textHash, links }: ReadPage): KnownPage {
  return { url, docId, etag: headers.get('etag'), lastModified: headers.get('last-modified'), textHash, links }
}
