import pg from 'pg'

/** A database of its own on a server. */
export interface ServerDatabase {
  url: string
  drop(): Promise<void>
}

export async function createServerDatabase(server: string): Promise<ServerDatabase> {
  const name = `frontdesk_bench_${process.pid}_${Date.now()}`
  await run(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(server, `drop database ${name} with (force)`) }
}

async function run(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
