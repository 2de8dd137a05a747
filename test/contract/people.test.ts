import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const ORIGIN = { origin: 'http://localhost:80', host: 'localhost:80' }
const PEOPLE = '/api/v1/console/people'
const SESSION = '/api/v1/console/session'
const PASSWORD = 'correct horse battery'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
})
afterAll(() => test.close())

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A request of a browser: a cookie in place of the key. */
async function browse(cookie: string, method: Method, url: string, body?: object, headers: object = {}) {
  const response = await test.app.inject({
    method,
    url,
    headers: { ...ORIGIN, ...(cookie === '' ? {} : { cookie }), ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: response.statusCode, body: response.json(), cookies: response.headers['set-cookie'] }
}

async function logIn(credential: object): Promise<string> {
  const { status, body, cookies } = await browse('', 'POST', SESSION, credential)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return String(cookies).split(';')[0] ?? ''
}

const add = (name: string, role: string, password: string | undefined = PASSWORD) =>
  test.call('POST', PEOPLE, { name, role, ...(password && { password }) })

describe('people', () => {
  it('are added, with a password that is shown once where none was given', async () => {
    expect(await add('li.na', 'agent')).toMatchObject({
      status: 201,
      body: { name: 'li.na', display_name: 'li.na', role: 'agent', is_active: true, must_change_password: false },
    })
    const made = await test.call('POST', PEOPLE, { name: 'tom', display_name: 'Tom B.', role: 'editor' })
    expect(made).toMatchObject({ status: 201, body: { display_name: 'Tom B.', must_change_password: true } })
    expect(made.body.password).toMatch(/^[\w-]{16}$/)
    const { body } = await test.call('GET', PEOPLE)
    expect(body.people.map(({ name }: { name: string }) => name)).toEqual(['li.na', 'tom'])
    expect(JSON.stringify(body)).not.toContain('password":"')
    const { rows } = await sql<{ password: string }>`select password from people`.execute(test.db.executor)
    for (const { password } of rows) expect(password).toMatch(/^scrypt\$32768\$8\$3\$/)
  })

  it.each([
    [{ name: 'li.na', role: 'agent' }, 409, 'name: li.na is taken'],
    [{ name: 'Upper', role: 'agent' }, 422, /^name: /],
    [{ name: 'x', role: 'agent' }, 422, /^name: /],
    [{ name: 'nobody' }, 422, /^role: is required/],
    [{ name: 'nobody', role: 'root' }, 422, /^role: /],
    [{ name: 'nobody', role: 'agent', password: 'short' }, 422, 'password: must have at least 10 characters'],
    [{ name: 'nobody', role: 'agent', password: 'aaaaaaaaaaaa' }, 422, 'password: is guessed too easily'],
    [{ name: 'nobody', role: 'agent', password: 'Nobody 2026!' }, 422, 'password: is guessed too easily'],
    [{ name: 'nobody', role: 'agent', display_name: '  ' }, 422, /^display_name: /],
  ])('are refused: %j', async (body, status, detail) => {
    const answer = await test.call('POST', PEOPLE, body)
    expect(answer.status).toBe(status)
    expect(answer.body.detail).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail))
    expect((await test.call('GET', PEOPLE)).body.people).toHaveLength(2)
  })

  it('are changed and removed, but not the last admin', async () => {
    await add('boss', 'admin')
    await add('gone', 'admin')
    expect((await test.call('PUT', `${PEOPLE}/gone`, { role: 'agent', display_name: 'Going' })).body).toMatchObject({
      role: 'agent',
      display_name: 'Going',
    })
    const last = { detail: 'boss is the last admin who may log in: make another one first' }
    expect(await test.call('PUT', `${PEOPLE}/boss`, { role: 'editor' })).toMatchObject({ status: 409, body: last })
    expect(await test.call('PUT', `${PEOPLE}/boss`, { is_active: false })).toMatchObject({ status: 409, body: last })
    expect(await test.call('DELETE', `${PEOPLE}/boss`)).toMatchObject({ status: 409, body: last })
    expect((await test.call('DELETE', `${PEOPLE}/gone`)).body).toEqual({ done: true })
    expect((await test.call('DELETE', `${PEOPLE}/gone`)).status).toBe(404)
    expect((await test.call('PUT', `${PEOPLE}/gone`, { role: 'agent' })).status).toBe(404)
    expect((await test.call('POST', `${PEOPLE}/gone/password`)).status).toBe(404)
    expect((await test.call('PUT', `${PEOPLE}/boss`, {})).status).toBe(422)
  })

  it('leave one admin of two who are demoted at once', async () => {
    await add('boss2', 'admin')
    const outcomes = await Promise.all(
      ['boss', 'boss2'].map((name) => test.call('PUT', `${PEOPLE}/${name}`, { role: 'agent' })),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const name of ['boss', 'boss2']) await test.call('PUT', `${PEOPLE}/${name}`, { role: 'admin' })
    await test.call('DELETE', `${PEOPLE}/boss2`)
  })
})

describe('a log-in', () => {
  it('is a cookie that scripts cannot read and other sites do not send', async () => {
    const { status, body, cookies } = await browse('', 'POST', SESSION, { name: ' LI.NA ', password: PASSWORD })
    expect({ status, body }).toEqual({ status: 200, body: { done: true } })
    expect(cookies).toMatch(/^frontdesk_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/)
    const cookie = String(cookies).split(';')[0] ?? ''
    expect((await browse(cookie, 'GET', SESSION)).body).toEqual({
      authenticated: true,
      mode: 'log_in',
      name: 'li.na',
      person: { name: 'li.na', display_name: 'li.na', role: 'agent' },
      scopes: ['read', 'chat', 'agent'],
      must_change_password: false,
      setup_needed: false,
    })
    expect((await browse(cookie, 'GET', '/api/v1/agent/sessions/pending')).status).toBe(200)
    expect(await browse(cookie, 'PUT', '/api/v1/tuner/params', { min_score: 0.3 })).toMatchObject({
      status: 403,
      body: { detail: 'The role agent lacks the scope admin' },
    })
  })

  it('says nothing of others to those who are not', async () => {
    const { status, body } = await browse('', 'GET', SESSION)
    expect(status).toBe(200)
    expect(body).toMatchObject({ authenticated: false, name: null, person: null, scopes: [], setup_needed: false })
  })

  it.each([
    [{ name: 'li.na', password: 'wrong' }, 401],
    [{ name: 'nobody.here', password: PASSWORD }, 401],
    [{ key: 'wrong' }, 401],
    [{ code: 'wrong' }, 401],
    [{ name: 'li.na' }, 422],
    [{ password: PASSWORD }, 422],
    [{ name: 'li.na', password: PASSWORD, key: API_KEY }, 422],
    [{}, 422],
  ])('is refused: %j', async (body, status) => {
    const answer = await browse('', 'POST', SESSION, body)
    expect(answer.status).toBe(status)
    expect(answer.cookies).toBeUndefined()
  })

  it('does not tell a wrong name from a wrong password', async () => {
    const [one, other] = [
      await browse('', 'POST', SESSION, { name: 'li.na', password: 'wrong' }),
      await browse('', 'POST', SESSION, { name: 'no.such.one', password: 'wrong' }),
    ]
    expect(one.body).toEqual(other.body)
  })

  it('changes nothing for a page of another origin, or of one that does not say', async () => {
    const cookie = await logIn({ name: 'li.na', password: PASSWORD })
    const write = (headers: Record<string, string>) =>
      test.app.inject({
        method: 'POST',
        url: '/api/v1/chat',
        headers: { cookie, ...headers },
        payload: { message: 'Hi' },
      })
    const foreign = [
      { host: 'desk.example', origin: 'https://evil.example' },
      { host: 'desk.example:8000', origin: 'http://desk.example:9000' },
      { host: 'desk.example', origin: 'null' },
      { host: 'desk.example', 'sec-fetch-site': 'same-site' },
      { host: 'desk.example' },
    ]
    for (const headers of foreign) expect((await write(headers)).statusCode, JSON.stringify(headers)).toBe(403)
    expect((await write({ host: 'desk.example:8000', origin: 'http://desk.example:8000' })).statusCode).toBe(200)
    expect((await write({ host: 'x', 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
  })

  it('with a key does what the key may', async () => {
    const cookie = await logIn({ key: API_KEY })
    expect((await browse(cookie, 'GET', SESSION)).body).toMatchObject({ name: 'API_KEY', person: null })
    expect((await browse(cookie, 'GET', '/api/v1/keys')).status).toBe(200)
    const { rows } = await sql<{ sealed: string }>`select encode(sealed_key, 'hex') as sealed from log_ins
      where sealed_key is not null`.execute(test.db.executor)
    expect(rows[0]?.sealed).toMatch(/^[0-9a-f]{64}$/)
    expect(
      (await browse(cookie, 'PUT', '/api/v1/console/password', { current_password: 'x', new_password: 'y' })).status,
    ).toBe(409)
  })

  it('gives way to a key in the header, right or wrong', async () => {
    const cookie = await logIn({ name: 'li.na', password: PASSWORD })
    expect((await browse(cookie, 'GET', '/api/v1/keys', undefined, { 'x-api-key': API_KEY })).status).toBe(200)
    expect((await browse(cookie, 'GET', '/api/v1/keys', undefined, { 'x-api-key': 'wrong' })).body).toEqual({
      detail: 'Invalid or missing API key',
    })
  })

  it('ends when its person logs out, is shut out, is given another role, or gets a new password', async () => {
    await add('mover', 'agent')
    const enter = () => logIn({ name: 'mover', password: PASSWORD })
    const pending = async (cookie: string) => (await browse(cookie, 'GET', '/api/v1/agent/sessions/pending')).status
    const [first, second] = [await enter(), await enter()]
    expect((await browse(first, 'DELETE', SESSION)).cookies).toMatch(/^frontdesk_session=; Path=\/; Max-Age=0/)
    expect([await pending(first), await pending(second)]).toEqual([401, 200])
    await test.call('PUT', `${PEOPLE}/mover`, { role: 'editor' })
    expect((await browse(second, 'POST', '/api/v1/knowledge/quality/check', {})).status).not.toBe(403)
    await test.call('PUT', `${PEOPLE}/mover`, { is_active: false })
    expect(await pending(second)).toBe(401)
    expect((await browse('', 'POST', SESSION, { name: 'mover', password: PASSWORD })).status).toBe(401)
    await test.call('PUT', `${PEOPLE}/mover`, { is_active: true })
    const third = await enter()
    const { body } = await test.call('POST', `${PEOPLE}/mover/password`)
    expect(await pending(third)).toBe(401)
    const fourth = await logIn({ name: 'mover', password: body.password })
    expect(await pending(fourth)).toBe(403)
    expect((await browse(fourth, 'GET', SESSION)).body).toMatchObject({ must_change_password: true, scopes: [] })
    const change = { current_password: body.password, new_password: 'a whole new secret' }
    expect((await browse(fourth, 'PUT', '/api/v1/console/password', change)).status).toBe(200)
    expect(await pending(fourth)).toBe(200)
    await test.call('DELETE', `${PEOPLE}/mover`)
    expect(await pending(fourth)).toBe(401)
  })

  it('keeps itself and ends the others when its person changes the password', async () => {
    await add('changer', 'agent')
    const [here, there] = [
      await logIn({ name: 'changer', password: PASSWORD }),
      await logIn({ name: 'changer', password: PASSWORD }),
    ]
    const put = (current: string, next: string) =>
      browse(here, 'PUT', '/api/v1/console/password', { current_password: current, new_password: next })
    expect(await put('wrong one here', 'another good one')).toMatchObject({
      status: 422,
      body: { detail: 'current_password: is wrong' },
    })
    expect(await put(PASSWORD, PASSWORD)).toMatchObject({ status: 422 })
    expect(await put(PASSWORD, 'short')).toMatchObject({
      status: 422,
      body: { detail: 'new_password: must have at least 10 characters' },
    })
    expect((await put(PASSWORD, 'another good one')).status).toBe(200)
    const asked = await Promise.all([here, there].map((each) => browse(each, 'GET', '/api/v1/agent/sessions/pending')))
    expect(asked.map(({ status }) => status)).toEqual([200, 401])
  })

  it('is listed and ended by its person, and by admins for all', async () => {
    const [own, boss] = [
      await logIn({ name: 'changer', password: 'another good one' }),
      await logIn({ name: 'boss', password: PASSWORD }),
    ]
    const { body } = await browse(own, 'GET', '/api/v1/console/sessions')
    const people = new Set(body.log_ins.map(({ person }: { person: string }) => person))
    expect([...people]).toEqual(['changer'])
    expect((await browse(own, 'GET', '/api/v1/console/sessions?all=true')).status).toBe(403)
    const all = (await browse(boss, 'GET', '/api/v1/console/sessions?all=true')).body.log_ins
    expect(all.map(({ person }: { person: string }) => person)).toEqual(expect.arrayContaining(['li.na', 'boss', null]))
    const others = all.find(({ person }: { person: string }) => person === 'li.na')
    expect((await browse(own, 'DELETE', `/api/v1/console/sessions/${others.log_in_id}`)).status).toBe(404)
    expect((await browse(boss, 'DELETE', `/api/v1/console/sessions/${others.log_in_id}`)).status).toBe(200)
    expect((await browse(boss, 'DELETE', `/api/v1/console/sessions/${others.log_in_id}`)).status).toBe(404)
  })

  it('has to wait after several failures, by name and address', async () => {
    await add('guessed', 'agent')
    const wrong = () => browse('', 'POST', SESSION, { name: 'guessed', password: 'wrong' })
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await wrong()).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    const refused = await test.app.inject({
      method: 'POST',
      url: SESSION,
      payload: { name: 'guessed', password: PASSWORD },
    })
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('the audit log', () => {
  it('has every change by log-in: who, what, before and after, without secrets', async () => {
    const boss = await logIn({ name: 'boss', password: PASSWORD })
    await browse(boss, 'POST', PEOPLE, { name: 'noted', role: 'agent', password: 'a secret password' })
    await browse(boss, 'PUT', `${PEOPLE}/noted`, { role: 'editor' })
    await browse(boss, 'PUT', `${PEOPLE}/noted`, { role: 'root' })
    await browse(boss, 'GET', PEOPLE)
    const { status, body } = await browse(boss, 'GET', '/api/v1/console/audit?actor=boss&limit=2')
    expect(status).toBe(200)
    expect(body.entries).toMatchObject([
      {
        actor: 'boss',
        is_person: true,
        action: 'PUT /api/v1/console/people/:name',
        subject: 'name:noted',
        before: { role: 'agent' },
        after: { role: 'editor' },
      },
      { action: 'POST /api/v1/console/people', subject: 'person:noted', before: null, after: { role: 'agent' } },
    ])
    expect(JSON.stringify(body)).not.toContain('a secret password')
    await browse(boss, 'PUT', '/api/v1/tuner/params', { rrf_k: 33 })
    const changed = await browse(boss, 'GET', '/api/v1/console/audit?subject=parameters')
    expect(changed.body.entries[0]).toMatchObject({ before: { rrf_k: 60 }, after: { rrf_k: 33 } })
    const next = await browse(boss, 'GET', `/api/v1/console/audit?limit=1&before=${body.entries[0].seq}`)
    expect(next.body.entries[0].seq).toBe(body.entries[1].seq)
    const asked = (query: string) => browse(boss, 'GET', `/api/v1/console/audit?${query}`)
    expect((await asked('from=2026-02-01&to=2026-01-01')).body).toEqual({ detail: 'to: must be later than from' })
    expect(await asked('from=yesterday')).toMatchObject({ status: 400 })
    expect(await asked('limit=0')).toMatchObject({ status: 422 })
    expect((await asked('from=2020-01-01&action=people')).body.entries.length).toBeGreaterThan(1)
  })
})

describe('without a key', () => {
  it('there are no people, and everybody is told so', async () => {
    const keyless = await createTestApp()
    expect((await keyless.call('GET', SESSION)).body).toMatchObject({
      authenticated: true,
      mode: 'keyless',
      scopes: ['read', 'chat', 'agent', 'knowledge', 'admin'],
      setup_needed: false,
    })
    for (const [url, body] of [
      [PEOPLE, { name: 'li.na', role: 'agent' }],
      [SESSION, { name: 'li.na', password: PASSWORD }],
    ] as const) {
      expect((await keyless.call('POST', url, body)).status).toBe(409)
    }
    await keyless.close()
  })
})
