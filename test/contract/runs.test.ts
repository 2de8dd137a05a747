import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { openEventStream } from '../support/event-stream.ts'
import { writeNamedKeys } from '../support/named-keys.ts'
import { logInAs } from '../support/people.ts'
import { createTestApp, encodeForm, type TestApp, testConfig } from '../support/test-app.ts'
import { FACT_CASES, FACTS_DOCUMENT, lines } from './support/facts.ts'

const RUNS = '/api/v1/evaluation/runs'
const KINDS = [RUNS, '/api/v1/tuner/runs', '/api/v1/mining/runs']
const PATIENCE = { timeout: 30_000, interval: 20 }

/** Takes long enough to look at while it runs. */
const LONG = Array.from({ length: 12 }, () => FACT_CASES).flat()

async function withTestsets(test: TestApp): Promise<TestApp> {
  await test.upload(FACTS_DOCUMENT.content, FACTS_DOCUMENT.name)
  for (const [name, cases] of [
    ['long', LONG],
    ['short', FACT_CASES.slice(0, 24)],
  ] as const) {
    const { body, contentType } = encodeForm(lines(cases), `${name}.jsonl`, {})
    await test.call('POST', '/api/v1/evaluation/testsets', body, { 'content-type': contentType })
  }
  return test
}

/** The request that stores all facts as a test set. */
function facts(): [Uint8Array, Record<string, string>] {
  const { body, contentType } = encodeForm(lines(FACT_CASES), 'facts.jsonl', {})
  return [body, { 'content-type': contentType }]
}

describe('a run', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await withTestsets(await createTestApp())
  })
  afterAll(() => test.close())
  afterEach(async () => {
    for (const path of KINDS) await expect.poll(async () => (await latest(path))?.state, PATIENCE).not.toBe('running')
  })

  const get = async (path: string) => (await test.call('GET', path)).body
  const latest = async (path = RUNS) => (await get(`${path}?limit=1`)).runs[0]
  const start = (body: object = { testset: 'long' }, path = RUNS) => test.call('POST', path, body)
  const isOver = (id: string, path = RUNS) =>
    expect.poll(async () => (await get(`${path}/${id}`)).state, PATIENCE).not.toBe('running')

  it('is started, shows how far it is, and leaves a report', async () => {
    const begun = await start({ testset: 'short' })
    expect(begun).toMatchObject({
      status: 202,
      body: { state: 'running', subject: 'short', result: null, error: null, started_by: null, finished_at: null },
    })
    const { run_id: id } = begun.body
    await isOver(id)
    const run = await get(`${RUNS}/${id}`)
    expect(run).toMatchObject({
      state: 'finished',
      stage: 'asking',
      progress: { done: 24, total: 24 },
      eta_seconds: null,
      finished_at: expect.stringMatching(/Z$/),
      result: expect.stringMatching(/^\/api\/v1\/evaluation\/reports\/eval_/),
    })
    expect(await get(run.result)).toMatchObject({ testset: 'short', total_queries: 24 })
    expect(await latest()).toEqual(run)
  })

  it('is one at a time, also beside those that are answered at once, which are listed too', async () => {
    const { body: run } = await start()
    const busy = { status: 409, body: { detail: 'The evaluation is running already' } }
    expect(await start()).toMatchObject(busy)
    expect(await test.call('POST', '/api/v1/evaluation/run', { testset: 'short' })).toMatchObject(busy)
    await expect.poll(async () => (await get(`${RUNS}/${run.run_id}`)).progress.done, PATIENCE).toBeGreaterThan(0)
    const under = await get(`${RUNS}/${run.run_id}`)
    expect(under).toMatchObject({ state: 'running', stage: 'asking', progress: { total: LONG.length } })
    expect(under.eta_seconds).toBeGreaterThanOrEqual(0)
    expect((await test.call('DELETE', `${RUNS}/${run.run_id}`)).status).toBe(202)
    await isOver(run.run_id)
    const { body } = await test.call('POST', '/api/v1/evaluation/run', { testset: 'short' })
    expect(await latest()).toMatchObject({ state: 'finished', result: `/api/v1/evaluation/reports/${body.report_id}` })
  })

  it('is cancelled once, leaves no report, and the next one may begin', async () => {
    const before = (await get('/api/v1/evaluation/reports?limit=1'))[0]?.report_id
    const { run_id: id } = (await start()).body
    const cancelled = await test.call('DELETE', `${RUNS}/${id}`)
    expect(cancelled).toMatchObject({ status: 202, body: { run_id: id, cancelled_at: expect.any(String) } })
    await isOver(id)
    expect(await get(`${RUNS}/${id}`)).toMatchObject({ state: 'cancelled', result: null, error: null })
    expect(await test.call('DELETE', `${RUNS}/${id}`)).toMatchObject({
      status: 409,
      body: { detail: 'The run is over' },
    })
    expect((await get('/api/v1/evaluation/reports?limit=1'))[0]?.report_id).toBe(before)
    const next = await start({ testset: 'short' })
    expect(next.status).toBe(202)
    await isOver(next.body.run_id)
  })

  it('that is cancelled tells who waits for its answer', async () => {
    const waiting = test.call('POST', '/api/v1/evaluation/run', { testset: 'long' })
    await expect.poll(async () => (await latest())?.state, PATIENCE).toBe('running')
    await test.call('DELETE', `${RUNS}/${(await latest()).run_id}`)
    expect(await waiting).toMatchObject({ status: 409, body: { detail: 'The evaluation was cancelled' } })
  })

  it('is followed to its end', async () => {
    const { run_id: id } = (await start()).body
    const stream = await openEventStream(test.app, `${RUNS}/${id}/events`)
    const first = await stream.waitFor(({ event }) => event === 'progress')
    expect(first.data).toMatchObject({ run_id: id, state: 'running' })
    await stream.waitFor(({ event, data }) => event === 'progress' && data.progress.done > 0)
    await test.call('DELETE', `${RUNS}/${id}`)
    const last = await stream.waitFor(({ event }) => event === 'cancelled')
    expect(last.data).toMatchObject({ run_id: id, state: 'cancelled' })
    await stream.close()
    const again = await openEventStream(test.app, `${RUNS}/${id}/events`)
    await again.waitFor(({ event }) => event === 'cancelled')
    expect(again.inbox.all).toHaveLength(1)
    await again.close()
  })

  it('whose process was killed is interrupted, and not for ever under way', async () => {
    await sql`insert into job_runs (run_id, job, subject, state) values ('run_dead', 'evaluation', 'long', 'running')`.execute(
      test.db.executor,
    )
    expect(await get(`${RUNS}/run_dead`)).toMatchObject({ state: 'interrupted' })
    expect(await latest()).toMatchObject({ run_id: 'run_dead', state: 'interrupted' })
    const { run_id: id } = (await start({ testset: 'short' })).body
    await isOver(id)
    expect(await get(`${RUNS}/run_dead`)).toMatchObject({ state: 'interrupted', finished_at: expect.any(String) })
    expect((await test.call('DELETE', `${RUNS}/run_dead`)).status).toBe(409)
  })

  it.skipIf(process.env.TEST_DATABASE_URL)(
    'that a kill took from an embedded database keeps nobody from the next',
    async () => {
      await sql`insert into job_runs (run_id, job, subject, state) values ('run_killed', 'evaluation', 'long', 'running')`.execute(
        test.db.executor,
      )
      // Its lease is as fresh as that of one that runs.
      await sql`insert into exclusive_jobs (job, owner, subject, expires_at)
      values ('evaluation', 'run_killed', 'long', now() + interval '15 seconds')`.execute(test.db.executor)
      expect(await get(`${RUNS}/run_killed`)).toMatchObject({ state: 'interrupted' })
      const next = await start({ testset: 'short' })
      expect(next.status).toBe(202)
      await isOver(next.body.run_id)
      expect(await get(`${RUNS}/run_killed`)).toMatchObject({ state: 'interrupted', finished_at: expect.any(String) })
    },
  )

  it('is listed newest first, page by page', async () => {
    const { runs: all } = await get(RUNS)
    const [first, second] = all
    expect(await get(`${RUNS}?limit=1&before=${first.run_id}`)).toEqual({ runs: [second] })
    expect((await test.call('GET', `${RUNS}?before=nothing`)).status).toBe(404)
    expect((await test.call('GET', `${RUNS}?limit=0`)).status).toBe(422)
  })

  it('of a search for parameters and of mining is the same', async () => {
    const [, tuner = '', mining = ''] = KINDS
    const search = await start({ testset: 'short', budget: 10 }, tuner)
    expect(search).toMatchObject({ status: 202, body: { state: 'running', subject: 'short' } })
    expect((await start({ testset: 'short', budget: 10 }, tuner)).status).toBe(409)
    await isOver(search.body.run_id, tuner)
    const found = await get(`${tuner}/${search.body.run_id}`)
    expect(found).toMatchObject({ state: 'finished', stage: 'proving', progress: { done: 12, total: 12 } })
    expect(await get(found.result)).toMatchObject({ testset: 'short', train_cases: expect.any(Number) })
    const long = await start({ testset: 'long', budget: 500 }, tuner)
    expect((await test.call('DELETE', `${tuner}/${long.body.run_id}`)).status).toBe(202)
    await isOver(long.body.run_id, tuner)
    expect((await get(`${tuner}/${long.body.run_id}`)).state).toBe('cancelled')

    const tickets = readFileSync(new URL('../../sample/tickets.csv', import.meta.url), 'utf8')
    const { body, contentType } = encodeForm(tickets, 'tickets.csv', {})
    await test.call('POST', '/api/v1/mining/tickets/import', body, { 'content-type': contentType })
    const mined = await start({}, mining)
    expect(mined).toMatchObject({ status: 202, body: { subject: 'tickets' } })
    await isOver(mined.body.run_id, mining)
    const run = await get(`${mining}/${mined.body.run_id}`)
    expect(run).toMatchObject({ state: 'finished', stage: 'proposing', progress: { done: 100, total: 100 } })
    expect(await get(run.result)).toMatchObject({ total_tickets: 150 })
  })

  it('tries the variants of an experiment, once each, and leaves there what was right', async () => {
    const EXPERIMENTS = '/api/v1/operations/experiments'
    const shy = { shy: { direct_answer_threshold: 1, clarify_threshold: 1 } }
    const halves = { variants: ['usual', 'shy'], traffic_split: { usual: 0.5, shy: 0.5 } }
    const made = { name: 'shy/er', ...halves, variant_params: shy, metric: 'evaluation' }
    expect((await test.call('POST', EXPERIMENTS, made)).status).toBe(201)
    await test.call('POST', '/api/v1/evaluation/testsets', ...facts())
    for (let i = 0; i < 2; i++) {
      const { body } = await start({ testset: 'facts', experiment: 'shy/er' })
      await isOver(body.run_id)
      const run = await get(`${RUNS}/${body.run_id}`)
      expect(run).toMatchObject({ state: 'finished', progress: { done: 80, total: 80 } })
      expect(run.result).toBe(`${EXPERIMENTS}/shy%2Fer/results`)
      const { variants, judgement } = await get(run.result)
      expect(variants).toMatchObject({
        usual: { metrics: { evaluation: { mean: 1, count: 40 } } },
        shy: { metrics: { evaluation: { mean: 0, count: 40 } } },
      })
      expect(judgement.comparisons).toMatchObject([{ verdict: 'worse', difference: -1 }])
    }
    await test.call('POST', `${EXPERIMENTS}/shy%2Fer/end`)
    expect(await start({ testset: 'facts', experiment: 'shy/er' })).toMatchObject({
      status: 409,
      body: { detail: 'The experiment has ended' },
    })
    expect((await start({ testset: 'facts', experiment: 'nobody' })).status).toBe(404)
  })

  it('that cannot be is not begun', async () => {
    const before = await get(RUNS)
    const [, tuner = '', mining = ''] = KINDS
    for (const [path, body, status] of [
      [RUNS, { testset: 'missing' }, 404],
      [RUNS, { testset_path: '/nowhere.jsonl' }, 400],
      [RUNS, { top_k: 0 }, 422],
      [tuner, { testset: 'missing' }, 404],
      [tuner, { budget: 5 }, 422],
      [mining, { start_time: 'soon' }, 422],
    ] as const) {
      expect((await start(body, path)).status, `${path} ${JSON.stringify(body)}`).toBe(status)
    }
    expect(await get(RUNS)).toEqual(before)
    for (const path of KINDS) {
      for (const suffix of ['', '/events'])
        expect((await test.call('GET', `${path}/nothing${suffix}`)).status).toBe(404)
      expect((await test.call('DELETE', `${path}/nothing`)).status).toBe(404)
    }
    expect((await test.call('GET', '/api/v1/tuner/searches/nothing')).status).toBe(404)
    expect((await test.call('GET', '/api/v1/mining/reports/nothing')).status).toBe(404)
  })

  it('is compared with another by their reports', async () => {
    const reports = await get('/api/v1/evaluation/reports?limit=2')
    const [b, a] = reports.map(({ report_id }: { report_id: string }) => report_id)
    const compared = await get(`/api/v1/evaluation/reports/${b}/compare?with=${a}`)
    expect(compared).toEqual(await get(`/api/v1/evaluation/compare?a=${a}&b=${b}`))
    expect((await test.call('GET', `/api/v1/evaluation/reports/${b}/compare?with=nothing`)).status).toBe(404)
    expect((await test.call('GET', `/api/v1/evaluation/reports/${b}/compare`)).status).toBe(422)
  })
})

describe('who may run what', () => {
  let test: TestApp
  let keys: ReturnType<typeof writeNamedKeys>
  beforeAll(async () => {
    keys = writeNamedKeys(['chat'], ['read'])
    test = await withTestsets(await createTestApp({ API_KEY: 'key', API_KEYS_FILE: keys.path }))
  })
  afterAll(async () => {
    await test.close()
    keys.remove()
  })

  it.each(KINDS)('%s asks for the key, and for its scope', async (path) => {
    const ask = async (method: 'GET' | 'POST' | 'DELETE', suffix: string, headers: Record<string, string>) => {
      const payload = method === 'POST' ? { payload: {} } : {}
      return (await test.app.inject({ method, url: `${path}${suffix}`, headers, ...payload })).statusCode
    }
    for (const [method, suffix] of [
      ['POST', ''],
      ['GET', ''],
      ['GET', '/x'],
      ['GET', '/x/events'],
      ['DELETE', '/x'],
    ] as const) {
      expect(await ask(method, suffix, {}), `${method} ${suffix}`).toBe(401)
      expect(await ask(method, suffix, keys.headersOf('chat')), `${method} ${suffix}`).toBe(403)
    }
    expect(await ask('GET', '', keys.headersOf('read'))).toBe(200)
    expect(await ask('POST', '', keys.headersOf('read'))).toBe(403)
  })

  it('says who started and who cancelled it', async () => {
    const editor = await logInAs(test, 'ed', 'editor')
    const { body } = await editor.call('POST', RUNS, { testset: 'long' })
    expect(body.started_by).toBe('ed')
    expect((await test.call('DELETE', `${RUNS}/${body.run_id}`)).body.cancelled_by).toBe('API_KEY')
    await expect
      .poll(async () => (await test.call('GET', `${RUNS}/${body.run_id}`)).body.state, PATIENCE)
      .toBe('cancelled')
  })
})

/** Two programs over one schema. An embedded database belongs to one process alone. */
describe.runIf(process.env.TEST_DATABASE_URL)('runs on two replicas', () => {
  /** Longer than it takes for the word of one replica to reach the other, a second. */
  const SEARCH = { testset: 'long', budget: 500 }
  const path = '/api/v1/tuner/runs'
  let first: TestApp
  let second: App
  beforeAll(async () => {
    first = await withTestsets(await createTestApp())
    second = await createApp(testConfig(), await first.database.reopen(), first.app.log)
  })
  afterAll(async () => {
    await second.close()
    await first.close()
  })

  it('are one at a time, seen and cancelled from either', async () => {
    const answers = await Promise.all([
      first.call('POST', path, SEARCH).then(({ status, body }) => ({ status, body })),
      second
        .inject({ method: 'POST', url: path, payload: SEARCH })
        .then((answer) => ({ status: answer.statusCode, body: answer.json() })),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409])
    const { run_id: id } = answers.find(({ status }) => status === 202)?.body ?? {}
    const onFirst = async () => (await first.call('GET', `${path}/${id}`)).body
    const onSecond = async () => (await second.inject(`${path}/${id}`)).json()
    for (const shown of [onFirst, onSecond]) {
      await expect.poll(async () => (await shown()).progress.done, PATIENCE).toBeGreaterThan(0)
    }
    // By whichever does not run it.
    const isFirst = answers[0]?.status === 202
    if (isFirst) await second.inject({ method: 'DELETE', url: `${path}/${id}` })
    else await first.call('DELETE', `${path}/${id}`)
    for (const shown of [onFirst, onSecond])
      await expect.poll(async () => (await shown()).state, PATIENCE).toBe('cancelled')
  })
})
