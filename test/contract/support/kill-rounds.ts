import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { encodeForm } from '../../support/test-app.ts'
import { type Child, type Storage, startChild } from './child.ts'
import { contentOf, createLedger, hashOf, type LedgerEntry, markOf, type Revision, revisionMark } from './ledger.ts'
import { between, type Random, randomFrom } from './random.ts'

const UPLOADERS = 4
/** So many answers at the most before the kill, then so long: on a slow machine as on a fast one some work is done. */
const MOST_ANSWERS = 10
const LONGEST_DELAY_MS = 150
const MAX_HITS = 50

export interface KillReport {
  rounds: number
  acknowledged: number
  /** Requests that were cut off, by what they turned out to have done. */
  cut: { published: number; lost: number }
  startsMs: number[]
}

/**
 * Kills the program `rounds` times in the middle of uploads and deletions, and after each time checks, over HTTP, that
 * everything acknowledged is there and no document is half published.
 */
export async function killRounds(storage: Storage, rounds: number, seed: number): Promise<KillReport> {
  const random = randomFrom(seed)
  const ledger = createLedger(random)
  const report: KillReport = { rounds, acknowledged: 0, cut: { published: 0, lost: 0 }, startsMs: [] }
  for (let round = 0; round < rounds; round++) {
    const child = await startChild(storage)
    report.startsMs.push(child.startedInMs)
    await checkOrKill(child, ledger.entries, random, report)
    await uploadUntilKilled(child, ledger, random, report)
  }
  const child = await startChild(storage)
  await checkOrKill(child, ledger.entries, random, report)
  expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  return report
}

async function uploadUntilKilled(
  child: Child,
  ledger: ReturnType<typeof createLedger>,
  random: Random,
  report: KillReport,
): Promise<void> {
  let killed = false
  let answersToCome = between(random, 1, MOST_ANSWERS)
  const enough = Promise.withResolvers<void>()
  const workers = Array.from({ length: UPLOADERS }, async () => {
    while (!killed) {
      const failure = await change(child, ledger, random).catch((error: unknown) => error)
      // Before the kill nothing may fail.
      if (failure !== undefined && !killed) throw failure
      if (failure === undefined) report.acknowledged++
      if (--answersToCome === 0) enough.resolve()
    }
  })
  const working = Promise.all(workers)
  try {
    await Promise.race([enough.promise, working])
    await sleep(between(random, 0, LONGEST_DELAY_MS))
  } finally {
    killed = true
    await child.stop('SIGKILL')
  }
  await working
}

async function change(child: Child, ledger: ReturnType<typeof createLedger>, random: Random): Promise<void> {
  const entry = ledger.take()
  const deletes = entry.acknowledged && random() < 0.15
  await (deletes ? deletion(child, entry) : upload(child, entry, ledger.nextRevision())).finally(() => {
    entry.busy = false
  })
}

async function upload(child: Child, entry: LedgerEntry, number: number): Promise<void> {
  const revision: Revision = { number, chunks: undefined }
  entry.unanswered.push(revision)
  const { body, contentType } = encodeForm(contentOf(entry, number), entry.name, { register: String(entry.registered) })
  const response = await fetch(`${child.origin}/api/v1/knowledge/ingest`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
  })
  const answer = (await response.json()) as { doc_id: string; chunk_count: number; detail?: string }
  if (response.status !== 200) throw new Error(`upload of ${entry.name}: ${response.status} ${answer.detail}`)
  entry.docId = answer.doc_id
  settle(entry, { number, chunks: answer.chunk_count })
}

async function deletion(child: Child, entry: LedgerEntry): Promise<void> {
  entry.unanswered.push(null)
  const response = await fetch(`${child.origin}/api/v1/knowledge/documents/${entry.docId}`, { method: 'DELETE' })
  const answer = (await response.json()) as { deleted_chunks: number; detail?: string }
  if (response.status !== 200) throw new Error(`deletion of ${entry.name}: ${response.status} ${answer.detail}`)
  settle(entry, null)
}

function settle(entry: LedgerEntry, revision: Revision): void {
  entry.acknowledged = revision
  entry.unanswered = []
}

async function checkOrKill(...[child, ...rest]: Parameters<typeof checkAll>): Promise<void> {
  await checkAll(child, ...rest).catch(async (error: unknown) => {
    await child.stop('SIGKILL')
    throw error
  })
}

/** Those that a kill left open, some of the others, and the sums over all. */
async function checkAll(child: Child, entries: LedgerEntry[], random: Random, report: KillReport): Promise<void> {
  const open = entries.filter(({ unanswered }) => unanswered.length > 0)
  const others = entries.filter((entry) => !open.includes(entry) && random() < 15 / entries.length)
  for (const entry of open) await resolveOpen(child, entry, report)
  for (const entry of others) await checkEntry(child, entry)
  const stats = await getJson<{ total_documents: number; total_chunks: number }>(child, '/knowledge/stats')
  const present = entries.flatMap(({ acknowledged }) => acknowledged ?? [])
  expect(stats).toMatchObject({
    total_documents: present.length,
    total_chunks: present.reduce((sum, { chunks }) => sum + (chunks ?? 0), 0),
  })
}

/** Finds out which of the possible states a document is in, whole, and takes it for the acknowledged one. */
async function resolveOpen(child: Child, entry: LedgerEntry, report: KillReport): Promise<void> {
  const hits = await search(child, entry)
  entry.docId ??= hits[0]?.doc_id
  const candidates = [entry.acknowledged, ...entry.unanswered]
  const found = candidates.find((each) => hits.length > 0 === (each !== null) && hits.every((hit) => isOf(hit, each)))
  expect(
    found,
    `${entry.name} is in none of its possible states: ${JSON.stringify({ candidates, hits })}`,
  ).toBeDefined()
  report.cut[found === entry.acknowledged ? 'lost' : 'published']++
  settle(entry, found ? { number: found.number, chunks: found.chunks ?? hits.length } : null)
  await checkEntry(child, entry)
}

interface Hit {
  doc_id: string
  content: string
  source: string
}

function isOf({ content }: Hit, revision: Revision): boolean {
  return revision !== null && content.includes(revisionMark(revision.number))
}

/** What is searchable, and what the registry says, is one revision and all of it. */
async function checkEntry(child: Child, entry: LedgerEntry): Promise<void> {
  const { acknowledged: revision, name } = entry
  const hits = await search(child, entry)
  expect(
    hits.filter((hit) => !isOf(hit, revision)),
    `${name}: chunks of another revision`,
  ).toEqual([])
  expect(hits.length, `${name}: searchable chunks`).toBe(revision?.chunks ?? 0)
  if (!entry.registered || entry.docId === undefined) return
  const detail = await getJson<Detail>(child, `/knowledge/documents/${entry.docId}`)
  const active = detail.versions.filter(({ status }) => status === 'active')
  expect(detail.status, name).toBe(revision ? 'active' : 'deleted')
  expect(active.map(({ version }) => version).join(), name).toBe(detail.current_version)
  expect(
    active.map(({ chunk_count }) => chunk_count),
    name,
  ).toEqual(revision ? [hits.length] : [])
  if (revision) expect(active[0]?.doc_hash, name).toBe(hashOf(contentOf(entry, revision.number)))
  expect(detail.versions.map(({ version }) => version)).toEqual(detail.versions.map((_, index) => `v${index + 1}`))
}

interface Detail {
  status: string
  current_version: string
  versions: { version: string; status: string; doc_hash: string; chunk_count: number }[]
}

async function search(child: Child, entry: LedgerEntry): Promise<Hit[]> {
  const response = await fetch(`${child.origin}/api/v1/agent/sessions/none/knowledge-recommend`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: markOf(entry), top_k: MAX_HITS }),
  })
  const { chunks } = (await response.json()) as { chunks: Hit[] }
  return chunks.filter(({ source }) => source === entry.name)
}

async function getJson<T>(child: Child, path: string): Promise<T> {
  const response = await fetch(`${child.origin}/api/v1${path}`)
  expect(response.status, path).toBe(200)
  return (await response.json()) as T
}
