import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeNamedKeys } from '../support/named-keys.ts'
import { logInAs } from '../support/people.ts'
import { type StubServer, startStubServer } from '../support/stub-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { createWatchPair, type WatchPair } from '../support/watch-app.ts'

const ALERTS = '/api/v1/observability/alerts'
const MINUTE = 60_000

describe('an alert', () => {
  let pair: WatchPair
  let hook: StubServer
  let told: string[]
  beforeAll(async () => {
    told = []
    hook = await startStubServer(({ body }) => {
      const { event, alert } = JSON.parse(body.toString())
      told.push(`${event} ${alert.fingerprint}`)
      return { body: '' }
    })
    pair = await createWatchPair({ environment: { ALERT_WEBHOOK_URL: hook.origin, ALERT_FREE_DISK_PERCENT: '0' } })
  })
  afterAll(async () => {
    await pair.close()
    await hook.close()
  })
  beforeEach(() => {
    told.length = 0
  })

  let serial = 0
  const freshName = () => `trouble-${++serial}`
  const raise = (fingerprint: string, replica = pair.one): void =>
    replica.watch.alerts.raise({ fingerprint, level: 'warn', source: fingerprint, message: 'Trouble', details: {} })
  const list = async (source: string, query = '', replica = pair.two) =>
    (await replica.call('GET', `${ALERTS}?source=${source}${query}`)).body
  async function raised(fingerprint = freshName()): Promise<{ id: string; name: string }> {
    raise(fingerprint)
    const [alert] = await list(fingerprint, '', pair.one)
    return { id: alert.alert_id, name: fingerprint }
  }
  const post = (path: string, body?: object, replica = pair.one) => replica.call('POST', `${ALERTS}/${path}`, body)
  const at = (afterMs: number) => new Date(pair.clock.now() + afterMs).toISOString()
  const hears = (name: string) =>
    expect.poll(() => told.filter((line) => line.endsWith(name))).toEqual([`raised ${name}`])
  /** What was told comes at once or not at all: each replica has been through everything that waits. */
  const hearsNothing = async (name: string) => {
    for (const each of [pair.one, pair.two]) await each.watch.alerts.flush()
    raise('marker')
    await expect.poll(() => told.at(-1)).toBe('raised marker')
    pair.one.watch.alerts.resolve('marker')
    await expect.poll(() => told.at(-1)).toBe('resolved marker')
    expect(told.filter((line) => line.endsWith(name))).toEqual([])
  }

  it('is looked after by somebody, until it comes anew', async () => {
    const { id, name } = await raised()
    expect(await list(name)).toMatchObject([{ state: 'firing', acknowledged: null, silenced: null }])
    const answer = await post(`${id}/acknowledge`, { note: 'I call them', agent_id: 'li.na' }, pair.two)
    const acknowledged = { at: at(0), by: 'li.na', note: 'I call them' }
    expect(answer).toMatchObject({ status: 200, body: { alert_id: id, state: 'acknowledged', acknowledged } })
    expect(await list(name, '', pair.one)).toMatchObject([{ state: 'acknowledged', acknowledged, count: 1 }])
    expect(await list(name, '&state=acknowledged')).toHaveLength(1)
    expect(await list(name, '&state=firing')).toEqual([])
    pair.clock.advance(MINUTE)
    expect((await post(`${id}/acknowledge`)).body.acknowledged).toEqual({ at: at(0), by: null, note: null })
    pair.one.watch.alerts.resolve(name)
    await raised(name)
    expect(await list(name)).toMatchObject([{ state: 'firing', acknowledged: null }, { state: 'resolved' }])
  })

  it('is silenced on every replica, also when it goes and comes again, and is heard when the time is over', async () => {
    const { id, name } = await raised()
    await hears(name)
    told.length = 0
    const silenced = { at: at(0), by: null, note: 'Known', until: at(30 * MINUTE) }
    const answer = await post(`${id}/silence`, { minutes: 30, note: 'Known' })
    expect(answer).toMatchObject({ status: 200, body: { state: 'silenced', silenced } })
    expect(await list(name)).toEqual([])
    expect(await list(name, '&state=silenced')).toMatchObject([{ alert_id: id, silenced }])
    pair.two.watch.alerts.resolve(name)
    await pair.two.watch.alerts.flush()
    expect(await list(name)).toMatchObject([{ state: 'resolved' }])
    raise(name, pair.two)
    await pair.two.watch.alerts.flush()
    expect(await list(name, '&state=silenced')).toMatchObject([{ count: 1, resolved_at: null }])
    await hearsNothing(name)
    told.length = 0
    pair.clock.advance(30 * MINUTE)
    expect(await list(name, '&state=firing')).toMatchObject([{ state: 'firing', silenced: null }])
    await Promise.all([pair.one.watching.evaluate(), pair.two.watching.evaluate()])
    await hears(name)
  })

  it('that is over when the time is over is not told', async () => {
    const { id, name } = await raised()
    await hears(name)
    told.length = 0
    await post(`${id}/silence`, { until: at(MINUTE) })
    pair.one.watch.alerts.resolve(name)
    pair.clock.advance(2 * MINUTE)
    await pair.one.watching.evaluate()
    await hearsNothing(name)
  })

  it('is heard again at once when the silence is taken back', async () => {
    const { id, name } = await raised()
    await hears(name)
    told.length = 0
    await post(`${id}/silence`, { minutes: 43_200 })
    const answer = await pair.two.call('DELETE', `${ALERTS}/${id}/silence`)
    expect(answer).toMatchObject({ status: 200, body: { state: 'firing', silenced: null } })
    await hears(name)
    expect(await list(name)).toHaveLength(1)
    expect(await pair.one.call('DELETE', `${ALERTS}/${id}/silence`)).toMatchObject({
      status: 404,
      body: { detail: 'The alert is not silenced' },
    })
  })

  it('is silenced by two people at once: the last word stands', async () => {
    const { id, name } = await raised()
    const answers = await Promise.all([
      post(`${id}/silence`, { minutes: 5, agent_id: 'a' }, pair.one),
      post(`${id}/silence`, { minutes: 10, agent_id: 'b' }, pair.two),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [{ silenced }] = await list(name, '&state=silenced')
    expect([silenced.by, silenced.until]).toEqual(silenced.by === 'a' ? ['a', at(5 * MINUTE)] : ['b', at(10 * MINUTE)])
  })

  it('that is over is neither silenced nor looked after', async () => {
    const { id, name } = await raised()
    pair.one.watch.alerts.resolve(name)
    await pair.one.watch.alerts.flush()
    for (const [path, body] of [
      ['silence', { minutes: 5 }],
      ['acknowledge', {}],
    ] as const) {
      expect(await post(`${id}/${path}`, body)).toMatchObject({ status: 409, body: { detail: 'The alert is over' } })
    }
    const { rows } = await sql`select from alert_silences where fingerprint = ${name}`.execute(pair.db.executor)
    expect(rows).toHaveLength(0)
  })

  it.each([
    ['silence', {}, /^minutes: give either minutes or until/],
    ['silence', { minutes: 5, until: '2026-01-02' }, /^minutes: give either/],
    ['silence', { minutes: 0 }, /^minutes: /],
    ['silence', { minutes: 43_201 }, /^minutes: /],
    ['silence', { until: '2020-01-01' }, /^until: must be a time within the next 30 days/],
    ['silence', { until: '2999-01-01' }, /^until: /],
    ['silence', { until: 'soon' }, /^until: /],
    ['silence', { minutes: 5, note: 'x'.repeat(1_001) }, /^note: /],
    ['acknowledge', { note: 5 }, /^note: /],
    ['acknowledge', { agent_id: '' }, /^agent_id: /],
  ])('refuses %s with %j, and nothing changes', async (path, body, detail) => {
    const { id, name } = await raised()
    const answer = await post(`${id}/${path}`, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatch(detail)
    expect(await list(name)).toMatchObject([{ state: 'firing' }])
  })

  it('that is not there is not found', async () => {
    const unknown = { status: 404, body: { detail: 'No alert has the alert_id nothing' } }
    expect(await post('nothing/acknowledge')).toMatchObject(unknown)
    expect(await post('nothing/silence', { minutes: 1 })).toMatchObject(unknown)
    expect(await pair.one.call('DELETE', `${ALERTS}/nothing/silence`)).toMatchObject(unknown)
    expect((await pair.one.call('GET', `${ALERTS}?state=odd`)).status).toBe(400)
  })
})

describe('the handling of alerts', () => {
  let test: TestApp
  let keys: ReturnType<typeof writeNamedKeys>
  beforeAll(async () => {
    keys = writeNamedKeys(['agent'], ['admin'])
    test = await createTestApp({ API_KEY: 'key', API_KEYS_FILE: keys.path })
    await sql`insert into alerts (alert_id, level, source, message, details, fingerprint, created_at, last_seen_at)
      values ('alert-1', 'warn', 'disk', 'Trouble', '{}', 'disk', now(), now())`.execute(test.db.executor)
  })
  afterAll(async () => {
    await test.close()
    keys.remove()
  })

  const ask = async (method: 'POST' | 'DELETE', path: string, headers: Record<string, string>, payload?: object) => {
    const url = `${ALERTS}/alert-1/${path}`
    const response = await test.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    return { status: response.statusCode, body: response.json() }
  }

  it('needs the key, and the scope', async () => {
    for (const [method, path, body] of [
      ['POST', 'acknowledge', {}],
      ['POST', 'silence', { minutes: 5 }],
      ['DELETE', 'silence', undefined],
    ] as const) {
      expect((await ask(method, path, {}, body)).status).toBe(401)
      expect((await ask(method, path, keys.headersOf('agent'), body)).status).toBe(403)
      expect((await ask(method, path, keys.headersOf('admin'), body)).status).toBe(200)
    }
  })

  it('is by the person who is logged in, whatever the request says, and stands in the audit log', async () => {
    const browser = await logInAs(test, 'boss', 'admin')
    const silence = { minutes: 5, agent_id: 'somebody', note: 'Known' }
    const { body } = await browser.call('POST', `${ALERTS}/alert-1/silence`, silence)
    expect(body.silenced).toMatchObject({ by: 'boss', note: 'Known' })
    const { rows } = await sql<{ subject: string; after: object }>`select subject, after from audit_log
      where actor = 'boss' and action like '%/silence'`.execute(test.db.executor)
    expect(rows).toMatchObject([{ subject: 'alert:disk', after: { silenced: { by: 'boss' } } }])
  })

  it('shows strangers that somebody did something, and not who', async () => {
    const browser = await logInAs(test, 'chief', 'admin')
    await browser.call('DELETE', `${ALERTS}/alert-1/silence`)
    await browser.call('POST', `${ALERTS}/alert-1/acknowledge`, { note: 'secret' })
    const response = await test.app.inject({ method: 'GET', url: ALERTS })
    expect(response.json()[0].acknowledged).toMatchObject({ by: '', note: '' })
    expect(response.body).not.toMatch(/secret|chief/)
  })
})
