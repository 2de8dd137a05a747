import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { openEventStream } from '../support/event-stream.ts'
import { type Browser, logInAs } from '../support/people.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const NOTES = '/api/v1/agent/sessions/talk/notes'

let test: TestApp
let ann: Browser
let bob: Browser
let boss: Browser
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  ann = await logInAs(test, 'ann', 'agent')
  bob = await logInAs(test, 'bob', 'agent')
  boss = await logInAs(test, 'boss', 'admin')
  const message = 'I want to talk to a person'
  await test.call('POST', '/api/v1/chat', { message, session_id: 'talk', user_id: 'mei' })
})
afterAll(() => test.close())

type Note = { note_id: string; author: string; content: string }

const make = async (who: Browser, content: string) => (await who.call('POST', NOTES, { content })).body as Note
const list = async (query = '') => (await ann.call('GET', `${NOTES}?${query}`)).body
const contents = async () => (await list()).notes.map(({ content }: Note) => content)

describe('notes on a conversation', () => {
  it('are made by anybody at the desk in their own name, and mention those who are there', async () => {
    const { status, body } = await ann.call('POST', NOTES, { content: '@bob or @nobody, help', agent_id: 'bob' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      session_id: 'talk',
      author: 'ann',
      mentions: ['bob'],
      content: '@bob or @nobody, help',
    })
    const byKey = await test.call('POST', NOTES, { content: 'from a program', agent_id: 'crm' })
    expect(byKey.body).toMatchObject({ author: 'crm', mentions: [] })
    expect((await test.call('POST', NOTES, { content: 'from somebody' })).body.author).toBe('')
    expect(await contents()).toEqual(['from somebody', 'from a program', '@bob or @nobody, help'])
  })

  it('come in pages, the newest first, and stay in place while new ones are made', async () => {
    const first = await list('limit=2')
    await make(bob, 'a new one')
    const second = await list(`limit=2&before=${first.next_before}`)
    expect([...first.notes, ...second.notes].map(({ content }: Note) => content)).toEqual([
      'from somebody',
      'from a program',
      '@bob or @nobody, help',
    ])
    expect(second.next_before).toBeNull()
  })

  it('are changed and removed by their author, admins and the key, and by nobody else', async () => {
    const { note_id } = await make(ann, 'first')
    const at = `${NOTES}/${note_id}`
    const refused = { status: 403, body: { detail: 'The note is of ann: only they and admins change it' } }
    expect(await bob.call('PUT', at, { content: 'mine' })).toMatchObject(refused)
    expect(await bob.call('DELETE', at)).toMatchObject(refused)
    const changed = await ann.call('PUT', at, { content: 'second @boss' })
    expect(changed).toMatchObject({ status: 200, body: { content: 'second @boss', mentions: ['boss'], author: 'ann' } })
    expect((await boss.call('PUT', at, { content: 'third' })).body).toMatchObject({ content: 'third', author: 'ann' })
    expect((await test.call('PUT', at, { content: 'fourth' })).status).toBe(200)
    expect(await ann.call('DELETE', at)).toMatchObject({ status: 200, body: { note_id, deleted: true } })
    expect((await ann.call('DELETE', at)).status).toBe(404)
    expect((await ann.call('PUT', at, { content: 'x' })).status).toBe(404)
    const other = await make(ann, 'other')
    expect((await boss.call('DELETE', `${NOTES}/${other.note_id}`)).status).toBe(200)
  })

  it('of two who remove one at once is removed by one', async () => {
    const { note_id } = await make(ann, 'twice')
    const both = await Promise.all([ann, boss].map((who) => who.call('DELETE', `${NOTES}/${note_id}`)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
  })

  it.each([
    ['POST', NOTES, { content: '  ' }, 422, 'content: must not be blank'],
    ['POST', NOTES, {}, 422, 'content: is required'],
    ['POST', NOTES, { content: 'x'.repeat(4_001) }, 422, undefined],
    ['POST', '/api/v1/agent/sessions/nowhere/notes', { content: 'x' }, 404, 'No session has the session_id nowhere'],
    ['GET', '/api/v1/agent/sessions/nowhere/notes', undefined, 404, 'No session has the session_id nowhere'],
    ['GET', `${NOTES}?limit=0`, undefined, 422, undefined],
    ['GET', `${NOTES}?before=x`, undefined, 400, 'before: must be next_before of the page before'],
    ['PUT', `${NOTES}/nothing`, { content: 'x' }, 404, 'The session has no note nothing'],
    ['DELETE', `${NOTES}/nothing`, undefined, 404, 'The session has no note nothing'],
  ] as const)('%s %s %j is %i', async (method, url, body, status, detail) => {
    const before = await contents()
    const answer = await ann.call(method, url, body)
    expect(answer.status).toBe(status)
    if (detail) expect(answer.body.detail).toBe(detail)
    expect(await contents()).toEqual(before)
  })

  it('ask for a credential and the scope', async () => {
    expect((await test.call('GET', NOTES, undefined, { 'x-api-key': 'wrong' })).status).toBe(401)
  })

  it('are never among what was said, nor in the audit log word for word', async () => {
    await make(ann, 'a very secret note')
    const seen = [
      await test.call('GET', '/api/v1/chat/sessions/talk/messages?user_id=mei'),
      await test.call('GET', '/api/v1/agent/sessions/talk'),
      await test.call('GET', '/api/v1/agent/sessions?q=secret'),
      await test.call('GET', '/api/v1/monitor/traces'),
      await boss.call('GET', '/api/v1/console/audit'),
    ]
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(JSON.stringify(seen.map(({ body }) => body))).not.toContain('very secret note')
  })
})

describe('the events of the desk', () => {
  // An embedded database belongs to one process alone.
  const hasReplicas = Boolean(process.env.TEST_DATABASE_URL)
  let replica: App
  beforeAll(async () => {
    replica = test.app
    if (hasReplicas) replica = await createApp(testConfig({ API_KEY }), await test.database.reopen(), test.app.log)
  })
  afterAll(async () => {
    if (hasReplicas) await replica.close()
  })

  it('tell of notes on every replica, those of others where they mention whoever listens', async () => {
    await ann.call('POST', '/api/v1/agent/sessions/talk/accept')
    const open = (app: App, agent: string) =>
      openEventStream(app, `/api/v1/agent/events?agent_id=${agent}`, { 'x-api-key': API_KEY })
    const [anns, bobs] = [await open(test.app, 'ann'), await open(replica, 'bob')]
    const plain = await make(ann, 'plain')
    const { note_id } = await make(ann, 'for @bob')
    const told = await bobs.waitFor(({ event }) => event === 'note')
    expect(told).toMatchObject({ id: '', data: { session_id: 'talk', change: 'added', note: { content: 'for @bob' } } })
    await anns.waitFor(({ data }) => data.note_id === note_id)
    await ann.call('PUT', `${NOTES}/${note_id}`, { content: 'done @bob' })
    await anns.waitFor(({ data }) => data.change === 'changed')
    await ann.call('DELETE', `${NOTES}/${note_id}`)
    await anns.waitFor(({ data }) => data.change === 'removed')
    const notes = anns.inbox.all.filter(({ event }) => event === 'note')
    expect(notes.map(({ data }) => [data.note_id, data.change])).toEqual([
      [plain.note_id, 'added'],
      [note_id, 'added'],
      [note_id, 'changed'],
      [note_id, 'removed'],
    ])
    await Promise.all([anns.close(), bobs.close()])
  })
})
