import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { xlsxOf } from '../support/files/office.ts'
import { type Answer, createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

const IMPORT = '/api/v1/mining/tickets/import'
const RUN = '/api/v1/mining/tickets'
const STATUS = '/api/v1/mining/status'

interface StoredTicket {
  ticket_id: string
  subject: string
  content: string
  solution: string
  status: string
  category: string
  created_at: Date
}

function importFile(
  test: TestApp,
  content: string | Uint8Array,
  name: string,
  fields: Record<string, string> = {},
): Promise<Answer> {
  const { body, contentType } = encodeForm(content, name, fields)
  return test.call('POST', IMPORT, body, { 'content-type': contentType })
}
const importList = (test: TestApp, tickets: readonly object[]) => test.call('POST', IMPORT, { tickets })
const status = async (test: TestApp) => (await test.call('GET', STATUS)).body

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
    const counts = { imported: 0, updated: 0, skipped: 0, failed: 0, errors: [], columns: expect.any(Object) }
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

  it('tell which columns were read as what, and which were not', async () => {
    const exported = 'Ticket ID,Subject,Priority,Agent response,Tags\nc-1,No sound,High,Unmute it,audio\n'
    expect((await importFile(test, exported, 'c.csv')).body.columns).toEqual({
      used: { ticket_id: ['Ticket ID'], subject: ['Subject'], solution: ['Agent response'], category: ['Tags'] },
      ignored: ['Priority'],
    })
  })

  it('whose columns nobody knows are refused with the names that there are, and taken when they are named', async () => {
    const exported = 'Vorgang;Anliegen;Datum\nv-1;The lamp hums;2026-03-01\n'
    const before = (await stored()).length
    const refused = await importFile(test, exported, 'v.csv')
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        detail:
          'file: no column tells what customers asked; name it by content_column; the columns are "Vorgang", "Anliegen", "Datum"',
      },
    ])
    const withContent = await importFile(test, exported, 'v.csv', { content_column: 'anliegen' })
    expect(withContent.body.detail).toMatch(/^file: no column tells the tickets apart; name it by ticket_id_column; /)
    expect(await stored()).toHaveLength(before)
    const chosen = { content_column: 'Anliegen', ticket_id_column: 'Vorgang', created_at_column: 'Datum' }
    expect((await importFile(test, exported, 'v.csv', chosen)).body).toMatchObject({ imported: 1, failed: 0 })
    const ticket = (await stored()).find((row) => row.ticket_id === 'v-1')
    expect(ticket).toMatchObject({ content: 'The lamp hums', created_at: new Date('2026-03-01') })
    const wrong = await importFile(test, exported, 'v.csv', { ...chosen, content_column: 'Frage' })
    expect([wrong.status, wrong.body.detail]).toEqual([
      422,
      'content_column: there is no column "Frage"; the columns are "Vorgang", "Anliegen", "Datum"',
    ])
    const tickets = [{ Vorgang: 'v-2', Anliegen: 'It smells' }]
    const listed = { tickets, content_column: 'Anliegen', ticket_id_column: 'Vorgang' }
    expect((await test.call('POST', IMPORT, listed)).body).toMatchObject({ imported: 1 })
    expect((await test.call('POST', IMPORT, { ...listed, content_column: 7 })).status).toBe(422)
  })

  it('that come message by message are put together', async () => {
    const exported =
      '会话ID,发送者类型,消息内容,消息时间\nm-1,客户,你好,2026-03-01 10:00:00\nm-1,机器人,请问有什么可以帮您,2026-03-01 10:00:01\nm-1,客户,遥控器配对不上怎么办,2026-03-01 10:01:00\nm-1,客服,同时按住主页键和菜单键三秒,2026-03-01 10:02:00\nm-2,客户,水壶有味道,2026-03-01 10:05:00\n'
    expect((await importFile(test, exported, 'm.csv')).body).toMatchObject({ imported: 2, failed: 0 })
    const rows = new Map((await stored()).map((row) => [row.ticket_id, row]))
    expect(rows.get('m-1')).toMatchObject({
      content: '你好\n遥控器配对不上怎么办',
      solution: '同时按住主页键和菜单键三秒',
    })
    expect(rows.get('m-2')).toMatchObject({ content: '水壶有味道', solution: '' })
  })

  it('of a list are named by their place', async () => {
    const { body } = await importList(test, [
      { ticket_id: 'bad-1' },
      { content: 'Without a number' },
      { ticket_id: 'bad-4', content: { text: 'nested' } },
      'text' as unknown as object,
      { ticket_id: 'good-1', content: 'Fine' },
    ])
    expect(body).toMatchObject({ imported: 1, failed: 4 })
    expect(body.errors).toEqual([
      'ticket 1: content is missing',
      'ticket 2: ticket_id is missing',
      'ticket 3: content must be text',
      'ticket 4: is no object',
    ])
  })

  it('are read as Chinese spreadsheets write them', async () => {
    const gb18030 = Buffer.from('b9a4b5a5b1e0bac52cc4dac8dd0a67622d312cb7a2c6b10a', 'hex')
    expect((await importFile(test, gb18030, 'b.csv')).body).toMatchObject({ imported: 1, failed: 0 })
    expect((await stored()).find((row) => row.ticket_id === 'gb-1')?.content).toBe('发票')
  })

  it('come in a workbook, each sheet under its own header', async () => {
    const workbook = xlsxOf([
      {
        name: '三月',
        rows: [
          ['工单编号', '问题描述', '客服回复', '创建时间'],
          ['x-1', '水壶有味道', '加柠檬煮两遍', '2026-03-01 10:00'],
          ['x-2', '', '', ''],
        ],
      },
      {
        name: 'April',
        rows: [
          ['Ticket ID', 'Description'],
          ['x-3', 'The kettle smells'],
        ],
      },
    ])
    const { body } = await importFile(test, workbook, 'tickets.xlsx')
    expect(body).toMatchObject({ imported: 2, failed: 1, errors: ['sheet 1, row 3: content is missing'] })
    const rows = new Map((await stored()).map((row) => [row.ticket_id, row]))
    expect(rows.get('x-1')).toMatchObject({ content: '水壶有味道', solution: '加柠檬煮两遍' })
    expect(rows.get('x-3')?.content).toBe('The kettle smells')
  })

  it('are stored without personal data', async () => {
    const content = 'Call me at 13812345678 or write to jo.doe@example.com, my card is 4111 1111 1111 1111.'
    await importList(test, [{ ticket_id: 'private', subject: content, content, solution: content }])
    const text = JSON.stringify((await stored()).find((row) => row.ticket_id === 'private'))
    for (const secret of ['13812345678', 'jo.doe', '4111 1111']) expect(text).not.toContain(secret)
  })

  it.each<[string, () => Promise<Answer>, number, RegExp]>([
    ['another kind of file', () => importFile(test, 'x', 'a.pdf'), 400, /^file: must be a \.csv/],
    [
      'a broken workbook',
      () => importFile(test, 'x', 'a.xlsx'),
      400,
      /^The file "a\.xlsx" is a damaged Office or ZIP file/,
    ],
    ['broken JSON', () => importFile(test, '[{', 'a.json'), 422, /^file: is not valid JSON$/],
    ['JSON without a list', () => importFile(test, '{"a":1}', 'a.json'), 422, /^file: must be a list/],
    [
      'a file that is sent as JSON',
      () => test.call('POST', IMPORT, { tickets: [], file: 'a.csv' }),
      422,
      /^file: can only/,
    ],
    ['a list as body', () => test.call('POST', IMPORT, []), 422, /^body: must be an object$/],
    ['no tickets', () => test.call('POST', IMPORT, {}), 422, /^tickets: is required$/],
    ['a list of no objects', () => test.call('POST', IMPORT, { tickets: {} }), 422, /^tickets: must be a list$/],
  ])('refuses %s', async (_, ask, code, detail) => {
    const answer = await ask()
    expect([answer.status, answer.body]).toEqual([code, { detail: expect.stringMatching(detail) }])
  })
})
