import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Child, newStorage, type Storage, startChild } from '../contract/support/child.ts'
import { between, chooseSeed, type Random, randomFrom } from '../contract/support/random.ts'

const ROUNDS = 20
const FILES = 150
/** A run that died on a server is recognised when its lease has run out. */
const LEASE_MS = 40_000

let storage: Storage
let folder: string
beforeAll(async () => {
  storage = await newStorage()
  folder = await realpath(await mkdtemp(join(tmpdir(), 'update-kill-')))
  await mkdir(join(folder, 'deep'))
})
afterAll(async () => {
  await storage.remove()
  await rm(folder, { recursive: true, force: true })
})

describe('SIGKILL', () => {
  it('20 times in the middle of full updates: the next one makes registry, chunks and folder agree', async () => {
    const seed = chooseSeed()
    const random = randomFrom(seed)
    console.info(`Killed with TEST_SEED=${seed}`)
    const stops: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await changeFolder(random, round)
      const child = await startChild(storage)
      await expectWhole(child)
      stops.push(await killDuringUpdate(child, random))
    }
    console.info(`Killed after ${stops.join(', ')}`)
    expect(new Set(stops).size).toBeGreaterThan(ROUNDS / 4)

    await changeFolder(random, ROUNDS)
    const child = await startChild(storage)
    const last = await fullUpdate(child)
    expect(last.failed).toBe(0)
    await expectAgreement(child)
    expect(await fullUpdate(child)).toMatchObject({ scanned: last.scanned, skipped: last.scanned, deleted: 0 })
    expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})

/** Adds, changes and deletes some files; the first time it adds all of them. */
async function changeFolder(random: Random, round: number): Promise<void> {
  for (let number = 0; number < FILES; number++) {
    const path = join(folder, number % 3 === 0 ? 'deep' : '', `file-${number}.md`)
    const draw = random()
    if (round > 0 && draw < 0.05) await rm(path, { force: true })
    else if (round === 0 || draw < 0.4) await writeFile(path, contentOf(number, round, between(random, 1, 6)))
  }
}

/** Sections with a word that no other file and no other revision has. */
function contentOf(number: number, round: number, sections: number): string {
  const section = (i: number): string => `## Part ${i}\n\n${markOf(number, round)} says part ${i} of the file.\n`
  return `# File ${number}\n\n${Array.from({ length: sections }, (_, i) => section(i)).join('\n')}`
}

const markOf = (number: number, round: number): string => `mark${number}q${round}`

async function killDuringUpdate(child: Child, random: Random): Promise<string> {
  const since = new Date().toISOString()
  const request = fullUpdate(child).catch(() => 'cut off')
  // Somewhere in the run, on a slow machine as on a fast one: after so many files, then so long.
  const enough = between(random, 0, FILES - 10)
  let processed = -1
  while (processed < enough) {
    const { running } = await get<{ running: Running | null }>(child, '/update/status')
    // On a server a run that died is shown until its lease has run out.
    const own = running && running.started_at >= since ? running : null
    if (!own && processed >= 0) break
    processed = own?.processed ?? processed
    await sleep(2)
  }
  await sleep(between(random, 0, 20))
  await child.stop('SIGKILL')
  await request
  return String(processed)
}

interface Running {
  processed: number
  started_at: string
}

interface UpdateResult {
  scanned: number
  skipped: number
  failed: number
  deleted: number
}

async function fullUpdate(child: Child): Promise<UpdateResult> {
  const giveUpAt = Date.now() + LEASE_MS
  for (;;) {
    const { status, body } = await post<UpdateResult>(child, '/update/full', { dir_path: folder })
    if (status === 200) return body
    if (status !== 409 || Date.now() > giveUpAt) throw new Error(`Update: ${status} ${JSON.stringify(body)}`)
    await sleep(1_000)
  }
}

interface Listed {
  doc_id: string
  source: string
  status: string
  current_version: string | null
  chunk_count: number
}

async function listed(child: Child): Promise<Listed[]> {
  const { items, total } = await get<{ items: Listed[]; total: number }>(child, '/knowledge/documents?limit=200')
  expect(items).toHaveLength(total)
  return items
}

/** What is searchable is what the registry says, however the run before ended. */
async function expectWhole(child: Child): Promise<void> {
  const active = (await listed(child)).filter(({ status }) => status === 'active')
  expect(await get(child, '/knowledge/stats')).toMatchObject({
    total_documents: active.length,
    total_chunks: active.reduce((sum, { chunk_count }) => sum + chunk_count, 0),
  })
}

async function expectAgreement(child: Child): Promise<void> {
  await expectWhole(child)
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'))
  const items = await listed(child)
  const active = items.filter(({ status }) => status === 'active')
  expect(active.map(({ source }) => source).sort()).toEqual(names.map((name) => join(folder, name)).sort())
  for (const { doc_id, source, chunk_count } of active) {
    const content = await readFile(source, 'utf8')
    const detail = await get<{ current_version: string; versions: Version[] }>(child, `/knowledge/documents/${doc_id}`)
    const [version, ...others] = detail.versions.filter(({ status }) => status === 'active')
    expect(others).toEqual([])
    expect(version).toMatchObject({ doc_hash: createHash('sha256').update(content).digest('hex'), chunk_count })
    const mark = /mark\d+q\d+/.exec(content)?.[0] ?? ''
    const { body } = await post<{ chunks: { source: string; content: string }[] }>(
      child,
      '/agent/sessions/none/knowledge-recommend',
      { query: mark, top_k: 50 },
    )
    const own = body.chunks.filter((chunk) => chunk.source === source)
    expect(own.length, source).toBe(chunk_count)
    expect(
      own.every((chunk) => chunk.content.includes(mark)),
      source,
    ).toBe(true)
  }
}

interface Version {
  status: string
  doc_hash: string
  chunk_count: number
}

async function get<T>(child: Child, path: string): Promise<T> {
  const response = await fetch(`${child.origin}/api/v1${path}`)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

async function post<T>(child: Child, path: string, body: unknown): Promise<{ status: number; body: T }> {
  const response = await fetch(`${child.origin}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as T }
}
