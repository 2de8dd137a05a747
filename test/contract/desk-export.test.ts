import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, logInAs } from '../support/people.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const EXPORT = '/api/v1/agent/sessions/export'
const PHONE = '13812345678'
const SESSIONS = 60

let test: TestApp
let ann: Browser
let boss: Browser
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  ann = await logInAs(test, 'ann', 'agent')
  boss = await logInAs(test, 'boss', 'admin')
  await say('formula', '=HYPERLINK("http://evil.example"), call me', 'app')
  await say('phone', `我的电话是 ${PHONE}`)
  await ann.call('POST', '/api/v1/agent/sessions/phone/take')
  await ann.call('POST', '/api/v1/agent/sessions/phone/messages', { content: `I call ${PHONE}` })
  const { label_id } = (await ann.call('POST', '/api/v1/agent/labels', { name: 'VIP' })).body
  await ann.call('PUT', '/api/v1/agent/sessions/phone/labels', { label_ids: [label_id] })
})
afterAll(() => test.close())

const say = (session_id: string, message: string, channel = 'web') =>
  test.call('POST', '/api/v1/chat', { session_id, message, user_id: 'mei', channel })

/** As a browser downloads it. */
async function download(query: string, who = ann) {
  const {
    statusCode: status,
    headers,
    body,
  } = await test.app.inject({
    method: 'GET',
    url: `${EXPORT}?${query}`,
    headers: { cookie: who.cookie, host: 'desk.example' },
  })
  return { status, headers, text: body }
}
type Line = { session_id: string; role: string; content: string; author: string | null; labels: string[] }
const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

describe('the export of conversations', () => {
  it('is a table with a line for every message, which no spreadsheet runs', async () => {
    const { status, headers, text } = await download('')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="conversations.csv"')
    expect(text.startsWith('\uFEFFsession_id,user_id,channel,')).toBe(true)
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example""), call me"`)
    expect(text).not.toMatch(/[,\n]"?=/)
  })

  it('is lines of JSON, with authors and labels', async () => {
    const { headers, text } = await download('format=jsonl')
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const lines = linesOf(text)
    expect(new Set(lines.map(({ session_id }) => session_id))).toEqual(new Set(['formula', 'phone']))
    const agent = lines.find(({ role }) => role === 'agent')
    expect(agent).toMatchObject({ session_id: 'phone', author: 'ann', labels: ['VIP'], agent_status: 'assigned' })
  })

  it('masks personal values, whoever wrote them, unless an admin asks otherwise', async () => {
    expect((await download('')).text).not.toContain(PHONE)
    expect((await download('format=jsonl', boss)).text).not.toContain(PHONE)
    const refused = await download('masked=false')
    expect({ status: refused.status, body: JSON.parse(refused.text) }).toEqual({
      status: 403,
      body: { detail: 'masked: only admins may export personal values' },
    })
    const lines = linesOf((await download('format=jsonl&masked=false', boss)).text)
    expect(lines.filter(({ content }) => content.includes(PHONE)).map(({ role }) => role)).toEqual(['user', 'agent'])
    expect((await test.call('GET', `${EXPORT}?masked=false`)).status).toBe(200)
  })

  it.each([
    ['channel=app', ['formula']],
    ['status=assigned', ['phone']],
    ['agent_id=ann', ['phone']],
    ['user_id=nobody', []],
    ['from=2020-01-01&to=2021-01-01', []],
  ])('is narrowed by %s', async (query, expected) => {
    const lines = linesOf((await download(`format=jsonl&${query}`)).text)
    expect([...new Set(lines.map(({ session_id }) => session_id))]).toEqual(expected)
  })

  it('holds each conversation once, over pages', async () => {
    const ids = Array.from({ length: SESSIONS }, (_, n) => `many-${n}`)
    for (const id of ids) await say(id, 'Hello')
    const lines = linesOf((await download('format=jsonl')).text)
    const asked = lines.filter(({ role, session_id }) => role === 'user' && session_id.startsWith('many-'))
    expect(asked.map(({ session_id }) => session_id)).toEqual(ids.toSorted())
  })

  it.each([
    ['format=xls', 400],
    ['from=yesterday', 400],
    ['masked=perhaps', 422],
  ])('%s is %i', async (query, status) => {
    expect((await download(query)).status).toBe(status)
  })

  it('asks for a credential', async () => {
    expect((await test.call('GET', EXPORT, undefined, { 'x-api-key': 'wrong' })).status).toBe(401)
  })
})
