import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOLDINGS } from '../../src/features/customers/index.ts'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

/** A customer with words of their own, by which whatever is kept of them is found. */
interface Customer {
  userId: string
  marks: string[]
  name: string
  phone: string
  orderId: string
  word: string
  sessions: string[]
}

/** A text as Postgres shows it within bytes. */
const bytesOf = (text: string): string => Buffer.from(text).toString('hex')

function customer(userId: string, name: string, phone: string, orderId: string, word: string): Customer {
  return {
    userId,
    name,
    phone,
    orderId,
    word,
    marks: [userId, name, phone, orderId, word, bytesOf(name)],
    sessions: [],
  }
}

const ana = customer('ana-4711', 'Anastasia Quellenberg', '+49 170 5550101', 'W7700101', 'zirbelholz')
const ben = customer('ben-0815', 'Benedikt Oberammerer', '+49 170 5550202', 'W7700202', 'knallerbse')

/** What an approved answer became is the shop's, and published. */
const PUBLISHED = ['knowledge_documents', 'knowledge_versions', 'knowledge_chunks']

const IMPORT_TICKETS = '/api/v1/mining/tickets/import'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const post = (path: string, body?: object, key?: string) =>
  test.call('POST', `/api/v1${path}`, body, key === undefined ? {} : { 'idempotency-key': key })

async function importRecords(kind: string, rows: object[]): Promise<void> {
  const { body, contentType } = encodeForm(rows.map((row) => JSON.stringify(row)).join('\n'), `${kind}.jsonl`, { kind })
  const { status } = await test.call('POST', '/api/v1/business/import', body, { 'content-type': contentType })
  expect(status).toBe(200)
}

/** Others with the same problem, so that it is a frequent one. */
async function importTickets(): Promise<void> {
  const sample = readFileSync(new URL('../../sample/tickets.csv', import.meta.url))
  const { body, contentType } = encodeForm(sample, 'tickets.csv', {})
  await test.call('POST', IMPORT_TICKETS, body, { 'content-type': contentType })
  const alike = Array.from({ length: 12 }, (_, n) => ({
    ticket_id: `creaking-${n}`,
    content: 'My wooden shelf creaks when I lean on it, what can I do?',
    solution: 'Oil the wooden shelf at every joint and tighten the four screws.',
    status: 'resolved',
    created_at: `2026-03-01T10:${String(n).padStart(2, '0')}:00Z`,
  }))
  await test.call('POST', IMPORT_TICKETS, { tickets: alike })
}

async function say(
  who: Customer,
  sessionId: string,
  message: string,
): Promise<{ session_id: string; reply: string; data: { message_id: string } }> {
  const key = `${sessionId}-${who.userId}-${message.length}`
  const { status, body } = await post('/chat', { message, session_id: sessionId, user_id: who.userId }, key)
  expect(status).toBe(200)
  if (!who.sessions.includes(body.session_id)) who.sessions.push(body.session_id)
  return body
}

/** A conversation that a person takes over, answers and resolves; what was answered is handed in. */
async function withPerson(who: Customer, sessionId: string, more: { solution: string }): Promise<string> {
  const problem = `My ${who.word} shelf creaks when I lean on it, this is ${who.name}, phone ${who.phone}`
  await say(who, sessionId, problem)
  await say(who, sessionId, 'I want to talk to a human being')
  const at = `/agent/sessions/${sessionId}`
  expect((await post(`${at}/accept`, { agent_id: 'agent-7' })).status).toBe(200)
  const answer = `Dear ${who.name}, oil the ${who.word} shelf at every joint and tighten the four screws`
  await post(`${at}/messages`, { content: answer }, `${sessionId}-agent`)
  await post(`${at}/business-assist`, { query: `order ${who.orderId}` }, `${sessionId}-assist`)
  await test.call('PUT', `/api/v1${at}/draft`, { content: `Dear ${who.name}`, agent_id: 'agent-7' })
  expect((await post(`${at}/notes`, { content: `${who.name} likes ${who.word}` })).status).toBe(201)
  const { body: form, contentType } = encodeForm(`Receipt of ${who.name}`, `${who.word}.txt`, { user_id: who.userId })
  const path = `/api/v1/chat/sessions/${sessionId}/attachments`
  expect((await test.call('POST', path, form, { 'content-type': contentType })).status).toBe(201)
  expect((await post(`${at}/resolve`, { note: `${who.word} solved` })).status).toBe(200)
  const rating = { score: 4, comment: `${who.word} helped`, user_id: who.userId }
  expect((await post(`/chat/sessions/${sessionId}/rating`, rating)).status).toBe(200)
  const handedIn = await post(`${at}/solution`, {
    question: `Why does my ${who.word} shelf creak?`,
    solution: more.solution,
  })
  return handedIn.body.solution_id
}

/** Something of the customer into every table that can hold it. */
async function live(who: Customer): Promise<void> {
  const { userId, name, phone, orderId, word } = who
  await importRecords('customers', [{ user_id: userId, name, phone }])
  await importRecords('orders', [
    {
      order_id: orderId,
      user_id: userId,
      status: 'pending',
      items: [{ name: `${word} shelf`, price: 10, quantity: 1 }],
    },
  ])
  const asked = await say(who, '', `How do I care for ${word}?`)
  await post(`/chat/sessions/${asked.session_id}/feedback`, {
    message_id: asked.data.message_id,
    rating: 'down',
    comment: `nothing about ${word}`,
  })
  await say(who, `own-${userId}`, `Please cancel my order ${orderId}, no longer needed`)
  await say(who, `own-${userId}`, 'yes')
  await post('/gateway', { channel: 'app', user_id: userId, message: `Is ${word} waterproof?`, message_id: 'm1' })
  const approved = await withPerson(who, `first-${userId}`, { solution: 'Oil it.' })
  expect((await post(`/escalation/solutions/${approved}/approve`)).status).toBe(200)
  await withPerson(who, `second-${userId}`, { solution: `Oil the ${word} well.` })
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where user_id = ${userId}`.execute(test.db.executor)
  who.sessions = rows.map(({ id }) => id)
  const { rows: said } = await sql<{ id: string }>`select message_id as id from chat_messages
    where session_id = any(${who.sessions})`.execute(test.db.executor)
  who.marks.push(...said.map(({ id }) => id))
  await outsideWorld(who)
  // A search stores the words of what was said.
  expect((await test.call('GET', `/api/v1/agent/sessions?q=${word}`)).body.sessions.length).toBeGreaterThan(0)
}

/** What a platform would have brought: an address, a text on its way, one that was lost. */
async function outsideWorld({ userId, word, sessions: [sessionId = ''] }: Customer): Promise<void> {
  const { executor } = test.db
  await sql`insert into gateway_addresses (session_id, channel, lane, address)
    values (${sessionId}, 'wechat', ${userId}, jsonb_build_object('openId', ${userId}::text))`.execute(executor)
  await sql`insert into mail_messages (message_digest, session_id)
    values (${`digest of ${userId}`}, ${sessionId})`.execute(executor)
  await sql`insert into channel_links (channel, channel_user_id, user_id)
    values ('wechat', ${`openid-${word}`}, ${userId})`.execute(executor)
  await sql`insert into gateway_outbox (delivery_key, session_id, channel, lane, content, state)
    values (${`${userId}:0`}, ${sessionId}, 'wechat', ${userId}, ${word}, 'sent')`.execute(executor)
  await sql`insert into alerts (alert_id, level, source, message, details, fingerprint, created_at, last_seen_at,
      resolved_at)
    values (${newAlertId()}, 'warn', 'delivery', 'A message could not be delivered',
      jsonb_build_object('session_id', ${sessionId}::text), ${userId.length.toString()}, now(), now(), now())`.execute(
    executor,
  )
}
let alertCount = 0
const newAlertId = (): string => `alert-${alertCount++}`

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(test.db.executor)
  return rows.map(({ name }) => name)
}

/** Rows of every table in which one of the marks stands, in any column. */
async function found(marks: readonly string[]): Promise<Record<string, string[]>> {
  const hits: Record<string, string[]> = {}
  for (const table of await tables()) {
    const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} t
      order by 1`.execute(test.db.executor)
    const own = rows.filter(({ row }) => marks.some((mark) => row.toLowerCase().includes(mark.toLowerCase())))
    if (own.length > 0) hits[table] = own.map(({ row }) => row)
  }
  return hits
}

describe('the table of what is kept', () => {
  it('has a line for every table of a fresh database, and none for any other', async () => {
    expect(Object.keys(HOLDINGS).toSorted()).toEqual(await tables())
  })

  it('says of each how what may be personal is erased, and which column tells an age', async () => {
    for (const [table, { personal, erasedWith, kept }] of Object.entries(HOLDINGS)) {
      expect(erasedWith === null, table).toBe(personal === null)
      if (kept.by === 'use') expect(kept.why.length, table).toBeGreaterThan(5)
      if (kept.by !== 'age' && kept.by !== 'number') continue
      await sql`select ${sql.ref(kept.column)} from ${sql.table(table)} limit 0`.execute(test.db.executor)
    }
  })
})

describe('the erasure of a customer of whom every table holds something', () => {
  let beforeOfBen: Record<string, string[]>
  let erased: { status: number; body: { erased: Record<string, number>; state: string; subject: string } }
  const marksOf = (who: Customer): string[] => [...who.marks, ...who.sessions]

  beforeAll(async () => {
    await importTickets()
    // Refused before it is reached; what it would be told is kept.
    await post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] })
    await live(ben)
    await live(ana)
    expect((await post('/mining/tickets')).status).toBe(200)
    expect((await post('/evaluation/run', { testset: 'approved-solutions' })).status).toBe(200)
    await test.call('GET', '/api/v1/operations/dashboard')
    await test.call('GET', '/api/v1/knowledge/gaps')
    await test.call('GET', '/api/v1/monitor/overview')
  })

  it('is proven on tables that held something', async () => {
    const holding = Object.keys(await found(marksOf(ana)))
    const personal = Object.entries(HOLDINGS).flatMap(([table, { personal: what }]) => (what === null ? [] : [table]))
    expect(personal.filter((table) => !holding.includes(table))).toEqual([])
    beforeOfBen = await found(marksOf(ben))
  })

  it('answers what was erased, by kind', async () => {
    erased = (await test.call('DELETE', `/api/v1/customers/${ana.userId}`)) as typeof erased
    expect(erased.status).toBe(200)
    expect(erased.body.state).toBe('finished')
    for (const [kind, count] of Object.entries(erased.body.erased)) expect(count, kind).toBeGreaterThan(0)
    expect(erased.body.erased.sessions).toBe(ana.sessions.length)
  })

  it('leaves nothing in any table but what was published', async () => {
    const left = await found(marksOf(ana))
    expect(Object.keys(left).filter((table) => !PUBLISHED.includes(table))).toEqual([])
  })

  it('leaves nothing in what open and keyed endpoints answer', async () => {
    const paths = [
      '/monitor/traces?limit=200',
      '/monitor/sessions',
      '/operations/dashboard',
      '/observability/alerts',
      '/agent/sessions/pending',
      '/escalation/solutions/pending',
      '/mining/status',
      '/evaluation/reports',
      `/customers/${ana.userId}/export`,
    ]
    for (const path of paths) {
      const { status, body } = await test.call('GET', `/api/v1${path}`)
      expect(status, path).toBe(200)
      // The name that was asked for, and published passages that are like an answer which waits.
      const isMeant = (key: string): boolean =>
        (key === 'user_id' && path.endsWith('/export')) || key.startsWith('similar')
      const text = JSON.stringify(body, (key, value) => (isMeant(key) ? undefined : value))
      expect(
        marksOf(ana).filter((mark) => text.includes(mark)),
        path,
      ).toEqual([])
    }
  })

  it('leaves what is another customer’s as it was', async () => {
    const mined = ['mining_clusters', 'mining_runs', 'human_solutions', 'evaluation_reports']
    const after = await found(marksOf(ben))
    // What was published of one customer may have been quoted to the other.
    const isTold = (row: string): boolean => ana.sessions.some((sessionId) => row.includes(sessionId))
    for (const [table, rows] of Object.entries(beforeOfBen)) {
      const own = rows.filter((row) => !isTold(row))
      if (!mined.includes(table)) expect(after[table] ?? [], table).toEqual(own)
    }
    expect(after.human_solutions?.length).toBeGreaterThan(0)
  })

  it('is remembered by a digest, and finds nothing the second time', async () => {
    const again = await test.call('DELETE', `/api/v1/customers/${ana.userId}`)
    expect(again.status).toBe(200)
    expect(Object.values(again.body.erased).every((count) => count === 0)).toBe(true)
    expect(again.body.subject).toBe(erased.body.subject)
    const listed = await test.call('GET', `/api/v1/customers/erasures?user_id=${ana.userId}`)
    expect(listed.body.total).toBe(2)
    expect(listed.body.items[1]).toEqual(erased.body)
    expect((await test.call('GET', '/api/v1/customers/erasures?user_id=nobody')).body.total).toBe(0)
    const text = JSON.stringify((await test.call('GET', '/api/v1/customers/erasures')).body)
    expect(ana.marks.filter((mark) => text.includes(mark))).toEqual([])
  })
})
