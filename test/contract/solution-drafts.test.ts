import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const SOLUTIONS = '/api/v1/escalation/solutions'
const API_KEY = 'a secret of 24 characters'
const PASSWORD = 'correct horse battery'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
})
afterAll(() => test.close())

const post = (path: string, body?: unknown, on = test) => on.call('POST', `/api/v1${path}`, body)

/** A conversation that a person answers and resolves. */
async function resolved(question: string, answers: readonly string[], { on = test, handedIn = false } = {}) {
  const say = async (message: string, session: string) =>
    (await post('/chat', { message, session_id: session, channel: 'web' }, on)).body.session_id
  const session = await say(question, '')
  await say('I want to talk to a human', session)
  await post(`/agent/sessions/${session}/accept`, { agent_id: 'rosa' }, on)
  for (const content of answers) await post(`/agent/sessions/${session}/messages`, { content }, on)
  if (handedIn) await post(`/agent/sessions/${session}/solution`, { question, solution: answers.join(' ') }, on)
  expect((await post(`/agent/sessions/${session}/resolve`, {}, on)).status).toBe(200)
  return session as string
}

const list = async (query = '', on = test) => (await on.call('GET', `${SOLUTIONS}${query}`)).body
async function draftOf(session: string, on = test): Promise<Listed | undefined> {
  for (let i = 0; i < 40; i++) {
    const { items } = await list('?status=draft&limit=200', on)
    const found = items.find((item: Listed) => item.session_id === session)
    if (found) return found
    await pause(50)
  }
  return undefined
}
/** As what has to be waited for comes after it, what would have come is there by then. */
async function hasNone(session: string, on = test): Promise<void> {
  await draftOf(await resolved('Is the copper gong waterproof?', ['The copper gong must be kept dry indoors.'], { on }))
  expect((await list('?limit=200', on)).items.filter((item: Listed) => item.session_id === session)).toEqual([])
}

describe('a draft', () => {
  let draft: Listed
  it('is made when a person resolves a conversation: question and answer, masked, without greetings', async () => {
    const session = await resolved('Hello, can I have the bassoon engraved? Call me on +49 170 5550101', [
      'Hi!',
      'Hello there, bassoons are engraved within two weeks for 30 euros. Your e-mail is x.y@example.org.',
      'Have a nice day!',
    ])
    draft = (await draftOf(session)) as Listed
    expect(draft).toMatchObject({ status: 'draft', origin: 'human', session_id: session, reviewer: null })
    expect(draft.question).toMatch(/can I have the bassoon engraved/i)
    expect(draft.question).not.toContain('5550101')
    expect(draft.solution).toContain('bassoons are engraved within two weeks')
    expect(draft.solution).not.toMatch(/hello|nice day|x\.y@/i)
  })

  it('is no part of the queue, and is not approved or rejected', async () => {
    const { body } = await test.call('GET', `${SOLUTIONS}/pending`)
    expect(body.some((each: Listed) => each.solution_id === draft.solution_id)).toBe(false)
    for (const [action, payload] of [['approve'], ['reject', { reason: 'no' }]] as const) {
      const answer = await post(`/escalation/solutions/${draft.solution_id}/${action}`, payload)
      expect([action, answer.status, answer.body.detail]).toEqual([action, 409, expect.stringContaining('draft')])
    }
  })

  it('is edited, handed in and approved by the person who is logged in', async () => {
    const at = `${SOLUTIONS}/${draft.solution_id}`
    const edited = await test.call('PUT', at, { question: 'Can I have a bassoon engraved?' })
    expect(edited).toMatchObject({ status: 200, body: { status: 'draft', question: 'Can I have a bassoon engraved?' } })
    expect((await test.call('GET', `${at}/preview`)).status).toBe(200)
    expect(await test.call('POST', `${at}/submit`)).toMatchObject({ status: 200, body: { status: 'pending' } })
    expect((await test.call('POST', `${at}/submit`)).status).toBe(200)
    expect((await test.call('DELETE', at)).status).toBe(409)
    await post('/console/people', { name: 'edith', role: 'editor', password: PASSWORD })
    const payload = { name: 'edith', password: PASSWORD }
    const logIn = await test.app.inject({ method: 'POST', url: '/api/v1/console/session', payload })
    const cookie = String(logIn.headers['set-cookie']).split(';')[0] ?? ''
    const approved = await test.app.inject({
      ...{ method: 'POST', url: `${at}/approve`, payload: { reviewer: 'somebody else' } },
      headers: { cookie, origin: 'http://localhost', host: 'localhost' },
    })
    expect([approved.statusCode, approved.json().reviewer]).toEqual([200, 'edith'])
    expect((await test.call('POST', `${at}/submit`)).status).toBe(409)
    expect((await test.call('PUT', at, { question: 'x' })).status).toBe(409)
  })

  it('is dropped, once', async () => {
    const session = await resolved('Do you tune harps?', ['Harps are tuned on every second Tuesday in our workshop.'])
    const { solution_id: id } = (await draftOf(session)) as Listed
    expect((await test.call('DELETE', `${SOLUTIONS}/${id}`)).status).toBe(204)
    expect((await test.call('DELETE', `${SOLUTIONS}/${id}`)).status).toBe(404)
    expect((await test.call('GET', `${SOLUTIONS}/${id}`)).status).toBe(404)
    await hasNone(session)
  })

  it('is not made of nothing of substance, nor beside an answer that was handed in', async () => {
    const silent = await resolved('Do you repair gongs?', ['Hello!', 'Done.', 'Have a nice day!'])
    const handed = await resolved('Do you rent organs?', ['Organs are rented by the month from 90 euros.'], {
      handedIn: true,
    })
    await hasNone(silent)
    const { items } = await list('?limit=200')
    expect(items.filter((item: Listed) => item.session_id === handed).map(({ status }: Listed) => status)).toEqual([
      'pending',
    ])
  })

  it('is not made where the setting says so', async () => {
    const off = await createTestApp({ DRAFT_SOLUTIONS: 'false' })
    const session = await resolved('Do you tune harps?', ['Harps are tuned on every second Tuesday.'], { on: off })
    await pause(1_500)
    expect((await list('', off)).items.filter((item: Listed) => item.session_id === session)).toEqual([])
    await off.close()
  })
})

describe('GET /escalation/solutions', () => {
  it('lists what there is, newest first, page by page, by state and words', async () => {
    const all = (await list('?limit=200')).items as Listed[]
    expect(all.map(({ created_at: at }) => at)).toEqual(
      all
        .map(({ created_at: at }) => at)
        .toSorted()
        .toReversed(),
    )
    const pages: Listed[] = []
    for (let before = ''; ; ) {
      const page = await list(`?limit=2${before && `&before=${before}`}`)
      pages.push(...page.items)
      if (page.next_before === null) break
      before = page.next_before
    }
    expect(pages.map(({ solution_id: id }) => id)).toEqual(all.map(({ solution_id: id }) => id))
    expect((await list('?q=BASSOON')).items).toHaveLength(1)
    expect((await list('?q=100%25_')).items).toEqual([])
    expect((await list('?status=pending')).items.every(({ status }: Listed) => status === 'pending')).toBe(true)
  })

  it.each([
    ['status=done', 400],
    ['limit=0', 422],
    ['limit=201', 422],
    [`q=${'x'.repeat(201)}`, 422],
  ])('refuses %s with %i', async (query, status) => {
    expect((await test.call('GET', `${SOLUTIONS}?${query}`)).status).toBe(status)
  })

  it('answers 404 for what is not there, and 401 without the key', async () => {
    expect((await post('/escalation/solutions/sol_none/submit')).status).toBe(404)
    expect((await test.call('DELETE', `${SOLUTIONS}/sol_none`)).status).toBe(404)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/sol_x/submit'],
      ['DELETE', '/sol_x'],
    ] as const)
      expect((await test.call(method, `${SOLUTIONS}${path}`, undefined, { 'x-api-key': 'no' })).status).toBe(401)
  })
})

interface Listed {
  solution_id: string
  session_id: string
  status: string
  question: string
  solution: string
  created_at: string
}
