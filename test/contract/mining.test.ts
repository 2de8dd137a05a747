import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createLog } from '../../src/platform/log.ts'
import { createTestApp, encodeForm, type TestApp, testConfig } from '../support/test-app.ts'

const IMPORT = '/api/v1/mining/tickets/import'
const RUN = '/api/v1/mining/tickets'
const STATUS = '/api/v1/mining/status'
const PENDING = '/api/v1/escalation/solutions/pending'
const SAMPLE = readFileSync(new URL('../../sample/tickets.csv', import.meta.url), 'utf8')
const SAMPLE_TICKETS = 150

interface Item {
  cluster_id: string
  question: string
  frequency: number
  representative_solution: string
  keywords: string[]
  categories: string[]
  ticket_ids: string[]
  confidence: number
  covered: boolean
  candidate_id: string | null
}
interface Candidate {
  solution_id: string
  question: string
  origin: string
}

function importFile(test: TestApp, content: string, name: string) {
  const { body, contentType } = encodeForm(content, name, {})
  return test.call('POST', IMPORT, body, { 'content-type': contentType })
}
const importList = (test: TestApp, tickets: readonly object[]) => test.call('POST', IMPORT, { tickets })
const run = async (test: TestApp, body: object = {}) => (await test.call('POST', RUN, body)).body
const status = async (test: TestApp) => (await test.call('GET', STATUS)).body
const queue = async (test: TestApp): Promise<Candidate[]> => (await test.call('GET', PENDING)).body

/** Tickets about one thing, with a solution, created a minute apart. */
function alike(prefix: string, count: number, content: string, more: object = {}): object[] {
  return Array.from({ length: count }, (_, n) => ({
    ticket_id: `${prefix}${n}`,
    content: `Hello! ${content}\n\nKind regards,\nEmily Carter`,
    solution: `${content} Which parts may wear out depends on the model; our workshop replaces them without charge.`,
    status: 'resolved',
    created_at: `2026-03-01T10:${String(n).padStart(2, '0')}:00Z`,
    ...more,
  }))
}

/** What a customer wrote, without what makes a question of it. */
function withoutFrame(question: string): string {
  return question.replace(/(?:: what can I do|，怎么办|，可以吗)?[?？]$/, '').replace(/^(?:How do I|Can you) /, '')
}

describe('a run over the sample tickets', () => {
  let test: TestApp
  let items: Item[]
  beforeAll(async () => {
    test = await createTestApp()
    await importFile(test, SAMPLE, 'tickets.csv')
    items = (await run(test)).items
  })
  afterAll(() => test.close())

  it('reports frequent problems, the most frequent first, and stores the report', async () => {
    const { body } = await test.call('GET', STATUS)
    expect(body).toMatchObject({ total_tickets: SAMPLE_TICKETS, items, errors: [], running: null })
    expect(body.last_run).toMatchObject({ report_id: body.report_id, state: 'finished', error: null })
    const frequencies = items.map(({ frequency }) => frequency)
    expect(frequencies).toEqual(frequencies.toSorted((a, b) => b - a))
    expect(items.length).toBeGreaterThan(10)
    for (const { frequency, ticket_ids, keywords, confidence } of items) {
      expect(ticket_ids).toHaveLength(frequency)
      expect(keywords.length).toBeGreaterThan(0)
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }
    const counted = items.flatMap(({ ticket_ids }) => ticket_ids)
    expect(new Set(counted).size).toBe(counted.length)
  })

  it('shows real questions that customers asked, without greetings, signatures and personal data', () => {
    const asked = SAMPLE.toLowerCase()
    for (const { question } of items) {
      expect(question).toMatch(/[?？]$/)
      expect(asked, question).toContain(withoutFrame(question).toLowerCase())
      expect(question).not.toMatch(/^(?:hi|hello|亲|您好|你好|在吗)\b|regards|谢谢|\d{5}|@/i)
    }
    const all = items.map(({ question }) => question).join('\n')
    for (const problem of [/闪退/, /crash/i, /水壶/, /kettle/i, /map/i]) expect(all).toMatch(problem)
  })

  it('shows a solution that tickets of the cluster were closed with', () => {
    const solved = items.filter(({ representative_solution }) => representative_solution !== '')
    expect(solved.length).toBeGreaterThan(items.length / 2)
    for (const { representative_solution } of solved) expect(SAMPLE).toContain(representative_solution.slice(0, 20))
  })

  it('queues each problem that has a solution once, also when it runs again', async () => {
    const first = await queue(test)
    expect(first.map(({ solution_id }) => solution_id).toSorted()).toEqual(
      items.flatMap(({ candidate_id }) => candidate_id ?? []).toSorted(),
    )
    expect(new Set(first.map(({ origin }) => origin))).toEqual(new Set(['mining']))
    const again = await run(test)
    expect(again.ingested).toBe(first.length)
    expect(again.items.map(({ cluster_id }: Item) => cluster_id)).toEqual(items.map(({ cluster_id }) => cluster_id))
    expect((await queue(test)).map(({ solution_id }) => solution_id)).toEqual(
      first.map(({ solution_id }) => solution_id),
    )
  })

  it('proposes nothing any more that was approved, and the assistant answers it', async () => {
    const item = items.find(({ question, candidate_id }) => /crash/i.test(question) && candidate_id)
    const path = `/api/v1/escalation/solutions/${item?.candidate_id}`
    expect((await test.call('POST', `${path}/approve`)).status).toBe(200)
    const { body } = await test.call('POST', '/api/v1/chat', { message: item?.question })
    expect(body.reply).toContain(item?.representative_solution.slice(0, 30))
    const again = (await run(test)).items.find(({ cluster_id }: Item) => cluster_id === item?.cluster_id)
    expect(again).toMatchObject({ covered: true, candidate_id: item?.candidate_id })
    expect((await queue(test)).map(({ solution_id }) => solution_id)).not.toContain(item?.candidate_id)
  })

  it('keeps its report over a restart', async () => {
    const before = await status(test)
    await test.app.close()
    const db = await test.database.reopen()
    const app = await createApp(testConfig(), db, createLog('silent'))
    const after = (await app.inject({ method: 'GET', url: STATUS })).json()
    await app.close()
    expect(after).toEqual(before)
  })
})

describe('filters', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
    const day = (date: string) => ({ created_at: `${date}T12:00:00.000Z` })
    await importList(test, [
      ...alike('early', 4, 'The kettle smells of plastic.', day('2026-03-01')),
      ...alike('middle', 4, 'The projector remote does not pair.', { ...day('2026-03-02'), status: 'Open' }),
      ...alike('late', 4, 'The headphones crackle on calls.', day('2026-03-03')),
    ])
  })
  afterAll(() => test.close())

  it.each<[string, object, number]>([
    ['nothing', {}, 12],
    ['null and empty', { start_time: null, end_time: '', status: null }, 12],
    ['a beginning, which belongs to it', { start_time: '2026-03-02T12:00:00Z' }, 8],
    ['just behind the beginning', { start_time: '2026-03-02T12:00:00.001Z' }, 4],
    ['an end, which belongs to it', { end_time: '2026-03-02T12:00:00Z' }, 8],
    ['just before the end', { end_time: '2026-03-02T11:59:59.999Z' }, 4],
    ['both ends the same', { start_time: '2026-03-02T12:00:00Z', end_time: '2026-03-02T20:00:00+08:00' }, 4],
    ['days', { start_time: '2026-03-01', end_time: '2026-03-02' }, 8],
    ['a status, in any case', { status: ' OPEN ' }, 4],
    ['a status and a beginning', { status: 'resolved', start_time: '2026-03-02' }, 4],
    ['a status that no ticket has', { status: 'lost' }, 0],
  ])('by %s', async (_, filter, tickets) => {
    const report = await run(test, filter)
    expect([report.total_tickets, report.items.length]).toEqual([tickets, tickets / 4])
  })

  it.each<[object, RegExp]>([
    [{ start_time: 'yesterday' }, /^start_time: must be an ISO 8601/],
    [{ end_time: '2026-02-30' }, /^end_time: must be an ISO 8601/],
    [{ start_time: '2026-03-03', end_time: '2026-03-02' }, /^start_time: must not be after end_time$/],
    [{ start_time: 5 }, /^start_time: /],
    [{ status: 7 }, /^status: /],
  ])('refuse %j, and the last report stays', async (filter, detail) => {
    const before = await status(test)
    const answer = await test.call('POST', RUN, filter)
    expect([answer.status, answer.body]).toEqual([422, { detail: expect.stringMatching(detail) }])
    expect(await status(test)).toEqual(before)
  })
})

describe('what a run proposes', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())

  it('is nothing that the knowledge base answers already', async () => {
    await test.upload(
      '# Kettle\n\n## The kettle smells of plastic\n\nHold both buttons for ten seconds, then start it again.\n',
      'kettle.md',
    )
    await importList(test, [
      ...alike('k', 4, 'The kettle smells of plastic.', {
        solution: 'Hold both buttons for ten seconds, start it again.',
      }),
      ...alike('h', 5, 'The headphones crackle on calls.', {
        solution: 'Update the firmware and turn wind reduction on.',
      }),
    ])
    const report = await run(test)
    expect(report.items).toMatchObject([
      { frequency: 5, covered: false, candidate_id: expect.stringMatching(/\w/) },
      { frequency: 4, covered: true, candidate_id: null },
    ])
    expect(report.ingested).toBe(1)
    expect((await queue(test)).map(({ question }) => question)).toEqual([
      'The headphones crackle on calls: what can I do?',
    ])
  })

  it('stays as a reviewer edited or rejected it', async () => {
    await importList(test, alike('r', 6, 'The robot lost its map after the update.'))
    const [candidate] = (await run(test)).items
    const path = `/api/v1/escalation/solutions/${candidate.candidate_id}`
    const edited = await test.call('PUT', path, { question: 'How do I get the map of the robot back?' })
    expect(edited.status).toBe(200)
    await importList(test, alike('s', 3, 'The robot lost its map after the update.'))
    const [again] = (await run(test)).items
    expect(again).toMatchObject({ cluster_id: candidate.cluster_id, frequency: 9 })
    const shown = (await queue(test)).find(({ solution_id }) => solution_id === candidate.candidate_id)
    expect(shown).toMatchObject({ question: 'How do I get the map of the robot back?', details: { frequency: 9 } })
    await test.call('POST', `${path}/reject`, { reason: 'not for customers' })
    await run(test)
    expect((await queue(test)).map(({ solution_id }) => solution_id)).not.toContain(candidate.candidate_id)
  })

  it('comes from conversations as well that people resolved', async () => {
    for (let n = 0; n < 3; n++) {
      const session = `resolved-${n}`
      const say = (message: string) => test.call('POST', '/api/v1/chat', { message, session_id: session })
      const act = (action: string, body = {}) => test.call('POST', `/api/v1/agent/sessions/${session}/${action}`, body)
      await say('The vacuum cleaner leaves stripes on the carpet, what helps?')
      await say('I want to talk to a person')
      await act('accept')
      await act('messages', { content: 'Please wash the brush roll with warm water and let it dry for a whole day.' })
      await act('resolve')
    }
    const { items } = await run(test)
    const found = items.find(({ question }: Item) => question.includes('stripes'))
    expect(found).toMatchObject({ frequency: 3, representative_solution: expect.stringContaining('brush roll') })
    expect(found.ticket_ids.every((id: string) => id.startsWith('session:'))).toBe(true)
    const { total_tickets } = await run(test)
    expect((await run(test)).total_tickets).toBe(total_tickets)
  })
})

describe('while a run is under way', () => {
  it('another is refused, progress shows, and it ends with the service', async () => {
    const test = await createTestApp()
    for (let part = 0; part < 10; part++)
      await importList(test, alike(`p${part}-`, 300, `The lamp number ${part} flickers.`))
    const first = test.call('POST', RUN)
    await expect.poll(async () => (await status(test)).running, { timeout: 30_000 }).toMatchObject({ total: 100 })
    expect(await test.call('POST', RUN)).toMatchObject({
      status: 409,
      body: { detail: 'The mining is running already' },
    })
    await test.app.close()
    expect(await first).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('stopped before its end') },
    })
    const db = await test.database.reopen()
    const app = await createApp(testConfig(), db, createLog('silent'))
    const after = (await app.inject({ method: 'GET', url: STATUS })).json()
    expect(after).toMatchObject({ running: null, total_tickets: 0, last_run: { state: 'interrupted' } })
    expect((await app.inject({ method: 'POST', url: RUN, payload: {} })).statusCode).toBe(200)
    await app.close()
    await test.database.close()
  })

  it('needs the key', async () => {
    const test = await createTestApp({ API_KEY: 'secret' })
    const keyless = { 'x-api-key': '' }
    const answers = await Promise.all([
      test.call('POST', IMPORT, { tickets: [] }, keyless),
      test.call('POST', RUN, {}, keyless),
      test.call('GET', STATUS, undefined, keyless),
    ])
    await test.close()
    expect(answers.map(({ status: code }) => code)).toEqual([401, 401, 401])
  })
})
