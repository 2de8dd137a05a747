import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { logInAs } from '../support/people.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'
import { ask, makeWidget, openPage, SHOP, signIdentity } from '../support/widget.ts'

const API_KEY = 'a secret of 24 characters'
const WIDGETS = '/api/v1/settings/widgets'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ API_KEY, WIDGET_SESSIONS_PER_MINUTE: '0' })
})
afterAll(() => test.close())

const begin = (key: string, more: object = {}) => ask(test.app, 'POST', 'sessions', { body: { key, ...more } })

it('makes a widget with defaults, whose secret is shown once', async () => {
  const made = await test.call('POST', WIDGETS, { name: ' Shop ', allowed_origins: ['HTTPS://Shop.example/', SHOP] })
  expect(made).toMatchObject({
    status: 201,
    body: {
      name: 'Shop',
      key: expect.stringMatching(/^pk_[\w-]{24}$/),
      identity_secret: expect.stringMatching(/^ws_[\w-]{43}$/),
      allowed_origins: [SHOP],
      settings: { position: 'right', languages: ['zh', 'en'], shows_sources: true, requires_identity: false },
      revoked_at: null,
    },
  })
  const { identity_secret, ...shown } = made.body
  expect((await test.call('GET', `${WIDGETS}/${shown.widget_id}`)).body).toEqual(shown)
  const { widgets } = (await test.call('GET', WIDGETS)).body
  expect(widgets[0]).toEqual(shown)
  expect(JSON.stringify(widgets)).not.toContain(identity_secret)
})

it('changes what is named and keeps the rest', async () => {
  const { widget_id, key } = await makeWidget(test, { settings: { colour: '#112233', asks_for_rating: false } })
  const change = (body: object) => test.call('PUT', `${WIDGETS}/${widget_id}`, body)
  const { body } = await change({ settings: { position: 'left', title: { en: 'Help', zh: '帮助' } } })
  expect(body.settings).toMatchObject({
    colour: '#112233',
    asks_for_rating: false,
    position: 'left',
    title: { en: 'Help', zh: '帮助' },
  })
  expect((await begin(key)).status).toBe(201)
  await change({ allowed_origins: ['https://other.example'] })
  expect((await begin(key)).status).toBe(403)
  expect((await change({})).body.allowed_origins).toEqual(['https://other.example'])
})

it('rotates the public key, with the one before taken for a while or not', async () => {
  const { widget_id, key } = await makeWidget(test)
  const { token } = await openPage(test, { key })
  const rotated = await test.call('POST', `${WIDGETS}/${widget_id}/rotate`, { grace_hours: 2 })
  expect(rotated.body).toMatchObject({ previous_key: key, previous_key_until: expect.any(String) })
  expect([(await begin(key)).status, (await begin(rotated.body.key)).status]).toEqual([201, 201])
  const again = await test.call('POST', `${WIDGETS}/${widget_id}/rotate`, { grace_hours: 0 })
  expect(again.body.previous_key).toBeNull()
  expect([(await begin(rotated.body.key)).status, (await begin(again.body.key)).status]).toEqual([404, 201])
  const headers = { authorization: `Bearer ${token}` }
  expect((await ask(test.app, 'GET', 'state', { headers })).status).toBe(200)
})

it('rotates the secret by which customers are signed', async () => {
  const { widget_id, key, identity_secret } = await makeWidget(test)
  const rotate = async (grace_hours: number) =>
    (await test.call('POST', `${WIDGETS}/${widget_id}/rotate-secret`, { grace_hours })).body.identity_secret as string
  const named = async (secret: string) =>
    (await begin(key, { identity: await signIdentity(secret, { sub: 'mei' }) })).status
  const second = await rotate(1)
  expect([await named(identity_secret), await named(second)]).toEqual([201, 201])
  const third = await rotate(0)
  expect([await named(second), await named(third)]).toEqual([422, 201])
})

it.each([
  [{ allowed_origins: [SHOP] }, /^name: is required/],
  [{ name: '  ', allowed_origins: [SHOP] }, /^name: must not be blank/],
  [{ name: 'x' }, /^allowed_origins: is required/],
  [{ name: 'x', allowed_origins: [] }, /^allowed_origins/],
  [{ name: 'x', allowed_origins: ['*'] }, /^allowed_origins\.0: must be an origin/],
  [{ name: 'x', allowed_origins: [SHOP, 'https://*.com'] }, /^allowed_origins\.1/],
  [{ name: 'x', allowed_origins: [`${SHOP}/path`] }, /^allowed_origins\.0/],
  [{ name: 'x', allowed_origins: ['null'] }, /^allowed_origins\.0/],
  [{ name: 'x', allowed_origins: [SHOP], settings: { colour: 'red' } }, /^settings\.colour/],
  [{ name: 'x', allowed_origins: [SHOP], settings: { languages: ['fr'] } }, /^settings\.languages/],
  [{ name: 'x', allowed_origins: [SHOP], settings: { color: '#112233' } }, /^settings/],
])('refuses %j', async (body, detail) => {
  const before = (await test.call('GET', WIDGETS)).body
  expect(await test.call('POST', WIDGETS, body)).toMatchObject({
    status: 422,
    body: { detail: expect.stringMatching(detail) },
  })
  expect((await test.call('GET', WIDGETS)).body).toEqual(before)
})

it('knows no other widget, and changes none that is revoked', async () => {
  const { widget_id } = await makeWidget(test)
  await test.call('DELETE', `${WIDGETS}/${widget_id}`)
  for (const [id, status] of [
    ['widget_0', 404],
    [widget_id, 409],
  ] as const) {
    expect((await test.call('PUT', `${WIDGETS}/${id}`, { name: 'x' })).status).toBe(status)
    expect((await test.call('POST', `${WIDGETS}/${id}/rotate`, {})).status).toBe(status)
    expect((await test.call('POST', `${WIDGETS}/${id}/rotate-secret`, {})).status).toBe(status)
    expect((await test.call('DELETE', `${WIDGETS}/${id}`)).status).toBe(status)
  }
  expect((await test.call('GET', `${WIDGETS}/widget_0`)).status).toBe(404)
})

it('is for admins, and what they change is in the audit log without the secret', async () => {
  const ann = await logInAs(test, 'ann', 'admin')
  const bob = await logInAs(test, 'bob', 'editor')
  expect((await bob.call('POST', WIDGETS, { name: 'x', allowed_origins: [SHOP] })).status).toBe(403)
  const { body } = await ann.call('POST', WIDGETS, { name: 'Audited', allowed_origins: [SHOP] })
  const { body: audit } = await test.call('GET', '/api/v1/console/audit?limit=1')
  expect(audit.entries[0]).toMatchObject({ actor: 'ann', after: { name: 'Audited', widget_id: body.widget_id } })
  expect(JSON.stringify(audit)).not.toContain(body.identity_secret)
})

describe('another replica', () => {
  it('knows tokens and keys of the first, and what became of them', async () => {
    const clock = createManualClock(Date.now())
    const other = await createApp(testConfig({ API_KEY }), test.db, test.app.log, clock)
    try {
      const { key, widget_id } = await makeWidget(test)
      const { token } = await openPage(test, { key })
      const there = (path: string) => ask(other, 'GET', path, { headers: { authorization: `Bearer ${token}` } })
      await expect.poll(async () => (await there('state')).status).toBe(200)

      clock.advance(7 * 86_400_000 - 60_000)
      expect((await there('state')).status).toBe(200)
      clock.advance(120_000)
      expect(await there('state')).toMatchObject({ status: 401, body: { detail: expect.stringContaining('expired') } })

      await test.call('DELETE', `${WIDGETS}/${widget_id}`)
      await expect.poll(async () => (await ask(other, 'GET', `settings?key=${key}`)).status).toBe(404)
    } finally {
      await other.close()
    }
  })

  it('makes a token anew for thirty days in all', async () => {
    const clock = createManualClock(Date.now())
    const { key } = await makeWidget(test)
    const later = await createApp(testConfig({ API_KEY }), test.db, test.app.log, clock)
    try {
      let { token } = await openPage({ app: later }, { key })
      const goesOn = []
      for (let week = 0; week < 6; week++) {
        clock.advance(6 * 86_400_000)
        const { begun } = await openPage({ app: later }, { key, token })
        goesOn.push(begun.body.goes_on)
        token = begun.body.token
      }
      expect(goesOn).toEqual([true, true, true, true, false, true])
    } finally {
      await later.close()
    }
  })
})
