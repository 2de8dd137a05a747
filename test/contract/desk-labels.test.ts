import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEventStream } from '../support/event-stream.ts'
import { type Browser, logInAs } from '../support/people.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const LABELS = '/api/v1/agent/labels'
const SESSIONS = '/api/v1/agent/sessions'
const BULK = `${SESSIONS}/bulk`

let test: TestApp
let ann: Browser
let bob: Browser
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  ann = await logInAs(test, 'ann', 'agent')
  bob = await logInAs(test, 'bob', 'agent')
  for (const session_id of ['one', 'two', 'three']) {
    await test.call('POST', '/api/v1/chat', { message: 'I want a person', session_id, user_id: 'mei' })
  }
})
afterAll(() => test.close())

type Label = { label_id: string; name: string }

const make = async (name: string, more = {}) => (await ann.call('POST', LABELS, { name, ...more })).body as Label
const set = (id: string, label_ids: string[]) => ann.call('PUT', `${SESSIONS}/${id}/labels`, { label_ids })
const namesOf = async (id: string) =>
  (await ann.call('GET', `${SESSIONS}/${id}/labels`)).body.labels.map(({ name }: Label) => name)
const bulk = async (who: Browser, action: string, more = {}, session_ids = ['one', 'two', 'nowhere']) =>
  (await who.call('POST', BULK, { session_ids, action, ...more })).body

describe('labels', () => {
  it('are made, listed by name, changed and removed', async () => {
    const { status, body } = await ann.call('POST', LABELS, { name: ' Warehouse ', colour: 'amber' })
    expect({ status, body }).toMatchObject({ status: 201, body: { name: 'Warehouse', colour: 'amber' } })
    const other = await make('angry')
    expect(other).toMatchObject({ colour: 'grey' })
    await set('one', [body.label_id])
    const { labels } = (await ann.call('GET', LABELS)).body
    expect(labels.map(({ name, sessions }: Label & { sessions: number }) => [name, sessions])).toEqual([
      ['angry', 0],
      ['Warehouse', 1],
    ])
    const at = `${LABELS}/${other.label_id}`
    expect((await bob.call('PUT', at, { colour: 'red' })).body).toEqual({ ...other, colour: 'red' })
    expect((await bob.call('PUT', at, { name: 'WAREHOUSE' })).status).toBe(409)
    expect((await bob.call('PUT', at, { name: 'Angry' })).body).toMatchObject({ name: 'Angry', colour: 'red' })
    expect(await ann.call('POST', LABELS, { name: 'warehouse' })).toMatchObject({
      status: 409,
      body: { detail: 'name: another label is called warehouse' },
    })
    expect((await ann.call('DELETE', `${LABELS}/${body.label_id}`)).body).toEqual({
      label_id: body.label_id,
      deleted: true,
    })
    expect(await namesOf('one')).toEqual([])
    await ann.call('DELETE', at)
  })

  it('of a name that two make at once is made once', async () => {
    const both = await Promise.all([ann, bob].map((who) => who.call('POST', LABELS, { name: 'same' })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it('of a conversation are set, narrow the list and are told to the desk', async () => {
    const [vip, late] = [await make('VIP'), await make('late')]
    const stream = await openEventStream(test.app, '/api/v1/agent/events', { 'x-api-key': API_KEY })
    const answer = await set('two', [vip.label_id, late.label_id, vip.label_id])
    expect(answer.body).toMatchObject({ session_id: 'two', labels: [{ name: 'late' }, { name: 'VIP' }] })
    const told = await stream.waitFor(({ event }) => event === 'labels')
    expect(told).toMatchObject({ id: '', data: { session_id: 'two', labels: [{ name: 'late' }, { name: 'VIP' }] } })
    await stream.close()
    const { sessions } = (await ann.call('GET', `${SESSIONS}?label=${vip.label_id}`)).body
    expect(sessions).toHaveLength(1)
    expect(sessions[0]).toMatchObject({
      session_id: 'two',
      labels: [{ name: 'late' }, { name: 'VIP', colour: 'grey' }],
    })
    const found = (await ann.call('GET', `${SESSIONS}?q=person&label=${late.label_id}`)).body.sessions
    expect(found.map(({ session_id }: { session_id: string }) => session_id)).toEqual(['two'])
    await set('two', [late.label_id])
    expect(await namesOf('two')).toEqual(['late'])
  })

  it('of two who set them at once are those of one', async () => {
    const [a, b] = [await make('a'), await make('b')]
    await Promise.all([set('three', [a.label_id]), set('three', [b.label_id])])
    expect(await namesOf('three')).toHaveLength(1)
    await set('three', [])
  })

  it.each([
    ['POST', LABELS, { name: ' ' }, 422],
    ['POST', LABELS, { name: 'x', colour: '#ff0000' }, 422],
    ['POST', LABELS, {}, 422],
    ['PUT', `${LABELS}/nothing`, { name: 'x' }, 404],
    ['DELETE', `${LABELS}/nothing`, undefined, 404],
    ['PUT', `${SESSIONS}/one/labels`, { label_ids: ['nothing'] }, 422],
    ['PUT', `${SESSIONS}/one/labels`, {}, 422],
    ['PUT', `${SESSIONS}/nowhere/labels`, { label_ids: [] }, 404],
    ['GET', `${SESSIONS}/nowhere/labels`, undefined, 404],
    ['POST', BULK, { session_ids: [], action: 'take' }, 422],
    ['POST', BULK, { session_ids: ['one'], action: 'erase' }, 422],
    ['POST', BULK, { session_ids: ['one'], action: 'add_labels' }, 422],
    ['POST', BULK, { session_ids: ['one'], action: 'transfer' }, 422],
  ] as const)('%s %s %j is %i and changes nothing', async (method, url, body, status) => {
    const before = (await ann.call('GET', LABELS)).body
    expect((await ann.call(method, url, body)).status).toBe(status)
    expect((await ann.call('GET', LABELS)).body).toEqual(before)
    expect(await namesOf('one')).toEqual([])
  })

  it('ask for a credential', async () => {
    for (const url of [LABELS, `${SESSIONS}/one/labels`]) {
      expect((await test.call('GET', url, undefined, { 'x-api-key': 'wrong' })).status).toBe(401)
    }
  })
})

describe('many conversations at once', () => {
  it('are labelled, with an outcome for each', async () => {
    const { label_id } = await make('bulk')
    expect(await bulk(ann, 'add_labels', { label_ids: [label_id] }, ['one', 'nowhere', 'two', 'one'])).toEqual({
      done: 2,
      refused: 1,
      outcomes: [
        { session_id: 'one', done: true, error: null },
        { session_id: 'nowhere', done: false, error: 'No session has the session_id nowhere' },
        { session_id: 'two', done: true, error: null },
      ],
    })
    expect(await namesOf('one')).toEqual(['bulk'])
    expect((await bulk(ann, 'remove_labels', { label_ids: [label_id] })).done).toBe(2)
    expect(await namesOf('one')).toEqual([])
    expect((await bulk(ann, 'add_labels', { label_ids: ['nothing'] })).refused).toBe(3)
  })

  it('are taken, handed over, given back, resolved and read by the rules of each', async () => {
    expect(await bulk(ann, 'take')).toMatchObject({ done: 2, refused: 1 })
    expect((await bulk(bob, 'take')).outcomes[0].error).toMatch(/^The session is with ann/)
    expect(await bulk(bob, 'resolve')).toMatchObject({ done: 0, refused: 3 })
    expect(await bulk(ann, 'transfer', { agent_id: 'nobody' })).toMatchObject({ done: 0, refused: 3 })
    expect(await bulk(ann, 'transfer', { agent_id: 'bob', note: 'lunch' })).toMatchObject({ done: 2 })
    expect(await bulk(bob, 'release', { to: 'assistant' }, ['one'])).toMatchObject({ done: 1 })
    expect(await bulk(bob, 'resolve', { note: 'done' })).toMatchObject({ done: 1, refused: 2 })
    expect(await bulk(bob, 'read')).toMatchObject({ done: 2, refused: 1 })
    expect(await bulk(bob, 'unread', {}, ['one'])).toMatchObject({ done: 1 })
    const { body } = await test.call('POST', BULK, { session_ids: ['one'], action: 'take', agent_id: 'crm' })
    expect(body.done).toBe(1)
    expect((await test.call('GET', `${SESSIONS}/one`)).body.agent_id).toBe('crm')
  })
})
