import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStubServer } from '../support/stub-server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const SUBMIT = '/api/v1/escalation/solution'
const SOLUTIONS = '/api/v1/escalation/solutions'

interface Replayed {
  question: string
  original: boolean
  change: string
  after: { reply: string }
}

describe('escalation solutions', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
    await test.upload('# Delivery\n\n## How long does delivery take?\n\nThree working days.\n', 'delivery.md', {
      register: 'true',
    })
  })
  afterAll(() => test.close())

  const submit = (question: string, solution: string, more: object = {}) =>
    test.call('POST', SUBMIT, { session_id: 's1', question, solution, ...more })
  const act = (id: string, action: string, body?: unknown) => test.call('POST', `${SOLUTIONS}/${id}/${action}`, body)
  const pendingIds = async (): Promise<string[]> =>
    (await test.call('GET', `${SOLUTIONS}/pending`)).body.map(({ solution_id }: { solution_id: string }) => solution_id)
  /** Passages that fit, not merely the closest ones. */
  const find = async (query: string) => {
    const { body } = await test.call('POST', '/api/v1/agent/sessions/x/knowledge-recommend', { query })
    return body.chunks.filter(({ score }: { score: number }) => score > 0.3)
  }

  it('takes a solution into the queue, with the intent given or found', async () => {
    const { status, body } = await submit('能开增值税专用发票吗？', '可以，请联系人工开具。', { intent: 'faq' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      session_id: 's1',
      question: '能开增值税专用发票吗？',
      solution: '可以，请联系人工开具。',
      intent: 'faq',
      status: 'pending',
      origin: 'human',
      created_at: expect.stringMatching(/Z$/),
    })
    expect(await pendingIds()).toContain(body.solution_id)
    const found = await submit('怎么申请退款？', '在订单页申请。', { intent: '' })
    expect(found.body.intent).toBe('refund')
    expect((await submit('Where is my parcel?', 'See the tracking page.')).body.intent).toBe('logistics')
  })

  it.each([
    [{ solution: 's' }, 'question: is required'],
    [{ question: '', solution: 's' }, 'question: must not have fewer than 1 characters'],
    [{ question: 'q', solution: '' }, 'solution: must not have fewer than 1 characters'],
    [{ question: 'q', solution: '\t ' }, 'solution: must not be blank'],
    [{ question: 'q', solution: 's', session_id: 1 }, 'session_id: must be string'],
    [{ question: 'q', solution: 's'.repeat(20_001) }, 'solution: must not have more than 20000 characters'],
  ])('refuses %j', async (body, detail) => {
    expect(await test.call('POST', SUBMIT, body)).toMatchObject({ status: 422, body: { detail } })
  })

  it('shows what the knowledge base says already', async () => {
    const { body } = await submit('How long does delivery take?', 'Three days.')
    expect(body.similar[0]).toMatchObject({ source: 'delivery.md', content: expect.stringContaining('Three working') })
    expect(body.similar[0].score).toBeGreaterThan(0.5)
  })

  it('approves: searchable at once, out of the queue, again is harmless', async () => {
    const { body } = await submit('Do you repair zephyr kites?', 'Yes, send the zephyr kite to our workshop.')
    expect(await find('zephyr kite')).toEqual([])
    const approved = await act(body.solution_id, 'approve')
    expect(approved).toMatchObject({
      status: 200,
      body: { status: 'approved', doc_id: expect.stringMatching(/^doc_/) },
    })
    expect((await find('zephyr kite repair'))[0]).toMatchObject({
      source: `solution:${body.solution_id}`,
      question: 'Do you repair zephyr kites?',
    })
    expect(await pendingIds()).not.toContain(body.solution_id)
    expect(await act(body.solution_id, 'approve')).toMatchObject({ status: 200, body: approved.body })
    const document = (await test.call('GET', `/api/v1/knowledge/documents/${approved.body.doc_id}`)).body
    expect(document).toMatchObject({ status: 'active', current_version: 'v1' })
    expect(document.versions).toHaveLength(1)
  })

  it('approved by many at once has one effect', async () => {
    const { body } = await submit('Do you sell quokka plushes?', 'Only in December.')
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(body.solution_id, 'approve')))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    const document = (await test.call('GET', `/api/v1/knowledge/documents/${answers[0]?.body.doc_id}`)).body
    expect(document.versions).toHaveLength(1)
    expect(await find('quokka plush')).toHaveLength(1)
  })

  it('does not know a solution that does not exist', async () => {
    for (const [method, path, body] of [
      ['POST', 'approve', undefined],
      ['POST', 'reject', { reason: 'no' }],
      ['GET', 'preview', undefined],
    ] as const) {
      const answer = await test.call(method, `${SOLUTIONS}/nothing/${path}`, body)
      expect(answer).toMatchObject({ status: 404, body: { detail: 'No solution has the solution_id nothing' } })
    }
    expect((await test.call('PUT', `${SOLUTIONS}/nothing`, { solution: 'x' })).status).toBe(404)
    expect((await test.call('GET', `${SOLUTIONS}/nothing`)).status).toBe(404)
  })

  it('stays pending, and unsearchable, when it cannot be ingested', async () => {
    const { body } = await submit('What about gremlins?', 'No gremlins after midnight.')
    await sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$`.execute(test.db.executor)
    await sql`create trigger refuse after insert on knowledge_chunks execute function refuse()`.execute(
      test.db.executor,
    )
    const refused = await act(body.solution_id, 'approve')
    await sql`drop trigger refuse on knowledge_chunks`.execute(test.db.executor)
    expect(refused.status).toBe(404)
    expect(refused.body.detail).toMatch(/^The solution could not be ingested: /)
    expect(refused.body.detail).not.toContain('disk')
    expect((await test.call('GET', `${SOLUTIONS}/${body.solution_id}`)).body.status).toBe('pending')
    expect(await find('gremlins')).toEqual([])
    expect(await act(body.solution_id, 'approve')).toMatchObject({ status: 200, body: { status: 'approved' } })
    expect(await find('gremlins')).toHaveLength(1)
  })

  it('is edited before approval, and what was edited is what is published', async () => {
    const { body } = await submit('How are ocarinas tuned?', 'In F.', { intent: 'product' })
    const edited = await test.call('PUT', `${SOLUTIONS}/${body.solution_id}`, { solution: 'Ours are tuned in C.' })
    expect(edited).toMatchObject({
      status: 200,
      body: { question: 'How are ocarinas tuned?', solution: 'Ours are tuned in C.', intent: 'product' },
    })
    const [approved] = await Promise.all([
      act(body.solution_id, 'approve'),
      test.call('PUT', `${SOLUTIONS}/${body.solution_id}`, { solution: 'Ours are tuned in D.' }),
    ])
    const [hit] = await find('ocarina tuning')
    expect(hit.content).toBe(approved.body.solution)
    const late = await test.call('PUT', `${SOLUTIONS}/${body.solution_id}`, { solution: 'x' })
    expect(late).toMatchObject({ status: 409, body: { detail: 'The solution is approved already' } })
    expect((await test.call('PUT', `${SOLUTIONS}/${body.solution_id}`, { solution: '' })).status).toBe(422)
  })

  it('is rejected with a reason', async () => {
    const { body } = await submit('Can I pay in shells?', 'Yes.')
    expect((await act(body.solution_id, 'reject', {})).status).toBe(422)
    const rejected = await act(body.solution_id, 'reject', { reason: 'wrong' })
    expect(rejected).toMatchObject({ status: 200, body: { status: 'rejected', reason: 'wrong' } })
    expect(await pendingIds()).not.toContain(body.solution_id)
    expect((await act(body.solution_id, 'reject', { reason: 'again' })).body.reason).toBe('wrong')
    expect((await act(body.solution_id, 'approve')).status).toBe(409)
    expect((await find('pay in shells')).map(({ content }: { content: string }) => content)).not.toContain('Yes.')
    const approved = await submit('Do you ship abacuses?', 'Everywhere.')
    await act(approved.body.solution_id, 'approve')
    expect((await act(approved.body.solution_id, 'reject', { reason: 'late' })).status).toBe(409)
  })

  it('is replayed before approval: the question itself, and those like it that were left unanswered', async () => {
    const asked = 'Which theremin antenna do I need?'
    await test.call('POST', '/api/v1/chat', { message: asked })
    await test.call('POST', '/api/v1/chat', { message: 'How long does delivery take?' })
    const { body } = await submit('What antenna does the theremin need?', 'The 40 cm one. Ask Jo: jo@example.com')
    const { status, body: preview } = await test.call('GET', `${SOLUTIONS}/${body.solution_id}/preview`)
    expect(status).toBe(200)
    const [own, ...others]: Replayed[] = preview.replays
    expect(own).toMatchObject({ question: body.question, original: true, change: 'answered' })
    expect(own?.after.reply).toContain('40 cm')
    expect(others.map(({ question }) => question)).toEqual([asked])
    expect(preview.summary.answered).toBeGreaterThan(0)
    expect(preview.warnings).toEqual(['solution: holds personal data, which every customer would see'])
    // Nothing of it is stored.
    expect(await find('theremin')).toEqual([])
    expect((await test.call('POST', '/api/v1/chat', { message: asked })).body.data.sources).toEqual([])
  })
})

describe('with an embeddings endpoint that fails', () => {
  it('approval answers 404 with the reason, and works once the endpoint does', async () => {
    let works = true
    const server = await startStubServer(({ body }) => {
      if (!works) return { status: 401, contentType: 'application/json', body: '{"error":{"message":"no key"}}' }
      const { input } = JSON.parse(body.toString()) as { input: string | string[] }
      const data = [input].flat().map((_, index) => ({ index, embedding: [1, 0, 0, 0] }))
      return { contentType: 'application/json', body: JSON.stringify({ data, model: 'm', object: 'list' }) }
    })
    const test = await createTestApp({ EMBEDDING_BASE_URL: server.origin, EMBEDDING_MODEL: 'm' })
    try {
      const { body } = await test.call('POST', SUBMIT, { question: 'Is there a museum?', solution: 'Yes, upstairs.' })
      works = false
      const refused = await test.call('POST', `${SOLUTIONS}/${body.solution_id}/approve`)
      expect(refused).toMatchObject({
        status: 404,
        body: { detail: expect.stringMatching(/could not be ingested: \S/) },
      })
      works = true
      expect((await test.call('POST', `${SOLUTIONS}/${body.solution_id}/approve`)).status).toBe(200)
    } finally {
      await test.close()
      await server.close()
    }
  })
})
