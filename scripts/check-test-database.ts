// Vitest's global setup. With TEST_DATABASE_URL the suite runs on a Postgres server instead of the embedded database;
// a server that cannot be used is reported once, here, and not by every test.
import { Client } from 'pg'

const OLDEST_SERVER_MAJOR = 17

/**
 * Checks that the server in TEST_DATABASE_URL, if any, answers, is new enough and offers pgvector.
 * @throws Error with what is wrong and the server's own words
 */
export async function setup(): Promise<void> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) return
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; vector: string | null }>(
      "select current_setting('server_version_num') as version, (select default_version from pg_available_extensions where name = 'vector') as vector",
    )
    const problem = findProblem(rows[0])
    if (problem) throw new Error(problem)
  } catch (error) {
    throw new Error(`TEST_DATABASE_URL cannot be used: ${(error as Error).message || String(error)}`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function findProblem(server: { version: string; vector: string | null } | undefined): string | undefined {
  const major = Math.floor(Number(server?.version ?? 0) / 10_000)
  if (major < OLDEST_SERVER_MAJOR)
    return `the server is Postgres ${major}, the suite needs ${OLDEST_SERVER_MAJOR} or newer`
  if (!server?.vector) return 'the server has no pgvector extension'
  return undefined
}
