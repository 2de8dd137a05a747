import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createLog } from '../../src/platform/log.ts'
import { type Answer, createTestApp, encodeForm, type TestApp, testConfig } from '../support/test-app.ts'

const IMPORT = '/api/v1/mining/tickets/import'
const RUN = '/api/v1/mining/tickets'
const STATUS = '/api/v1/mining/status'
const PENDING = '/api/v1/escalation/solutions/pending'
const SAMPLE = readFileSync(new URL('../../sample/tickets.csv', import.meta.url), 'utf8')
const SAMPLE_TICKETS = 150

interface Item {
  cluster_id: string
  question: string
  frequency: number
  representative_solution: string
  keywords: string[]
  categories: string[]
  ticket_ids: string[]
  confidence: number
  covered: boolean
  candidate_id: string | null
}
interface StoredTicket {
  ticket_id: string
  subject: string
  content: string
  solution: string
  status: string
  category: string
  created_at: Date
}
interface Candidate {
  solution_id: string
  question: string
  origin: string
}

function importFile(test: TestApp, content: string, name: string): Promise<Answer> {
  const { body, contentType } = encodeForm(content, name, {})
  return test.call('POST', IMPORT, body, { 'content-type': contentType })
}
const importList = (test: TestApp, tickets: readonly object[]) => test.call('POST', IMPORT, { tickets })
const run = async (test: TestApp, body: object = {}) => (await test.call('POST', RUN, body)).body
const status = async (test: TestApp) => (await test.call('GET', STATUS)).body
const queue = async (test: TestApp): Promise<Candidate[]> => (await test.call('GET', PENDING)).body

/** Tickets about one thing, with a solution, created a minute apart. */
function alike(prefix: string, count: number, content: string, more: object = {}): object[] {
  return Array.from({ length: count }, (_, n) => ({
    ticket_id: `${prefix}${n}`,
    content: `Hello! ${content}\n\nKind regards,\nEmily Carter`,
    solution: `${content} Which parts may wear out depends on the model; our workshop replaces them without charge.`,
    status: 'resolved',
    created_at: `2026-03-01T10:${String(n).padStart(2, '0')}:00Z`,
    ...more,
  }))
}

describe('tickets', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())
  const stored = async () => {
    const { rows } = await sql<StoredTicket>`select ticket_id, subject, content, solution, status, category,
        created_at from tickets order by ticket_id`.execute(test.db.executor)
    return rows
  }

  it('none: the report is empty before any run, and a run finds nothing', async () => {
    const empty = { total_tickets: 0, ingested: 0, items: [], errors: [] }
    expect(await status(test)).toMatchObject({ ...empty, started_at: null, running: null, last_run: null })
    const { status: code, body } = await test.call('POST', RUN)
    expect([code, body]).toMatchObject([200, { ...empty, started_at: expect.stringMatching(/Z$/) }])
  })

  it('come as CSV, JSONL or JSON, each once, changed ones anew', async () => {
    const rows = [
      { ticket_id: 'a', content: 'It is broken', status: 'Open', created_at: '2026-03-01T00:00:00Z' },
      { ticket_id: 'b', content: 'It is loud' },
    ]
    const asCsv = `ticket_id,content,status,created_at\r\na,It is broken,Open,2026-03-01T00:00:00Z\r\nb,It is loud,,\r\n`
    const counts = { imported: 0, updated: 0, skipped: 0, failed: 0, errors: [] }
    expect((await importFile(test, asCsv, 'a.csv')).body).toEqual({ ...counts, imported: 2 })
    const lines = rows.map((row) => JSON.stringify(row)).join('\n')
    for (const [content, name] of [
      [lines, 'a.jsonl'],
      [JSON.stringify(rows), 'a.json'],
      [JSON.stringify({ tickets: rows }), 'a.json'],
    ] as const) {
      expect((await importFile(test, content, name)).body).toEqual({ ...counts, skipped: 2 })
    }
    const changed = [{ ...rows[0], status: 'resolved' }, rows[1], { ticket_id: 'c', content: 'It is gone' }]
    expect((await importList(test, changed as object[])).body).toEqual({
      ...counts,
      imported: 1,
      updated: 1,
      skipped: 1,
    })
    expect((await stored()).map((row) => row.status)).toEqual(['resolved', '', ''])
  })

  it('are understood by what help desks call their columns, in both languages', async () => {
    const exported =
      '工单号,标题,问题描述,处理结果,状态,分类,创建时间\nzh-1,退款,退款没到账,已退款,已解决,退款,2026/3/2 9:05\n'
    expect((await importFile(test, exported, '工单.csv')).body.imported).toBe(1)
    const english = [
      { 'Case ID': 'en-1', Summary: 'Refund', Description: 'No refund yet', Resolution: 'Paid', Tags: ['x', 'y'] },
    ]
    expect((await importList(test, english)).body.imported).toBe(1)
    const rows = new Map((await stored()).map((row) => [row.ticket_id, row]))
    expect(rows.get('zh-1')).toMatchObject({ subject: '退款', solution: '已退款', status: '已解决', category: '退款' })
    expect(rows.get('zh-1')?.created_at).toEqual(new Date('2026-03-02T09:05:00Z'))
    expect(rows.get('en-1')).toMatchObject({ subject: 'Refund', content: 'No refund yet', category: 'x, y' })
  })

  it('that cannot be taken are named, and the others taken', async () => {
    const { body } = await importFile(
      test,
      '{"ticket_id":"ok","content":"x"}\nnonsense\n{"content":"no id"}\n\n{"ticket_id":"t"}\n{"ticket_id":"u","content":"x","created_at":"soon"}',
      'a.jsonl',
    )
    expect(body).toMatchObject({ imported: 1, failed: 4 })
    expect(body.errors).toEqual([
      'line 2: is not valid JSON',
      'line 3: ticket_id is missing',
      'line 5: content is missing',
      'line 6: created_at must be an ISO 8601 date or time',
    ])
  })

  it('are stored without personal data', async () => {
    const content = 'Call me at 13812345678 or write to jo.doe@example.com, my card is 4111 1111 1111 1111.'
    await importList(test, [{ ticket_id: 'private', subject: content, content, solution: content }])
    const text = JSON.stringify((await stored()).find((row) => row.ticket_id === 'private'))
    for (const secret of ['13812345678', 'jo.doe', '4111 1111']) expect(text).not.toContain(secret)
  })

  it.each<[string, () => Promise<Answer>, number, RegExp]>([
    ['another kind of file', () => importFile(test, 'x', 'a.xlsx'), 400, /^file: must be a \.csv/],
    ['broken JSON', () => importFile(test, '[{', 'a.json'), 422, /^file: is not valid JSON$/],
    ['JSON without a list', () => importFile(test, '{"a":1}', 'a.json'), 422, /^file: must be a list/],
    ['no tickets', () => test.call('POST', IMPORT, {}), 422, /^tickets: is required$/],
    ['a list of no objects', () => test.call('POST', IMPORT, { tickets: {} }), 422, /^tickets: must be a list$/],
  ])('refuses %s', async (_, ask, code, detail) => {
    const answer = await ask()
    expect([answer.status, answer.body]).toEqual([code, { detail: expect.stringMatching(detail) }])
  })
})

describe('a run over the sample tickets', () => {
  let test: TestApp
  let items: Item[]
  beforeAll(async () => {
    test = await createTestApp()
    await importFile(test, SAMPLE, 'tickets.csv')
    items = (await run(test)).items
  })
  afterAll(() => test.close())

  it('reports frequent problems, the most frequent first, and stores the report', async () => {
    const { body } = await test.call('GET', STATUS)
    expect(body).toMatchObject({ total_tickets: SAMPLE_TICKETS, items, errors: [], running: null })
    expect(body.last_run).toMatchObject({ report_id: body.report_id, state: 'finished', error: null })
    const frequencies = items.map(({ frequency }) => frequency)
    expect(frequencies).toEqual(frequencies.toSorted((a, b) => b - a))
    expect(items.length).toBeGreaterThan(10)
    for (const { frequency, ticket_ids, keywords, confidence } of items) {
      expect(ticket_ids).toHaveLength(frequency)
      expect(keywords.length).toBeGreaterThan(0)
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }
    const counted = items.flatMap(({ ticket_ids }) => ticket_ids)
    expect(new Set(counted).size).toBe(counted.length)
  })

  it('shows real questions that customers asked, without greetings, signatures and personal data', () => {
    const asked = SAMPLE.toLowerCase()
    for (const { question } of items) {
      expect(asked, question).toContain(question.toLowerCase().slice(0, -1))
      expect(question).not.toMatch(/^(?:hi|hello|亲|您好|你好|在吗)\b|regards|谢谢|\d{5}|@/i)
    }
    const all = items.map(({ question }) => question).join('\n')
    for (const problem of [/闪退/, /crash/i, /水壶/, /kettle/i, /map/i]) expect(all).toMatch(problem)
  })

  it('shows a solution that tickets of the cluster were closed with', () => {
    const solved = items.filter(({ representative_solution }) => representative_solution !== '')
    expect(solved.length).toBeGreaterThan(items.length / 2)
    for (const { representative_solution } of solved) expect(SAMPLE).toContain(representative_solution.slice(0, 20))
  })

  it('queues each problem that has a solution once, also when it runs again', async () => {
    const first = await queue(test)
    expect(first.map(({ solution_id }) => solution_id).toSorted()).toEqual(
      items.flatMap(({ candidate_id }) => candidate_id ?? []).toSorted(),
    )
    expect(new Set(first.map(({ origin }) => origin))).toEqual(new Set(['mining']))
    const again = await run(test)
    expect(again.ingested).toBe(first.length)
    expect(again.items.map(({ cluster_id }: Item) => cluster_id)).toEqual(items.map(({ cluster_id }) => cluster_id))
    expect((await queue(test)).map(({ solution_id }) => solution_id)).toEqual(
      first.map(({ solution_id }) => solution_id),
    )
  })

  it('proposes nothing any more that was approved, and the assistant answers it', async () => {
    const item = items.find(({ question, candidate_id }) => /crash/i.test(question) && candidate_id)
    const path = `/api/v1/escalation/solutions/${item?.candidate_id}`
    expect((await test.call('POST', `${path}/approve`)).status).toBe(200)
    const { body } = await test.call('POST', '/api/v1/chat', { message: item?.question })
    expect(body.reply).toContain(item?.representative_solution.slice(0, 30))
    const again = (await run(test)).items.find(({ cluster_id }: Item) => cluster_id === item?.cluster_id)
    expect(again).toMatchObject({ covered: true, candidate_id: item?.candidate_id })
    expect((await queue(test)).map(({ solution_id }) => solution_id)).not.toContain(item?.candidate_id)
  })

  it('keeps its report over a restart', async () => {
    const before = await status(test)
    await test.app.close()
    const db = await test.database.reopen()
    const app = await createApp(testConfig(), db, createLog('silent'))
    const after = (await app.inject({ method: 'GET', url: STATUS })).json()
    await app.close()
    expect(after).toEqual(before)
  })
})

describe('filters', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
    const day = (date: string) => ({ created_at: `${date}T12:00:00.000Z` })
    await importList(test, [
      ...alike('early', 4, 'The kettle smells of plastic.', day('2026-03-01')),
      ...alike('middle', 4, 'The projector remote does not pair.', { ...day('2026-03-02'), status: 'Open' }),
      ...alike('late', 4, 'The headphones crackle on calls.', day('2026-03-03')),
    ])
  })
  afterAll(() => test.close())

  it.each<[string, object, number]>([
    ['nothing', {}, 12],
    ['null and empty', { start_time: null, end_time: '', status: null }, 12],
    ['a beginning, which belongs to it', { start_time: '2026-03-02T12:00:00Z' }, 8],
    ['just behind the beginning', { start_time: '2026-03-02T12:00:00.001Z' }, 4],
    ['an end, which belongs to it', { end_time: '2026-03-02T12:00:00Z' }, 8],
    ['just before the end', { end_time: '2026-03-02T11:59:59.999Z' }, 4],
    ['both ends the same', { start_time: '2026-03-02T12:00:00Z', end_time: '2026-03-02T20:00:00+08:00' }, 4],
    ['days', { start_time: '2026-03-01', end_time: '2026-03-02' }, 8],
    ['a status, in any case', { status: ' OPEN ' }, 4],
    ['a status and a beginning', { status: 'resolved', start_time: '2026-03-02' }, 4],
    ['a status that no ticket has', { status: 'lost' }, 0],
  ])('by %s', async (_, filter, tickets) => {
    const report = await run(test, filter)
    expect([report.total_tickets, report.items.length]).toEqual([tickets, tickets / 4])
  })

  it.each<[object, RegExp]>([
    [{ start_time: 'yesterday' }, /^start_time: must be an ISO 8601/],
    [{ end_time: '2026-02-30' }, /^end_time: must be an ISO 8601/],
    [{ start_time: '2026-03-03', end_time: '2026-03-02' }, /^start_time: must not be after end_time$/],
    [{ start_time: 5 }, /^start_time: /],
    [{ status: 7 }, /^status: /],
  ])('refuse %j', async (filter, detail) => {
    const answer = await test.call('POST', RUN, filter)
    expect([answer.status, answer.body]).toEqual([422, { detail: expect.stringMatching(detail) }])
  })
})

describe('what a run proposes', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())

  it('is nothing that the knowledge base answers already', async () => {
    await test.upload(
      '# Kettle\n\n## The kettle smells of plastic\n\nHold both buttons for ten seconds, then start it again.\n',
      'kettle.md',
    )
    await importList(test, [
      ...alike('k', 4, 'The kettle smells of plastic.', {
        solution: 'Hold both buttons for ten seconds, start it again.',
      }),
      ...alike('h', 5, 'The headphones crackle on calls.', {
        solution: 'Update the firmware and turn wind reduction on.',
      }),
    ])
    const report = await run(test)
    expect(report.items).toMatchObject([
      { frequency: 5, covered: false, candidate_id: expect.stringMatching(/\w/) },
      { frequency: 4, covered: true, candidate_id: null },
    ])
    expect(report.ingested).toBe(1)
    expect((await queue(test)).map(({ question }) => question)).toEqual(['The headphones crackle on calls.'])
  })

  it('stays as a reviewer edited or rejected it', async () => {
    await importList(test, alike('r', 6, 'The robot lost its map after the update.'))
    const [candidate] = (await run(test)).items
    const path = `/api/v1/escalation/solutions/${candidate.candidate_id}`
    const edited = await test.call('PUT', path, { question: 'How do I get the map of the robot back?' })
    expect(edited.status).toBe(200)
    await importList(test, alike('s', 3, 'The robot lost its map after the update.'))
    const [again] = (await run(test)).items
    expect(again).toMatchObject({ cluster_id: candidate.cluster_id, frequency: 9 })
    const shown = (await queue(test)).find(({ solution_id }) => solution_id === candidate.candidate_id)
    expect(shown).toMatchObject({ question: 'How do I get the map of the robot back?', details: { frequency: 9 } })
    await test.call('POST', `${path}/reject`, { reason: 'not for customers' })
    await run(test)
    expect((await queue(test)).map(({ solution_id }) => solution_id)).not.toContain(candidate.candidate_id)
  })

  it('comes from conversations as well that people resolved', async () => {
    for (let n = 0; n < 3; n++) {
      const session = `resolved-${n}`
      const say = (message: string) => test.call('POST', '/api/v1/chat', { message, session_id: session })
      const act = (action: string, body = {}) => test.call('POST', `/api/v1/agent/sessions/${session}/${action}`, body)
      await say('The vacuum cleaner leaves stripes on the carpet, what helps?')
      await say('I want to talk to a person')
      await act('accept')
      await act('messages', { content: 'Please wash the brush roll with warm water and let it dry for a whole day.' })
      await act('resolve')
    }
    const { items } = await run(test)
    const found = items.find(({ question }: Item) => question.includes('stripes'))
    expect(found).toMatchObject({ frequency: 3, representative_solution: expect.stringContaining('brush roll') })
    expect(found.ticket_ids.every((id: string) => id.startsWith('session:'))).toBe(true)
    const { total_tickets } = await run(test)
    expect((await run(test)).total_tickets).toBe(total_tickets)
  })
})

describe('while a run is under way', () => {
  it('another is refused, progress shows, and it ends with the service', async () => {
    const test = await createTestApp()
    for (let part = 0; part < 10; part++)
      await importList(test, alike(`p${part}-`, 300, `The lamp number ${part} flickers.`))
    const first = test.call('POST', RUN)
    await expect.poll(async () => (await status(test)).running, { timeout: 30_000 }).toMatchObject({ total: 100 })
    expect(await test.call('POST', RUN)).toMatchObject({
      status: 409,
      body: { detail: 'The mining is running already' },
    })
    await test.app.close()
    expect(await first).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('stopped before its end') },
    })
    const db = await test.database.reopen()
    const app = await createApp(testConfig(), db, createLog('silent'))
    const after = (await app.inject({ method: 'GET', url: STATUS })).json()
    expect(after).toMatchObject({ running: null, total_tickets: 0, last_run: { state: 'interrupted' } })
    expect((await app.inject({ method: 'POST', url: RUN, payload: {} })).statusCode).toBe(200)
    await app.close()
    await test.database.close()
  })

  it('needs the key', async () => {
    const test = await createTestApp({ API_KEY: 'secret' })
    const keyless = { 'x-api-key': '' }
    const answers = await Promise.all([
      test.call('POST', IMPORT, { tickets: [] }, keyless),
      test.call('POST', RUN, {}, keyless),
      test.call('GET', STATUS, undefined, keyless),
    ])
    await test.close()
    expect(answers.map(({ status: code }) => code)).toEqual([401, 401, 401])
  })
})
