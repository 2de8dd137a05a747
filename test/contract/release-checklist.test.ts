import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/platform/postgres/index.ts'
import { createManualClock, type ManualClock } from '../support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createWatchApp, type WatchApp } from '../support/watch-app.ts'

let database: TestDatabase
let db: Database
let clock: ManualClock
let one: WatchApp
beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  clock = createManualClock()
  one = await createWatchApp(db, { clock })
})
afterAll(async () => {
  await one.close()
  await database.close()
})

describe('the release checklist', () => {
  const CHECKLIST = '/api/v1/operations/release-checklist'
  const CHECKS = [
    'database',
    'migrations',
    'extensions',
    'api_key',
    'file_roots',
    'open_groups',
    'hot_questions',
    'conversation_retention',
    'backups_documented',
    'knowledge_base',
    'embeddings',
    'evaluation',
    'model',
    'circuit_breakers',
    'critical_alerts',
    'disk_space',
  ]

  interface Check {
    name: string
    status: string
    error?: string
  }
  const failures = (checks: Check[]) =>
    Object.fromEntries(checks.filter(({ status }) => status === 'failed').map(({ name, error }) => [name, error]))

  it('names what is not ready, and counts', async () => {
    const { status, body } = await one.call('GET', CHECKLIST)
    expect(status).toBe(200)
    expect(body.checks.map(({ name }: Check) => name)).toEqual(CHECKS)
    expect(body.total).toBe(CHECKS.length)
    expect(body.passed + body.failed).toBe(body.total)
    for (const check of body.checks) expect('error' in check).toBe(check.status === 'failed')
    // The console shows the reasons in its language.
    for (const { status, error, words } of body.checks) {
      if (status === 'failed') expect(words).toEqual({ en: error, zh: expect.stringMatching(/\p{Script=Han}/u) })
    }
    expect(failures(body.checks)).toMatchObject({
      api_key: 'API_KEY is empty: no authentication',
      file_roots: expect.stringContaining('FILE_ROOTS is empty'),
      open_groups: expect.stringContaining('OPEN_GROUPS is true'),
      hot_questions: expect.stringContaining('HOT_QUESTION_MIN_SESSIONS is 1'),
      conversation_retention: expect.stringContaining('CONVERSATION_RETENTION_DAYS is 0'),
      backups_documented: expect.stringContaining('BACKUP_DOCUMENT is empty'),
      knowledge_base: 'The knowledge base is empty',
      evaluation: expect.stringContaining('No evaluation was ever run'),
    })
  })

  it('really checks: each thing that is put right passes, each that breaks fails', async () => {
    const environment = {
      API_KEY: 'a key of 24 characters!!',
      FILE_ROOTS: '/srv',
      BACKUP_DOCUMENT: new URL('../../README.md', import.meta.url).pathname,
      ALERT_FREE_DISK_PERCENT: '0',
      OPEN_GROUPS: 'false',
      CONVERSATION_RETENTION_DAYS: '365',
    }
    const ready = await createWatchApp(db, { clock, environment })
    const check = async () => {
      // What looks at every vector does so once a minute.
      clock.advance(60_000)
      return failures((await ready.call('GET', CHECKLIST)).body.checks)
    }
    expect(Object.keys(await check())).toEqual(['knowledge_base', 'evaluation'])

    await sql`insert into knowledge_documents (doc_id, source, registered, status) values ('d', 'd.md', true, 'active')`.execute(
      db.executor,
    )
    await sql`insert into knowledge_versions (doc_id, version_no, doc_hash, status, chunk_count, knowledge_type,
      product_category, applicable_version) values ('d', 1, 'h', 'active', 1, 'faq', 'x', 'latest')`.execute(
      db.executor,
    )
    await sql`insert into knowledge_chunks (doc_id, version_no, ordinal, collection, kind, title, heading_path, content,
      metadata, search_text, features) values ('d', 1, 0, 'main', 'text', '', '[]', 'text', '{}', 'text', '')`.execute(
      db.executor,
    )
    await sql`insert into knowledge_embedding_generations (embedder_id, dimensions, status)
      values ('built-in-1', 128, 'serving')`.execute(db.executor)
    // Built-in vectors are no rows of their own.
    expect(Object.keys(await check())).toEqual(['evaluation'])
    await sql`update knowledge_embedding_generations set embedder_id = 'a model'`.execute(db.executor)
    expect(await check()).toEqual({
      embeddings: '1 passages have no vector yet',
      evaluation: expect.stringContaining('No evaluation'),
    })

    for (let i = 0; i < 5; i++) {
      await ready.watch.breakers
        .get('llm')
        .run(() => Promise.reject(new Error('x')))
        .catch(() => {})
    }
    const alert = { fingerprint: 'fire', level: 'critical' as const, source: 'test', message: 'Fire', details: {} }
    ready.watch.alerts.raise(alert)
    expect(await check()).toMatchObject({
      circuit_breakers: 'Not closed: llm',
      critical_alerts: '1 critical alert is open',
    })
    ready.watch.alerts.resolve('fire')
    ready.watch.breakers.reset('llm')

    await sql`delete from schema_migrations where version = 9`.execute(db.executor)
    expect(await check()).toMatchObject({ migrations: expect.stringMatching(/holds \d+ of \d+ migrations/) })
    await sql`delete from knowledge_documents`.execute(db.executor)
    await sql`delete from knowledge_embedding_generations`.execute(db.executor)
    await ready.close()
  })

  it('fails for files of the database that are not whole, as the health report does', async () => {
    const damage = 'The file of chat_messages is missing'
    const broken = await createWatchApp({ ...db, damage: () => damage }, { clock })
    const { database: found } = failures((await broken.call('GET', CHECKLIST)).body.checks)
    expect(found).toBe(db.kind === 'embedded' ? `${damage}. Restore a backup` : undefined)
    await broken.close()
  })
})
