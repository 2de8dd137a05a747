import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createBuiltInEmbedder } from '../../src/ai/embedder/built-in.ts'
import { createKnowledge, DEFAULT_RETRIEVAL_PARAMETERS, type Knowledge } from '../../src/features/knowledge/index.ts'
import { createAnalyser } from '../../src/language/words/analyser.ts'
import { type Database, openDatabase } from '../../src/platform/postgres/index.ts'
import { secondsOf, serverOf } from '../process-time.ts'

export interface OpenKnowledge {
  knowledge: Knowledge
  close(): Promise<void>
}

const log = { info: () => {}, warn: report, fatal: report }

/** Where a knowledge base is kept: a folder of the embedded database, or a database on a server. */
export type Place = { dataDir: string } | { databaseUrl: string }

/** The knowledge base as the program composes it; the embedded database in its worker thread. */
export async function openKnowledge(place: Place): Promise<OpenKnowledge> {
  const db = await openDatabase({ ...place, log })
  const knowledge = await knowledgeOver(db)
  return {
    knowledge,
    async close() {
      await knowledge.close()
      await db.close()
    },
  }
}

/** With the built-in embedder and the parameters that nobody has changed. */
export function knowledgeOver(db: Database): Promise<Knowledge> {
  const analyser = createAnalyser()
  return createKnowledge({
    db,
    analyser,
    embedders: [createBuiltInEmbedder({ analyser })],
    parameters: () => DEFAULT_RETRIEVAL_PARAMETERS,
    log,
  })
}

function report(details: object, message: string): void {
  console.error(message, details)
}

export async function withFolder<T>(kept: string | undefined, work: (folder: string) => Promise<T>): Promise<T> {
  if (kept !== undefined) return work(kept)
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-scale-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a knowledge base takes on the disk. */
export async function storedBytes(place: Place): Promise<number> {
  return 'dataDir' in place ? folderBytes(place.dataDir) : databaseBytes(place.databaseUrl)
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function databaseBytes(databaseUrl: string): Promise<number> {
  return askServer(databaseUrl, 'select pg_database_size(current_database()) as found', Number)
}

/**
 * How to read the processor time that a place's server took so far, in milliseconds; undefined where none of this
 * machine's serves it. The embedded database works in this process.
 */
export async function serverTime(place: Place): Promise<(() => number) | undefined> {
  if ('dataDir' in place) return undefined
  const server = await askServer(place.databaseUrl, 'select pg_backend_pid() as found', (pid) => serverOf(Number(pid)))
  return server === null ? undefined : () => secondsOf(server) * 1_000
}

/** Reads the answer while its connection is there. */
async function askServer<T>(databaseUrl: string, statement: string, read: (found: unknown) => T): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return read((await client.query(statement)).rows[0].found)
  } finally {
    await client.end()
  }
}
