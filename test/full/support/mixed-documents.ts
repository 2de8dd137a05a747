import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { between, pick, type Random } from '../../contract/support/random.ts'
import { call, upload } from './client.ts'

/** A text, or null: nothing is to be found. */
type Content = string | null

/** A document, what acknowledged requests made of it, and what one without an answer may have made of it instead. */
export interface Tracked {
  readonly source: string
  readonly mark: string
  docId: string | undefined
  acknowledged: Content
  unanswered: Content[]
  /** Every text that may be in one of its versions. */
  readonly texts: Set<string>
}

export interface Versions {
  status: string
  current_version: string
  versions: { version: string; status: string; doc_hash: string; chunk_count: number }[]
}

const letters = (number: number): string => [...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')

/** Words that only letters are in, so that no analyser takes them apart. */
export const markOf = (kind: string, number: number): string => `qz${kind}${letters(number)}x`

export function tracked(source: string, mark: string): Tracked {
  return { source, mark, docId: undefined, acknowledged: null, unanswered: [], texts: new Set() }
}

/** A text of one to five sections, each with the document's mark and the revision's. */
function textOf({ mark }: Tracked, revision: number): string {
  const own = `vw${letters(revision)}x`
  const section = (i: number): string =>
    `## Part ${i} of ${mark} ${own}\n\n${`Part ${i} of ${mark} as ${own} says. `.repeat(9)}`
  return `# ${mark} ${own}\n\n${Array.from({ length: 1 + (revision % 5) }, (_, i) => section(i)).join('\n\n')}`
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Does something to a document; it counts as done only with its answer. */
async function change(entry: Tracked, next: Content, request: () => Promise<{ status: number; body: unknown }>) {
  entry.unanswered.push(next)
  const { status, body } = await request()
  if (status !== 200) throw new Error(`${entry.source}: ${status} ${JSON.stringify(body)}`)
  entry.acknowledged = next
  entry.unanswered = []
  return body
}

export async function publish(origin: string, entry: Tracked, revision: number): Promise<void> {
  const text = textOf(entry, revision)
  entry.texts.add(text)
  const body = await change(entry, text, () => upload(origin, entry.source, text))
  entry.docId = (body as { doc_id: string }).doc_id
}

export async function remove(origin: string, entry: Tracked): Promise<void> {
  await change(entry, null, () => call(origin, 'DELETE', `/knowledge/documents/${entry.docId}`))
}

/** To any of its versions. */
export async function rollBack(origin: string, entry: Tracked, random: Random): Promise<void> {
  const { body } = await call(origin, 'GET', `/knowledge/documents/${entry.docId}`)
  const { version, doc_hash: hash } = pick(random, (body as Versions).versions)
  const text = [...entry.texts].find((each) => hashOf(each) === hash)
  if (text === undefined) throw new Error(`${entry.source}: ${version} is of no text that was sent`)
  const path = `/knowledge/documents/${entry.docId}/rollback`
  const request = () => call(origin, 'POST', path, { target_version: version })
  await change(entry, text, request).catch((error: Error) => {
    // Deleted with the document since: nothing changes.
    if (!error.message.includes(': 409 ')) throw error
    entry.unanswered = []
  })
}

/** Changes some files of a folder and lets the service follow. */
export async function followFolder(
  origin: string,
  folder: string,
  files: readonly Tracked[],
  random: Random,
  revision: number,
) {
  await mkdir(folder, { recursive: true })
  const changed = files.filter(({ texts }) => texts.size === 0 || random() < 0.5)
  for (const file of changed) {
    const text = textOf(file, revision + between(random, 0, 4))
    file.texts.add(text)
    await writeFile(join(folder, file.source), text)
  }
  const onDisk = await Promise.all(
    files.map(async (file) => [file, await readFile(join(folder, file.source), 'utf8')] as const),
  )
  for (const [file, text] of onDisk) file.unanswered.push(text)
  const { status, body } = await call(origin, 'POST', '/update/full', { dir_path: folder })
  if (status !== 200 || body.failed > 0) throw new Error(`update: ${status} ${JSON.stringify(body)}`)
  for (const [file, text] of onDisk) {
    file.acknowledged = text
    file.unanswered = []
  }
}

/** A document is whole, of one version, and in the state that was acknowledged or in one that was asked for last. */
export async function checkDocument(origin: string, entry: Tracked): Promise<void> {
  const hits = await findMarked(origin, entry.mark)
  const docId = entry.docId ?? hits[0]?.doc_id
  const candidates = [entry.acknowledged, ...entry.unanswered]
  if (docId === undefined) {
    expect(candidates, `${entry.source} is not there`).toContain(null)
    entry.acknowledged = null
  } else {
    entry.docId = docId
    await checkKnown(origin, entry, hits, candidates)
  }
  entry.unanswered = []
}

async function checkKnown(origin: string, entry: Tracked, hits: Hit[], candidates: readonly Content[]): Promise<void> {
  const { body } = await call(origin, 'GET', `/knowledge/documents/${entry.docId}`)
  const detail = body as Versions
  const active = detail.versions.filter(({ status }) => status === 'active')
  const found = candidates.find((text) => (text === null ? active.length === 0 : active[0]?.doc_hash === hashOf(text)))
  const seen = JSON.stringify({ detail, candidates: candidates.map((text) => text?.slice(0, 40)) })
  expect(found, `${entry.source} is in none of its possible states: ${seen}`).toBeDefined()
  expect(active, entry.source).toHaveLength(found === null ? 0 : 1)
  expect(hits.length, `${entry.source}: searchable passages`).toBe(active[0]?.chunk_count ?? 0)
  const revision = found?.slice(0, found.indexOf('\n')).split(' ').at(-1) ?? ''
  for (const { content } of hits) expect(content, entry.source).toContain(revision)
  entry.acknowledged = found ?? null
}

export interface Hit {
  doc_id: string
  content: string
  source: string
  score: number
}

/** Every passage with the mark, the best first. */
export async function findMarked(origin: string, mark: string): Promise<Hit[]> {
  const { body } = await call(origin, 'POST', '/agent/sessions/none/knowledge-recommend', { query: mark, top_k: 50 })
  return (body.chunks as Hit[]).filter(({ content }) => content.includes(mark))
}
