import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { span, trace } from '../support/traces.ts'
import { createWatchApp, secondDatabase, type WatchApp } from '../support/watch-app.ts'

const API_KEY = 'a secret of 24 characters'
const KEY = { 'x-api-key': API_KEY }
/** Words that only people or other systems say. */
const WORDS = /lovelace|whisper|session-of-ada|hush/i

let database: TestDatabase
let clock: ManualClock
let one: WatchApp
let two: WatchApp
let keyless: WatchApp
beforeAll(async () => {
  database = await createTestDatabase()
  clock = createManualClock()
  const environment = { API_KEY }
  one = await createWatchApp(database.db, { clock, environment })
  two = await createWatchApp(await secondDatabase(database), { clock, environment })
  keyless = await createWatchApp(database.db, { clock })
  await happen()
})
afterAll(async () => {
  for (const each of [one, two, keyless]) await each.close()
  await database.close()
})

const get = async (path: string, headers: Record<string, string> = {}, replica = one) =>
  (await replica.call('GET', `/api/v1${path}`, undefined, headers)).body

/** A turn, a lost message and a broken dependency, each with words in every place that has room for some. */
async function happen(): Promise<void> {
  const at = new Date(clock.now())
  await sql`insert into chat_sessions (session_id, user_id, channel, turn_count, updated_at)
    values ('session-of-ada', 'lovelace', 'web', 2, ${at}), ('nobody', '', 'web', 1, ${at})`.execute(
    database.db.executor,
  )
  const outer = span({ agent: 'router', input: 'whisper', output: 'whisper', startedAt: clock.now() })
  const tool = span({ type: 'tool', name: 'please whisper', status: 'error', error: 'whisper', parentId: outer.spanId })
  const spans = [outer, { ...tool, startedAt: clock.now() }]
  const answered = { taskId: 't-1', question: 'whisper?', agent: 'knowledge', intent: 'faq', status: 'done' }
  const subTasks = [
    { ...answered, answer: 'whisper', sources: [{ source: 'whisper.md', score: 0.5 }], other: ['hush'] },
  ]
  const ended = { status: 'error', error: 'whisper', startedAt: clock.now() } as const
  one.watching.traces.record(trace({ traceId: 'trace-1', sessionId: 'session-of-ada', ...ended, spans, subTasks }))
  one.watch.alerts.deliveryLost({ ...LOST, sessionId: 'session-of-ada' })
  for (let i = 0; i < 5; i++) {
    const call = one.watch.breakers
      .get('business')
      .run(() => Promise.reject(Object.assign(new Error('x'), { code: 'hush' })))
    await call.catch(() => {})
  }
  one.watch.alerts.raise({
    fingerprint: 'x',
    level: 'warn',
    source: 'test',
    message: 'Something',
    details: { said: 'whisper', count: 3 },
  })
}
const LOST = { channel: 'wechat', attempts: 3, code: 'hush', isPlatformsFault: true }

const OPEN = [
  '/monitor/sessions',
  '/monitor/traces',
  '/monitor/traces/trace-1',
  '/monitor/overview',
  '/monitor/agents',
  '/observability/alerts',
  '/observability/circuit-breakers',
  '/observability/health',
  '/observability/token-usage',
  '/performance/metrics',
  '/performance/cache/stats',
  '/operations/dashboard',
  '/operations/release-checklist',
]

describe('where a key is set and not sent', () => {
  it.each(OPEN)('%s says the same fields, and no word of anybody', async (path) => {
    const [open, keyed] = [await get(path), await get(path, KEY)]
    expect(JSON.stringify(open)).not.toMatch(WORDS)
    expect(shapeOf(open)).toEqual(shapeOf(keyed))
  })

  it('the metrics for Prometheus name nobody', async () => {
    expect((await one.call('GET', '/metrics')).body).not.toMatch(WORDS)
  })

  it('the turns of a session are for who may know its id', async () => {
    const path = '/api/v1/monitor/traces?session_id=session-of-ada'
    expect((await one.call('GET', path)).status).toBe(401)
    expect((await one.call('GET', path, undefined, KEY)).body).toMatchObject([{ trace_id: 'trace-1' }])
  })

  it('ids are pseudonyms: the same in every list and on every replica, and not the same for a session and a user', async () => {
    const sessions = await get('/monitor/sessions')
    const ada = sessions.find(({ user_id }: { user_id: string }) => user_id !== '')
    expect(ada.session_id).toMatch(/^anonymous-session-[\w-]{22}$/)
    expect(ada.user_id).toMatch(/^anonymous-user-[\w-]{22}$/)
    expect(await get('/monitor/sessions', {}, two)).toEqual(sessions)
    expect((await get('/monitor/traces'))[0].session_id).toBe(ada.session_id)
    expect((await get('/monitor/traces/trace-1', {}, two)).session_id).toBe(ada.session_id)
    const lost = (await get('/observability/alerts')).find(({ source }: { source: string }) => source === 'delivery')
    expect(lost.details).toEqual({ channel: 'wechat', session_id: ada.session_id, attempts: 3, error: '' })
    expect(new Set(sessions.map(({ session_id }: { session_id: string }) => session_id)).size).toBe(2)
  })

  it('steps and sub-tasks keep what the service itself says of them', async () => {
    const shown = await get('/monitor/traces/trace-1')
    expect(shown).toMatchObject({ status: 'error', error: '' })
    expect(shown.steps).toMatchObject([
      { agent: 'router', name: 'knowledge', input: '', output: '', error: null },
      { type: 'tool', name: '', status: 'error', input: '', output: '', error: '' },
    ])
    const named = { task_id: 't-1', agent: 'knowledge', intent: 'faq', status: 'done' }
    expect(shown.sub_tasks).toEqual([
      { ...named, question: '', answer: '', sources: [{ source: '', score: 0.5 }], other: [''] },
    ])
  })

  it('a reset breaker does not say what its calls were answered', async () => {
    const reset = '/api/v1/observability/circuit-breakers/business/reset'
    expect((await one.call('POST', reset)).body).toMatchObject({ state: 'CLOSED', last_error: '' })
    expect((await one.call('POST', reset, undefined, KEY)).body).toMatchObject({ last_error: 'hush' })
  })
})

describe('with the key, or where none is set', () => {
  it.each([
    ['with it', KEY, () => one],
    ['with none set', {}, () => keyless],
  ])('%s everything is shown', async (_, headers, replica) => {
    const sessions = await get('/monitor/sessions', headers, replica())
    expect(sessions[0]).toMatchObject({ session_id: 'nobody', user_id: '' })
    expect(sessions[1]).toMatchObject({ session_id: 'session-of-ada', user_id: 'lovelace' })
    const shown = await get('/monitor/traces/trace-1', headers, replica())
    expect(shown).toMatchObject({ session_id: 'session-of-ada', error: 'whisper', steps: [{ input: 'whisper' }, {}] })
    const alerts = await get('/observability/alerts', headers, replica())
    expect(JSON.stringify(alerts)).toContain('"said":"whisper"')
  })
})

/** Names of fields and types of values; whether something is null is no text. */
function shapeOf(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => shapeOf(each))
  if (value === null || typeof value !== 'object') return /_ms$|collected_at/.test(field) ? 'any' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each, key)]))
}
