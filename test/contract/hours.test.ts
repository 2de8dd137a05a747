import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createManualClock, type ManualClock } from '../support/manual-clock.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'

const HOURS = '/api/v1/settings/hours'
const DAY = [{ from: '09:00', to: '18:00' }]
const OFFICE = { timezone: 'Asia/Shanghai', weekly: { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY } }
const NEVER = { timezone: 'UTC', weekly: {} }
const ALWAYS = [{ from: '00:00', to: '24:00' }]
const EVER = {
  timezone: 'UTC',
  weekly: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ALWAYS])),
}

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ HANDOFF_TIMEOUT_SECONDS: '1' })
})
afterAll(() => test.close())

const put = (body: object) => test.call('PUT', HOURS, body)
const now = async () => (await test.call('GET', '/api/v1/agent/hours')).body
const say = (session_id: string, message: string) => test.call('POST', '/api/v1/chat', { session_id, message })

describe('working hours', () => {
  it('are none until somebody sets them', async () => {
    expect((await test.call('GET', HOURS)).body).toEqual({
      configured: false,
      hours: null,
      updated_by: null,
      updated_at: null,
    })
    expect(await now()).toEqual({
      configured: false,
      open_now: true,
      next_open: null,
      next_close: null,
      messages: null,
    })
    expect((await say('before', 'I want to talk to a person')).body.reply).toContain('I have called a colleague')
  })

  it('are set, shown, and removed', async () => {
    const holidays = [{ date: '2026-10-01', intervals: [] }]
    expect((await put({ ...OFFICE, holidays, messages: { en: 'Back {back}' } })).body).toMatchObject({
      configured: true,
      hours: { ...OFFICE, holidays, messages: { en: 'Back {back}', zh: '' } },
      updated_at: expect.stringMatching(/Z$/),
    })
    const state = await now()
    expect(state.configured).toBe(true)
    expect(state.open_now ? state.next_close : state.next_open).toMatch(/Z$/)
    expect((await test.call('DELETE', HOURS)).body).toMatchObject({ configured: false })
  })

  it.each([
    [{ ...OFFICE, timezone: 'Mars/Olympus' }, /^timezone: must be a name/],
    [{ weekly: {} }, /^timezone: is required/],
    [{ timezone: 'UTC' }, /^weekly: is required/],
    [
      { timezone: 'UTC', weekly: { mon: [{ from: '18:00', to: '09:00' }] } },
      'weekly.mon[0].to: must be later than from',
    ],
    [{ timezone: 'UTC', weekly: { mon: [...DAY, { from: '17:00', to: '20:00' }] } }, /^weekly.mon\[1\].from: must not/],
    [{ timezone: 'UTC', weekly: { mon: [{ from: '9', to: '18:00' }] } }, /^weekly/],
    [{ timezone: 'UTC', weekly: { someday: DAY } }, /^weekly/],
    [{ ...OFFICE, holidays: [{ date: '2026-02-30' }] }, 'holidays[0].date: must be a date'],
    [{ ...OFFICE, holidays: [{ date: '2026-01-01' }, { date: '2026-01-01' }] }, 'holidays: names 2026-01-01 twice'],
  ])('refuse %j', async (body, detail) => {
    const answer = await put(body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail))
    expect((await test.call('GET', HOURS)).body.configured).toBe(false)
  })
})

describe('outside them', () => {
  it('a customer is told so, and waits', async () => {
    await put({ ...NEVER, messages: { zh: '我们{back}回来', en: '' } })
    const { body } = await say('late', 'I want to talk to a person')
    expect(body.reply).toContain('We are outside working hours: people are back later')
    expect(body.data.escalate_to_human).toBe(true)
    expect((await say('late-zh', '转人工')).body.reply).toContain('我们回来')
    expect((await say('late', 'Is somebody there? I want a person')).body.reply).toContain('outside working hours')
    const { body: detail } = await test.call('GET', '/api/v1/agent/sessions/late')
    expect(detail).toMatchObject({ agent_status: 'pending' })
    expect(detail.history.find(({ role }: { role: string }) => role === 'system').content).toContain(
      'outside working hours',
    )
  })

  it('a call does not go back to the assistant; that counts within the hours alone', async () => {
    await sql`update chat_sessions set escalated_at = now() - interval '12 hours' where session_id = 'late'`.execute(
      test.db.executor,
    )
    await new Promise((resolve) => setTimeout(resolve, 800))
    expect((await test.call('GET', '/api/v1/agent/sessions/late')).body.agent_status).toBe('pending')
    await put(EVER)
    expect((await now()).open_now).toBe(true)
    await vi.waitFor(
      async () => expect((await test.call('GET', '/api/v1/agent/sessions/late')).body.agent_status).toBe('none'),
      { timeout: 10_000, interval: 100 },
    )
  })
})

describe('by the clock', () => {
  let clock: ManualClock
  let app: Awaited<ReturnType<typeof createApp>>
  beforeAll(async () => {
    clock = createManualClock()
    app = await createApp(testConfig(), test.db, test.app.log, clock)
    await app.inject({ method: 'PUT', url: HOURS, payload: { timezone: 'UTC', weekly: { mon: DAY } } })
  })
  afterAll(() => app.close())

  it('open and close', async () => {
    const state = async () => (await app.inject('/api/v1/agent/hours')).json()
    for (let hours = 0, seen = new Set<boolean>(); seen.size < 2; hours++) {
      expect(hours).toBeLessThan(200)
      const { open_now, next_open, next_close, messages } = await state()
      seen.add(open_now)
      expect(open_now ? next_close : next_open).toMatch(open_now ? /T18:00:00/ : /T09:00:00/)
      expect(messages === null).toBe(open_now)
      clock.advance(3_600_000)
    }
  })
})

/** An embedded database belongs to one process. */
describe.runIf(process.env.TEST_DATABASE_URL)('on two replicas', () => {
  it('a change counts on both', async () => {
    const second = await createApp(testConfig(), await test.database.reopen(), test.app.log)
    await put(NEVER)
    await expect.poll(async () => (await second.inject('/api/v1/agent/hours')).json().open_now).toBe(false)
    await second.close()
  })
})
