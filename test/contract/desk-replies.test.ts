import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, logInAs } from '../support/people.ts'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const REPLIES = '/api/v1/agent/replies'

let test: TestApp
let ann: Browser
let bob: Browser
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  ann = await logInAs(test, 'ann', 'agent')
  bob = await logInAs(test, 'bob', 'agent')
  await importRecords('customers', [
    { user_id: 'mei', name: { first_name: 'Mei', last_name: 'Lindqvist' }, phone: '13812345678' },
    { user_id: 'li', name: '李小龙' },
  ])
  const order = { status: 'processed', items: [{ name: 'Lamp', price: 10, quantity: 1 }], tracking_ids: ['T123456'] }
  await importRecords('orders', [
    { order_id: 'W1000001', user_id: 'mei', ...order },
    { order_id: 'W2000001', user_id: 'li', ...order },
    { order_id: 'W2000002', user_id: 'li', ...order, status: 'delivered' },
  ])
  await say('meis', 'Do you sell horses?', 'mei')
  await say('lis', '订单 W2000002 到哪了？', 'li')
  await say('other', 'Do you sell horses?', 'li')
  await say('guests', 'Do you sell horses?', '')
})
afterAll(() => test.close())

async function importRecords(kind: string, rows: object[]): Promise<void> {
  const { body, contentType } = encodeForm(rows.map((row) => JSON.stringify(row)).join('\n'), `${kind}.jsonl`, { kind })
  const { status } = await test.call('POST', '/api/v1/business/import', body, { 'content-type': contentType })
  expect(status).toBe(200)
}
const say = (session_id: string, message: string, user_id: string) =>
  test.call('POST', '/api/v1/chat', { session_id, message, user_id })

type Saved = { reply_id: string; title: string; uses: number }

const save = async (content: string, more = {}): Promise<Saved> =>
  (await ann.call('POST', REPLIES, { title: 'A title', content, ...more })).body
const render = async (content: string, session_id: string, more = {}) => {
  const { reply_id } = await save(content)
  const { status, body } = await ann.call('POST', `${REPLIES}/${reply_id}/render`, { session_id, ...more })
  expect(status).toBe(200)
  return body
}
const titles = async (query = '') =>
  (await ann.call('GET', `${REPLIES}?${query}`)).body.replies.map(({ title }: Saved) => title)

describe('saved replies', () => {
  it('are saved, found, changed and removed', async () => {
    const given = { title: ' Parcels ', content: 'Hello {{customer.name}}', shortcut: 'parcel', language: 'en' }
    const { status, body } = await ann.call('POST', REPLIES, given)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { ...given, title: 'Parcels', author: 'ann', variables: ['customer.name'], uses: 0, last_used_at: null },
    })
    const zh = { title: '包裹', content: '您好', shortcut: 'parcel', language: 'zh' }
    expect((await bob.call('POST', REPLIES, zh)).status).toBe(201)
    expect((await bob.call('POST', REPLIES, given)).status).toBe(409)
    expect((await test.call('POST', REPLIES, { title: 'Any', content: 'x', agent_id: 'crm' })).body.author).toBe('crm')
    expect(await titles()).toEqual(['Any', '包裹', 'Parcels'])
    expect(await titles('language=zh')).toEqual(['Any', '包裹'])
    expect(await titles('q=PARCEL%20hello')).toEqual(['Parcels'])
    expect(await titles('q=您好')).toEqual(['包裹'])
    expect(await titles('q=100%25')).toEqual([])
    const at = `${REPLIES}/${body.reply_id}`
    expect((await bob.call('PUT', at, { language: 'zh' })).status).toBe(409)
    const changed = await bob.call('PUT', at, { content: 'Bye' })
    expect(changed.body).toMatchObject({ content: 'Bye', title: 'Parcels', shortcut: 'parcel', variables: [] })
    expect((await ann.call('GET', at)).body).toEqual(changed.body)
    expect((await ann.call('DELETE', at)).body).toEqual({ reply_id: body.reply_id, deleted: true })
    expect((await ann.call('GET', at)).status).toBe(404)
  })

  it('come in pages', async () => {
    const first = (await ann.call('GET', `${REPLIES}?limit=1`)).body
    await save('in between')
    const second = (await ann.call('GET', `${REPLIES}?limit=1&before=${first.next_before}`)).body
    expect([...first.replies, ...second.replies].map(({ title }: Saved) => title)).toEqual(['Any', '包裹'])
  })

  it('with a shortcut that two save at once are saved once', async () => {
    const given = { title: 'x', content: 'x', shortcut: 'race' }
    const both = await Promise.all([ann, bob].map((who) => who.call('POST', REPLIES, given)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it.each([
    ['POST', '', { title: 'x', content: 'Dear {{customer.password}}' }, 422],
    ['POST', '', { title: 'x', content: 'Dear {{customer.name' }, 422],
    ['POST', '', { title: 'x', content: '  ' }, 422],
    ['POST', '', { title: ' ', content: 'x' }, 422],
    ['POST', '', { content: 'x' }, 422],
    ['POST', '', { title: 'x', content: 'x', language: 'fr' }, 422],
    ['POST', '', { title: 'x', content: 'x', shortcut: 'A B' }, 422],
    ['GET', '?before=x', undefined, 400],
    ['GET', '?limit=0', undefined, 422],
    ['GET', '/nothing', undefined, 404],
    ['PUT', '/nothing', { content: 'x' }, 404],
    ['DELETE', '/nothing', undefined, 404],
    ['POST', '/nothing/render', { session_id: 'meis' }, 404],
    ['POST', '/nothing/render', {}, 422],
  ] as const)('%s %s %j is %i', async (method, path, body, status) => {
    const before = await titles()
    expect((await ann.call(method, `${REPLIES}${path}`, body)).status).toBe(status)
    expect(await titles()).toEqual(before)
  })

  it('say which variable is wrong', async () => {
    const { body } = await ann.call('POST', REPLIES, { title: 'x', content: 'Dear {{name}}' })
    expect(body.detail).toMatch(/^content: \{\{name\}\} is no variable: use one of customer\.name/)
    const { reply_id } = await save('x')
    expect((await ann.call('PUT', `${REPLIES}/${reply_id}`, { content: '{{name}}' })).status).toBe(422)
  })

  it('ask for a credential', async () => {
    expect((await test.call('GET', REPLIES, undefined, { 'x-api-key': 'wrong' })).status).toBe(401)
  })
})

describe('a saved reply that is written out', () => {
  it('holds the values of the conversation, personal ones masked', async () => {
    const content = 'Dear {{customer.name}} ({{ customer.id }}): {{order.id}} is {{order.status}}. {{agent.name}}'
    const { text, missing } = await render(content, 'meis')
    expect(text).toMatch(/^Dear M\*+ L\*+ \(mei\): #?W1000001 is processed\. ann$/)
    expect(missing).toEqual([])
  })

  it('takes the order that was spoken of or is named, and none where it is unclear', async () => {
    expect((await render('{{order.status}}', 'lis')).text).toBe('delivered')
    expect((await render('{{order.status}}', 'other', { order_id: 'W2000001' })).text).toBe('processed')
    expect(await render('Order {{order.id}}.', 'other')).toMatchObject({ text: 'Order .', missing: ['order.id'] })
    // An order of somebody else.
    expect((await render('{{order.status}}', 'other', { order_id: 'W1000001' })).missing).toEqual(['order.status'])
  })

  it('names what is not known of a guest, and leaves no braces', async () => {
    const { text, missing } = await render('Dear {{customer.name}}, {{session.id}} {{order.id}}', 'guests')
    expect(text).toBe('Dear , guests ')
    expect(missing).toEqual(['customer.name', 'order.id'])
  })

  it('counts as a use, and is refused for a session that is not there', async () => {
    const { reply_id } = await save('x')
    const at = `${REPLIES}/${reply_id}`
    await Promise.all([ann, bob].map((who) => who.call('POST', `${at}/render`, { session_id: 'meis' })))
    expect((await test.call('POST', `${at}/render`, { session_id: 'meis', agent_id: 'x' })).status).toBe(200)
    expect((await ann.call('POST', `${at}/render`, { session_id: 'nowhere' })).body.detail).toBe(
      'No session has the session_id nowhere',
    )
    const { body } = await ann.call('GET', at)
    expect(body).toMatchObject({ uses: 3, last_used_at: expect.stringMatching(/Z$/) })
  })
})

describe('drafts', () => {
  const DRAFT = '/api/v1/agent/sessions/meis/draft'

  it('are kept for each person in each conversation, until they are blank', async () => {
    expect((await ann.call('GET', DRAFT)).body).toEqual({ session_id: 'meis', content: '', updated_at: null })
    const saved = await ann.call('PUT', DRAFT, { content: 'Dear Mei', agent_id: 'bob' })
    expect(saved).toMatchObject({ status: 200, body: { content: 'Dear Mei', updated_at: expect.any(String) } })
    expect((await ann.call('PUT', DRAFT, { content: 'Dear Mei, I' })).body.content).toBe('Dear Mei, I')
    expect((await ann.call('GET', DRAFT)).body.content).toBe('Dear Mei, I')
    expect((await bob.call('GET', DRAFT)).body.content).toBe('')
    expect((await test.call('GET', `${DRAFT}?agent_id=ann`)).body.content).toBe('Dear Mei, I')
    expect((await ann.call('PUT', DRAFT, { content: ' ' })).body).toMatchObject({ content: '', updated_at: null })
    expect((await ann.call('GET', DRAFT)).body.content).toBe('')
  })

  it('of two browsers at once are one of both', async () => {
    await Promise.all(['one', 'two'].map((content) => bob.call('PUT', DRAFT, { content })))
    expect(['one', 'two']).toContain((await bob.call('GET', DRAFT)).body.content)
  })

  it('are refused where there is no session, or without a credential', async () => {
    const nowhere = '/api/v1/agent/sessions/nowhere/draft'
    expect((await ann.call('GET', nowhere)).status).toBe(404)
    expect((await ann.call('PUT', nowhere, { content: 'x' })).status).toBe(404)
    expect((await ann.call('PUT', nowhere, { content: '' })).status).toBe(404)
    expect((await ann.call('PUT', DRAFT, {})).status).toBe(422)
    expect((await test.call('GET', DRAFT, undefined, { 'x-api-key': 'wrong' })).status).toBe(401)
  })
})
