import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { type Browser, logInAs } from '../support/people.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const SETTINGS = '/api/v1/settings/assignment'
const TEAMS = '/api/v1/agent/teams'
const PATIENCE = { timeout: 15_000, interval: 100 }

let test: TestApp
let ann: Browser
let li: Browser
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  ann = await logInAs(test, 'ann', 'agent')
  li = await logInAs(test, 'li', 'agent')
})
afterAll(() => test.close())

let sessions = 0
async function calls(message = 'I want to talk to a person'): Promise<string> {
  sessions += 1
  const id = `call-${sessions}`
  await test.call('POST', '/api/v1/chat', { session_id: id, message, user_id: 'mei' })
  return id
}
const owner = async (id: string): Promise<string | null> =>
  (await test.call('GET', `/api/v1/agent/sessions/${id}`)).body.agent_id
const online = (who: Browser, state = 'online') => who.call('POST', '/api/v1/agent/presence', { state })
const set = (body: object) => test.call('PUT', SETTINGS, body)

describe('teams', () => {
  it('are added, changed and removed by admins, and seen by all', async () => {
    const { status, body } = await test.call('POST', TEAMS, {
      name: ' Chinese desk ',
      members: ['li', 'li'],
      languages: ['zh'],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      team_id: body.team_id,
      name: 'Chinese desk',
      members: ['li'],
      channels: [],
      languages: ['zh'],
    })
    expect((await ann.call('GET', TEAMS)).body.teams).toEqual([body])
    expect((await ann.call('POST', TEAMS, { name: 'x', members: [] })).status).toBe(403)
    expect((await test.call('POST', TEAMS, { name: 'chinese DESK', members: [] })).status).toBe(409)
    const changed = await test.call('PUT', `${TEAMS}/${body.team_id}`, {
      name: 'Chinese',
      members: ['li'],
      languages: ['zh'],
    })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Chinese' } })
    for (const wrong of [
      { name: ' ', members: [] },
      { name: 'x' },
      { name: 'x', members: [], channels: ['mail'] },
      { name: 'x', members: [], languages: ['fr'] },
    ]) {
      expect((await test.call('POST', TEAMS, wrong)).status, JSON.stringify(wrong)).toBe(422)
    }
    expect((await test.call('PUT', `${TEAMS}/nothing`, { name: 'x', members: [] })).status).toBe(404)
    expect((await test.call('DELETE', `${TEAMS}/nothing`)).status).toBe(404)
  })
})

describe('assignment', () => {
  it('is by hand until somebody says otherwise', async () => {
    expect((await test.call('GET', SETTINGS)).body).toEqual({ mode: 'manual', max_open_sessions: 5, targets: {} })
    await online(ann)
    const id = await calls()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await owner(id)).toBeNull()
    for (const wrong of [
      {},
      { mode: 'random' },
      { mode: 'by_turn', max_open_sessions: 0 },
      { mode: 'manual', targets: { urgent: 0 } },
      { mode: 'manual', targets: { soon: 1 } },
    ]) {
      expect((await set(wrong)).status, JSON.stringify(wrong)).toBe(422)
    }
    expect((await ann.call('PUT', SETTINGS, { mode: 'by_turn' })).status).toBe(403)
  })

  it('gives calls to those who are online, by turn, to the right team, and not beyond the limit', async () => {
    await online(li)
    expect((await set({ mode: 'by_turn', max_open_sessions: 2 })).body).toMatchObject({
      mode: 'by_turn',
      max_open_sessions: 2,
    })
    await vi.waitFor(async () => expect(await owner('call-1')).toMatch(/ann|li/), PATIENCE)
    const chinese = await calls('请转人工客服')
    await vi.waitFor(async () => expect(await owner(chinese)).toBe('li'), PATIENCE)
    const more = [await calls(), await calls(), await calls(), await calls()]
    const owners = async () => Promise.all(['call-1', chinese, ...more].map(owner))
    await vi.waitFor(async () => expect((await owners()).filter((name) => name !== null)).toHaveLength(4), PATIENCE)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const counts = (await owners()).filter((name) => name !== null)
    expect(counts.filter((name) => name === 'ann')).toHaveLength(2)
    expect(counts.filter((name) => name === 'li')).toHaveLength(2)
    const mine = more[(await Promise.all(more.map(owner))).indexOf('ann')] ?? 'call-1'
    await test.call('POST', `/api/v1/agent/sessions/${mine}/resolve`)
    await vi.waitFor(async () => expect((await owners()).filter((name) => name === 'ann')).toHaveLength(3), PATIENCE)
  })

  it('gives nothing to those who are away', async () => {
    await set({ mode: 'by_turn', max_open_sessions: 50 })
    for (const who of [ann, li]) await online(who, 'away')
    const id = await calls()
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(await owner(id)).toBeNull()
    await set({ mode: 'manual' })
  })
})

describe('targets', () => {
  it('mark customers who wait for longer, and raise an alert once', async () => {
    const id = await calls()
    await sql`update chat_sessions set escalated_at = now() - interval '10 minutes' where session_id = ${id}`.execute(
      test.db.executor,
    )
    const row = async () => {
      const { body } = await test.call('GET', '/api/v1/agent/sessions?status=pending')
      return body.sessions.find(({ session_id }: { session_id: string }) => session_id === id)
    }
    const { priority, overdue } = await row()
    expect(overdue).toBe(false)
    await set({ mode: 'manual', targets: { [priority]: 5 } })
    expect(await row()).toMatchObject({ overdue: true })
    const alerts = async () => {
      const { body } = await test.call('GET', '/api/v1/observability/alerts')
      return body.filter(({ message }: { message: string }) => message.includes('for longer than the target'))
    }
    await vi.waitFor(async () => expect(await alerts()).toHaveLength(1), PATIENCE)
    await set({ mode: 'manual' })
    expect(await row()).toMatchObject({ overdue: false })
  })
})

/** An embedded database belongs to one process. */
describe.runIf(process.env.TEST_DATABASE_URL)('on two replicas', () => {
  it('one of them assigns, and nobody is given more than the limit', async () => {
    const second = await createApp(testConfig({ API_KEY }), await test.database.reopen(), test.app.log)
    await sql`update chat_sessions set agent_status = 'resolved' where agent_status is not null`.execute(
      test.db.executor,
    )
    for (const who of [ann, li]) await online(who)
    await set({ mode: 'by_turn', max_open_sessions: 3 })
    const ids = await Promise.all(Array.from({ length: 12 }, () => calls()))
    await vi.waitFor(async () => expect((await Promise.all(ids.map(owner))).filter(Boolean)).toHaveLength(6), PATIENCE)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect((await Promise.all(ids.map(owner))).filter(Boolean)).toHaveLength(6)
    await second.close()
  })
})
