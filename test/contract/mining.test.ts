import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

const IMPORT = '/api/v1/mining/tickets/import'
const RUN = '/api/v1/mining/tickets'
const STATUS = '/api/v1/mining/status'

interface Ticket {
  ticket_id: string
  content: string
  solution?: string
  status?: string
  category?: string
  created_at?: string
}

const ENGLISH = {
  password: [
    'I forgot my password and cannot sign in any more',
    'Cannot sign in, I forgot the password of my account',
    'Hello, I forgot my password. How can I sign in?',
    'My password is forgotten, I cannot sign in to the account',
  ],
  damaged: [
    'The lamp arrived with a broken glass shade',
    'My lamp came with the glass shade broken',
    'Glass shade of the lamp is broken on arrival',
    'The glass shade of my new lamp is broken',
  ],
}
const CHINESE = [
  '发票抬头写错了可以重开吗',
  '你好，发票的抬头写错了怎么重开',
  '发票抬头错了，请帮我重开一张',
  '抬头写错的发票能重开吗',
]
const PASSWORD_HELP =
  'Choose "Forgotten password" on the sign-in page; a link to set a new one arrives by e-mail within five minutes.'

function ticketsOf(prefix: string, texts: readonly string[], fields: Partial<Ticket> = {}): Ticket[] {
  return texts.map((content, i) => ({ ticket_id: `${prefix}-${i + 1}`, content, status: 'resolved', ...fields }))
}

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const importTickets = (tickets: unknown) => test.call('POST', IMPORT, { tickets })
function importFile(content: string | Uint8Array, name: string) {
  const { body, contentType } = encodeForm(content, name, {})
  return test.call('POST', IMPORT, body, { 'content-type': contentType })
}

describe('before any run', () => {
  it('the report is empty', async () => {
    expect(await test.call('GET', STATUS)).toMatchObject({
      status: 200,
      body: { started_at: null, total_tickets: 0, ingested: 0, items: [], errors: [], running: null, last_run: null },
    })
  })

  it('a run over nothing finds nothing', async () => {
    const { status, body } = await test.call('POST', RUN)
    expect(status).toBe(200)
    expect(body).toMatchObject({ total_tickets: 0, ingested: 0, items: [], errors: [] })
    expect(Date.parse(body.started_at)).toBeGreaterThan(0)
  })
})

describe('POST /mining/tickets/import', () => {
  it('takes a list, and again only what changed', async () => {
    const tickets = ticketsOf('list', ['One thing', 'Another thing'])
    expect(await importTickets(tickets)).toMatchObject({
      status: 200,
      body: { imported: 2, updated: 0, skipped: 0, failed: 0, errors: [] },
    })
    const changed = [{ ...tickets[0], content: 'One thing, said better' }, tickets[1]]
    expect((await importTickets(changed)).body).toMatchObject({ imported: 0, updated: 1, skipped: 1, failed: 0 })
  })

  it('takes JSON, JSONL and CSV, with the names that exports give their columns', async () => {
    const json = JSON.stringify({ tickets: [{ id: 'file-1', subject: 'Refund', description: 'When does it arrive?' }] })
    expect((await importFile(json, 'a.json')).body).toMatchObject({ imported: 1, failed: 0 })
    const lines = '{"id": 2001, "text": "Where is my parcel?"}\n\n{"id": "file-3", "text": "No parcel yet"}\n'
    expect((await importFile(lines, 'a.JSONL')).body).toMatchObject({ imported: 2, failed: 0 })
    const table = '工单编号,问题描述,处理结果,状态,创建时间\nfile-4,"发票,什么时候开",次日开具,已解决,2026/3/2 9:05\n'
    expect((await importFile(table, 'a.csv')).body).toMatchObject({ imported: 1, failed: 0 })
    const gb18030 = Buffer.from('b9a4b5a5b1e0bac52cc4dac8dd0a66696c652d352cb7a2c6b10a', 'hex')
    expect((await importFile(gb18030, 'b.csv')).body).toMatchObject({ imported: 1, failed: 0 })
  })

  it('leaves out the rows that cannot be taken and says which and why', async () => {
    const { status, body } = await importTickets([
      { ticket_id: 'bad-1' },
      { content: 'Without a number' },
      { ticket_id: 'bad-3', content: 'Fine', created_at: 'yesterday' },
      { ticket_id: 'bad-4', content: { text: 'nested' } },
      'text',
      { ticket_id: 'good-1', content: 'Fine' },
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject({ imported: 1, failed: 5 })
    expect(body.errors).toEqual([
      'ticket 1: content is missing',
      'ticket 2: ticket_id is missing',
      'ticket 3: created_at must be an ISO 8601 date or time',
      'ticket 4: content must be text',
      'ticket 5: is no object',
    ])
    expect((await importFile('{"id":"x-1","text":"fine"}\n{broken\n', 'a.jsonl')).body).toMatchObject({
      imported: 1,
      failed: 1,
      errors: ['line 2: is not valid JSON'],
    })
  })

  it.each([
    [{}, 422, 'tickets: is required'],
    [{ tickets: 'all' }, 422, 'tickets: must be a list'],
    [{ tickets: [], file: 'tickets.csv' }, 422, 'file: can only be sent as multipart/form-data'],
    [[], 422, 'body: must be an object'],
  ])('refuses %j', async (body, status, detail) => {
    expect(await test.call('POST', IMPORT, body)).toMatchObject({ status, body: { detail } })
  })

  it.each([
    ['tickets.xls', 'a', 400, 'file: must be a .csv, .json or .jsonl file'],
    ['tickets.json', '{', 422, 'file: is not valid JSON'],
    ['tickets.json', '{"rows": []}', 422, 'file: must be a list of tickets, or an object with the list "tickets"'],
  ])('refuses the file %s holding %s', async (name, content, status, detail) => {
    expect(await importFile(content, name)).toMatchObject({ status, body: { detail } })
  })
})

describe('POST /mining/tickets', () => {
  let mining: TestApp
  beforeAll(async () => {
    mining = await createTestApp()
    const tickets = [
      ...ticketsOf('p', ENGLISH.password, { solution: PASSWORD_HELP, created_at: '2026-03-01T00:00:00Z' }),
      ...ticketsOf('d', ENGLISH.damaged, { status: 'open', created_at: '2026-03-31T23:59:59Z' }),
      ...ticketsOf('f', CHINESE, { category: 'invoice', created_at: '2026-05-02T08:00:00+08:00' }),
      { ticket_id: 'alone', content: 'Do you sell bicycles in Antarctica?', created_at: '2026-01-05' },
    ]
    expect((await mining.call('POST', IMPORT, { tickets })).body).toMatchObject({ imported: 13 })
  })
  afterAll(() => mining.close())
  const run = (filter: object = {}) => mining.call('POST', RUN, filter)
  const groupsOf = (body: { items: { ticket_ids: string[] }[] }) =>
    body.items.map((item) => item.ticket_ids.toSorted().join(' ')).toSorted()

  it('finds the frequent problems in both languages, each with a question and the solution of its tickets', async () => {
    const { status, body } = await run()
    expect(status).toBe(200)
    expect(body.total_tickets).toBe(13)
    expect(groupsOf(body)).toEqual(['d-1 d-2 d-3 d-4', 'f-1 f-2 f-3 f-4', 'p-1 p-2 p-3 p-4'])
    const password = body.items.find((item: { ticket_ids: string[] }) => item.ticket_ids.includes('p-1'))
    expect(password).toMatchObject({ frequency: 4, representative_solution: PASSWORD_HELP, covered: false })
    expect(password.question).toMatch(/password/)
    expect(password.question).not.toMatch(/hello/i)
    expect(password.keywords).toEqual(expect.arrayContaining([expect.stringMatching(/password/)]))
    expect(password.confidence).toBeGreaterThan(0)
    expect(password.confidence).toBeLessThanOrEqual(1)
    const invoice = body.items.find((item: { ticket_ids: string[] }) => item.ticket_ids.includes('f-1'))
    expect(invoice.question).toMatch(/发票/)
    expect(invoice.categories).toEqual(['invoice'])
    const frequencies = body.items.map((item: { frequency: number }) => item.frequency)
    expect(frequencies).toEqual(frequencies.toSorted((a: number, b: number) => b - a))
  })

  it('proposes each problem once, however often it runs, and keeps its name', async () => {
    const [first, second] = [(await run()).body, (await run()).body]
    const names = (body: typeof first) => body.items.map((item: { cluster_id: string }) => item.cluster_id).toSorted()
    expect(names(second)).toEqual(names(first))
    const { body } = await mining.call('GET', '/api/v1/escalation/solutions/pending')
    const queue = body.items ?? body.solutions ?? body
    const mined = queue.filter((item: { origin: string }) => item.origin === 'mining')
    expect(mined).toHaveLength(first.ingested)
    expect(first.ingested).toBeGreaterThan(0)
  })

  it('takes tickets of a closed interval', async () => {
    const march = { start_time: '2026-03-01T00:00:00Z', end_time: '2026-03-31T23:59:59Z' }
    expect(groupsOf((await run(march)).body)).toEqual(['d-1 d-2 d-3 d-4', 'p-1 p-2 p-3 p-4'])
    expect((await run({ ...march, end_time: '2026-03-31' })).body.total_tickets).toBe(8)
    expect((await run({ ...march, end_time: '2026-03-31T23:59:58Z' })).body.total_tickets).toBe(4)
    expect((await run({ start_time: '2026-03-01T00:00:01Z' })).body.total_tickets).toBe(8)
    expect(
      (await run({ start_time: '2026-05-02T00:00:00Z', end_time: '2026-05-02T00:00:00Z' })).body.total_tickets,
    ).toBe(4)
  })

  it('takes tickets of one status, whatever its case', async () => {
    expect(groupsOf((await run({ status: 'Open' })).body)).toEqual(['d-1 d-2 d-3 d-4'])
    expect((await run({ status: 'escalated' })).body).toMatchObject({ total_tickets: 0, items: [] })
  })

  it.each([
    [{ start_time: 'last week' }, 'start_time: must be an ISO 8601 date or time'],
    [{ end_time: '2026-02-30' }, 'end_time: must be an ISO 8601 date or time'],
    [{ start_time: '2026-03-02', end_time: '2026-03-01' }, 'start_time: must not be after end_time'],
  ])('refuses %j and keeps the last report', async (filter, detail) => {
    const before = (await mining.call('GET', STATUS)).body
    expect(await run(filter)).toMatchObject({ status: 422, body: { detail } })
    expect((await mining.call('GET', STATUS)).body).toEqual(before)
  })

  it('lets one run at a time', async () => {
    const answers = await Promise.all([run(), run(), run()])
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toContain(200)
    for (const { status, body } of answers) {
      if (status !== 200) expect([status, body.detail]).toEqual([409, expect.stringMatching(/run/i)])
    }
    expect(statuses.filter((status) => status === 409).length).toBeGreaterThan(0)
  })
})

describe('GET /mining/status', () => {
  it('gives the latest report', async () => {
    await importTickets(ticketsOf('latest', ENGLISH.password))
    const { body } = await test.call('POST', RUN)
    const status = await test.call('GET', STATUS)
    expect(status.body).toMatchObject({ ...body, running: null, last_run: { state: 'finished', error: null } })
  })
})
