import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { secondsOf, serverOf } from '../process-time.ts'

const LOOK_EVERY_MS = 100

export interface Watched {
  /** Processor time of the server's processes, in seconds; 0 where it runs elsewhere. */
  serverSeconds: number
  commits: number
  /** The most at once, of this database. */
  connections: number
  /** Of those that worked when somebody looked, the share that waited for a lock, 0 to 1. */
  lockWaits: number
  /** What they waited for, the most frequent first, as Postgres names it. */
  waitedFor: string[]
}

/** Looks at a database's server, ten times a second, until it is stopped. */
export async function watchServer(databaseUrl: string): Promise<{ stop(): Promise<Watched> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const server = serverOf(rows[0].pid)
  const spent = (): number => (server === null ? 0 : secondsOf(server))
  const [secondsBefore, commitsBefore] = [spent(), await commitsOf(client)]
  let connections = 0
  let working = 0
  const waits = new Map<string, number>()
  let isStopped = false
  const looking = (async () => {
    while (!isStopped) {
      const { rows: seen } = await client.query(LOOK)
      connections = Math.max(connections, seen[0].connections)
      working += seen[0].working
      for (const name of seen[0].waits as string[]) waits.set(name, (waits.get(name) ?? 0) + 1)
      await sleep(LOOK_EVERY_MS)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await looking
      const seconds = spent() - secondsBefore
      // The server tells of commits a second late.
      await sleep(2_000)
      const commits = (await commitsOf(client)) - commitsBefore
      await client.end()
      const counts = [...waits].sort(([, one], [, other]) => other - one)
      const waiting = counts.reduce((sum, [, count]) => sum + count, 0)
      const lockWaits = waiting / Math.max(1, working)
      return { serverSeconds: seconds, commits, connections, lockWaits, waitedFor: counts.map(([name]) => name) }
    },
  }
}

const LOOK = `select count(*)::integer as connections, count(*) filter (where state = 'active')::integer as working,
    coalesce(array_agg(wait_event_type || ' ' || wait_event)
      filter (where state = 'active' and wait_event_type in ('Lock', 'LWLock', 'BufferPin')), '{}') as waits
  from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`

async function commitsOf(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query(
    'select xact_commit::float8 as commits from pg_stat_database where datname = current_database()',
  )
  return rows[0].commits
}
