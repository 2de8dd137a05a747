import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInbox } from '../../../test/support/stub-server.ts'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../test/support/test-database.ts'
import { type Database, notify, openDatabase, ping } from './index.ts'

const url = process.env.TEST_DATABASE_URL ?? ''

describe('a server that cannot be reached', () => {
  it('fails the opening with 503 and without the password', async () => {
    const unreachable = 'postgres://user:secret-password@127.0.0.1:1/nowhere'
    const error = await openDatabase({ databaseUrl: unreachable, log: silentLog }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ kind: 'unavailable' })
    expect(JSON.stringify(error) + String(error)).not.toContain('secret-password')
  })
})

describe.skipIf(url === '')('a Postgres server', () => {
  let test: TestDatabase
  let db: Database
  const admin = new pg.Pool({ connectionString: url, max: 2 })
  beforeAll(async () => {
    test = await createTestDatabase()
    db = test.db
  })
  afterAll(async () => {
    await test.close()
    await admin.end()
  })

  /** Process ids of this test's own connections: others use the same server. */
  async function ownBackends(database: Database, count: number): Promise<number[]> {
    const held = Array.from({ length: count }, () =>
      database.transaction(async (trx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`.execute(trx)
        return rows[0]!.pid
      }),
    )
    return Promise.all(held)
  }

  /** Two connections to the same data. */
  async function openSmall(options: { statementTimeoutMs?: number } = {}): Promise<Database> {
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db.executor)
    return openDatabase({ databaseUrl: url, schema: rows[0]!.schema, poolSize: 2, log: silentLog, ...options })
  }

  it('is opened by four replicas at once, of which one migrates', async () => {
    const schema = `test_${randomUUID().slice(0, 8)}`
    await admin.query(`create schema ${schema}`)
    const messages: string[] = []
    const log = { ...silentLog, info: (_details: object, message: string) => void messages.push(message) }
    const replicas = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase({ databaseUrl: url, schema, poolSize: 2, log })),
    )
    const { rows } = await sql<{ count: number }>`select count(*) from schema_migrations`.execute(replicas[0]!.executor)
    expect(messages.filter((message) => message.startsWith('Applied'))).toHaveLength(rows[0]!.count)
    expect(rows[0]!.count).toBeGreaterThan(0)
    await Promise.all(replicas.map((replica) => replica.close()))
    await admin.query(`drop schema ${schema} cascade`)
  })

  it('carries notifications from one replica to another', async () => {
    const other = await test.reopen()
    const inbox = createInbox<string>()
    await other.listen('replicas', (payload) => inbox.add(payload))
    await notify(db, db.executor, 'replicas', 'hello')
    expect(await inbox.waitFor(1)).toEqual(['hello'])
  })

  it('is reconnected to after its connections were cut', async () => {
    const pids = await ownBackends(db, 4)
    await admin.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [pids])
    // At most one statement a broken connection may fail; then the pool has new ones.
    const outcomes = []
    for (let i = 0; i < 10; i++) {
      outcomes.push(
        await ping(db).then(
          () => 'fine',
          (error: unknown) => error,
        ),
      )
    }
    for (const outcome of outcomes.filter((each) => each !== 'fine'))
      expect(outcome).toMatchObject({ kind: 'unavailable' })
    expect(outcomes.at(-1)).toBe('fine')
  })

  it('turns a statement whose connection is cut into 503, and rolls its transaction back', async () => {
    await sql`create table cut (id integer)`.execute(db.executor)
    const started = Promise.withResolvers<number>()
    const work = db.transaction(async (trx) => {
      await sql`insert into cut values (1)`.execute(trx)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      started.resolve(rows[0]!.pid)
      await sql`select pg_sleep(30)`.execute(trx)
    })
    const failed = expect(work).rejects.toMatchObject({ kind: 'unavailable' })
    await admin.query('select pg_terminate_backend($1)', [await started.promise])
    await failed
    const { rows } = await sql`select * from cut`.execute(db.executor)
    expect(rows).toEqual([])
  })

  it('is listened to again after the listening connection was cut, and says that some may be missing', async () => {
    const inbox = createInbox<string>()
    const gaps = createInbox<string>()
    const listener = await test.reopen()
    await listener.listen(
      'reconnect',
      (payload) => inbox.add(payload),
      () => gaps.add('gap'),
    )
    const { rowCount } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query = $1 and pid <> pg_backend_pid()`,
      [`listen "${listener.channelName('reconnect')}"`],
    )
    expect(rowCount).toBe(1)
    await gaps.waitFor(1)
    await notify(db, db.executor, 'reconnect', 'after')
    expect(await inbox.waitFor(1)).toEqual(['after'])
  })

  it('stops a statement that takes too long with 503', async () => {
    const impatient = await openSmall({ statementTimeoutMs: 500 })
    const slow = sql`select pg_sleep(30)`.execute(impatient.executor)
    await expect(slow).rejects.toMatchObject({ kind: 'unavailable', code: 'database_timeout' })
    await ping(impatient)
    await impatient.close()
  })

  it('makes callers wait for a connection instead of opening more', async () => {
    const small = await openSmall()
    const pids = await ownBackends(small, 20)
    expect(new Set(pids).size).toBeLessThanOrEqual(2)
    await small.close()
  })
})
