import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

const SOLUTIONS = '/api/v1/escalation/solutions'
const KEY = 'a key of the tests'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ API_KEY: KEY })
  await importRecords('customers', [
    {
      user_id: 'wang_wei_17',
      name: { first_name: 'Wei', last_name: 'Wang' },
      email: 'wei.wang@example.com',
      phone: '+1 212-555-0147',
      address: { address1: '215 Larchmont Terrace', city: 'Springfield', zip: '10083' },
      payment_methods: { credit_card_4420174: { source: 'credit_card', id: 'credit_card_4420174' } },
    },
    {
      user_id: 'li_na_8',
      name: '李娜',
      email: 'lina@example.cn',
      phone: '13912345678',
      address: null,
      payment_methods: {},
    },
  ])
  await importRecords('orders', [
    { order_id: '#W2611340', user_id: 'wang_wei_17', status: 'delivered', tracking_ids: ['357962501027'], items: [] },
    { order_id: '#W7700881', user_id: 'li_na_8', status: 'pending', tracking_ids: [], items: [] },
  ])
})
afterAll(() => test.close())

async function importRecords(kind: string, records: object[]): Promise<void> {
  const { body, contentType } = encodeForm(JSON.stringify(records), `${kind}.json`, { kind })
  const answer = await test.call('POST', '/api/v1/business/import', body, { 'content-type': contentType })
  expect(answer).toMatchObject({ status: 200, body: { imported: records.length, failed: 0 } })
}
async function sessionOf(userId: string, ...messages: string[]): Promise<string> {
  const { body } = await test.call('POST', '/api/v1/chat', { user_id: userId, message: messages[0] })
  for (const message of messages.slice(1)) {
    await test.call('POST', '/api/v1/chat', { session_id: body.session_id, user_id: userId, message })
  }
  return body.session_id
}
const submit = async (session_id: string, question: string, solution: string) =>
  (await test.call('POST', '/api/v1/escalation/solution', { session_id, question, solution })).body
const approve = (id: string, body?: object) => test.call('POST', `${SOLUTIONS}/${id}/approve`, body)
const preview = async (id: string) => (await test.call('GET', `${SOLUTIONS}/${id}/preview`)).body
/** Everything that customers and agents can read of it. */
const published = async (query: string): Promise<string> => {
  const chat = await test.call('POST', '/api/v1/chat', { message: query })
  const found = await test.call('POST', '/api/v1/agent/sessions/x/knowledge-recommend', { query })
  return JSON.stringify([chat.body, found.body])
}
const kinds = ({ masked }: { masked: { field: string; kind: string }[] }): string[] =>
  [...new Set(masked.map(({ field, kind }) => `${field} ${kind}`))].sort()

describe('what belongs to a customer', () => {
  const SECRETS = ['Wang', 'wei.wang', '555 0147', 'Larchmont', 'to 215', 'W2611340', 'W 2611340', '6250', '4420174']

  it('is masked in what is published, said so, and in the record', async () => {
    const session = await sessionOf('wang_wei_17', 'Which marimba stand fits? My order is #W2611340.')
    const solution =
      'Dear Mr. Wang, the marimba stand M2 fits. We sent it with your order W 2611340 (tracking 3579-6250-1027) to ' +
      '215 Larchmont Terrace, paid with credit_card_4420174; call (212) 555 0147 or write to Wei.Wang@Example.com.'
    const submitted = await submit(session, 'Which marimba stand fits Wei Wang, order #W2611340?', solution)
    // Until it is approved, the reviewer sees what was written.
    expect(submitted).toMatchObject({ solution, status: 'pending' })
    const all = ['address', 'email', 'name', 'order', 'payment', 'phone', 'tracking'].map((kind) => `solution ${kind}`)
    expect(kinds(submitted)).toEqual(['question name', 'question order', ...all])
    const shown = await preview(submitted.solution_id)
    expect(kinds(shown)).toEqual(kinds(submitted))
    for (const secret of SECRETS) expect(JSON.stringify([shown.published, shown.replays])).not.toContain(secret)
    expect(shown.published.question).toBe('Which marimba stand fits ***, order #***?')
    expect(shown.published.solution).toMatch(/^Dear Mr\. \*\*\*, the marimba stand M2 fits\. .*\*\*\*\.$/)

    const approved = await approve(submitted.solution_id)
    expect(approved).toMatchObject({ status: 200, body: { status: 'approved', ...shown.published } })
    expect(kinds(approved.body)).toEqual(kinds(submitted))
    const read = await published('Which marimba stand fits?')
    expect(read).toContain('marimba stand M2 fits')
    for (const secret of SECRETS) expect(read).not.toContain(secret)
    const record = (await test.call('GET', `${SOLUTIONS}/${submitted.solution_id}`)).body
    expect(record).toEqual(approved.body)
  })

  it('is known from the conversation as well, and of whoever owns an order that is named', async () => {
    const said = 'My name is Ottilie Quartermaine, call 13800138000 about zithers, order 9981234567'
    const session = await sessionOf('', said)
    const first = await submit(
      session,
      'Are zithers tuned?',
      'Yes, Ottilie: zithers are tuned, 138 0013 8000, order 9981234567. Ms. Quartermaine agreed.',
    )
    const { body } = await approve(first.solution_id)
    expect(body.solution).toBe('Yes, ***: zithers are tuned, ***, order ***. Ms. *** agreed.')
    const elsewhere = await submit(
      'held elsewhere',
      '芦笛订单W7700881怎么调音？',
      '李娜您好，芦笛已调音，致电139-1234-5678。',
    )
    const other = (await approve(elsewhere.solution_id)).body
    expect(other).toMatchObject({ question: '芦笛订单***怎么调音？', solution: '***您好，芦笛已调音，致电***。' })
  })

  it('is masked when a solution comes from the workspace of agents, too', async () => {
    const session = await sessionOf('li_na_8', 'I want to talk to a person about ocarinas')
    const { body } = await test.call('POST', `/api/v1/agent/sessions/${session}/solution`, {
      question: 'Do ocarinas crack?',
      solution: 'Never. 李娜 may write to lina@example.cn.',
    })
    expect(body.masked.map(({ kind }: { kind: string }) => kind)).toEqual(['name', 'email'])
    expect((await approve(body.solution_id)).body.solution).toBe('Never. *** may write to ***.')
  })

  it('is not what everybody may know: a shop’s own number stays and is warned of', async () => {
    const session = await sessionOf('wang_wei_17', 'How do I reach the harp workshop?')
    const text = 'Write to workshop@harps.example or call +44 20 7946 0958. The wang is a harp; 215 strings.'
    const { solution_id } = await submit(session, 'How do I reach the harp workshop?', text)
    const { body } = await approve(solution_id)
    expect(body).toMatchObject({ solution: text, masked: [] })
    expect(body.warnings).toEqual(['solution: holds personal data, which every customer would see'])
    expect(await published('How do I reach the harp workshop?')).toContain('workshop@harps.example')
  })
})

describe('what a reviewer is told', () => {
  it('is an answer that says the opposite, in preview and approval, and approval stays 200', async () => {
    const question = 'Do you rent out alphorns?'
    const yes = await submit('', question, 'Yes.')
    expect((await approve(yes.solution_id)).body.warnings).toEqual([])
    const no = await submit('', question, 'No.')
    const warning = `solution: "No." says the opposite of solution:${yes.solution_id}: "Yes."`
    expect((await preview(no.solution_id)).warnings).toContain(warning)
    const approved = await approve(no.solution_id)
    expect(approved.status).toBe(200)
    expect(approved.body.warnings).toContain(warning)
    const chinese = await submit('', '二胡可以租吗？', '可以租。')
    await approve(chinese.solution_id)
    const against = await submit('', '二胡可以租吗？', '不可以租。')
    expect((await approve(against.solution_id)).body.warnings.join()).toContain('可以租')
  })

  it('is another amount than in the knowledge base, and sensitive words', async () => {
    await test.upload(
      '# Bagpipes\n\n## How long is the warranty of bagpipes?\n\nThe warranty of bagpipes is 24 months.\n',
      'b.md',
    )
    const { solution_id } = await submit(
      '',
      'How long is the warranty of bagpipes?',
      'The warranty of bagpipes is 12 months. See our online casino.',
    )
    const { warnings } = await preview(solution_id)
    expect(warnings.join('\n')).toMatch(/another duration than in b\.md: "The warranty of bagpipes is 12 months/)
    expect(warnings.join('\n')).toMatch(/the sensitive word "online casino" \(gambling\)/)
    expect(await approve(solution_id)).toMatchObject({ status: 200, body: { status: 'approved', warnings } })
  })

  it('is what the knowledge base says at the time, not at submission', async () => {
    const { solution_id, similar } = await submit('', 'How are sackbuts oiled?', 'Weekly.')
    expect(similar).toEqual([])
    await test.upload('# Sackbuts\n\n## How are sackbuts oiled?\n\nSackbuts are oiled every week.\n', 'sackbuts.md')
    const looks = [
      (await test.call('GET', `${SOLUTIONS}/${solution_id}`)).body,
      (await test.call('GET', `${SOLUTIONS}/pending`)).body.find(
        (each: { solution_id: string }) => each.solution_id === solution_id,
      ),
      (await preview(solution_id)).solution,
      (await approve(solution_id)).body,
      (await test.call('GET', `${SOLUTIONS}/${solution_id}`)).body,
    ]
    for (const look of looks) expect(look.similar[0]).toMatchObject({ source: 'sackbuts.md' })
    // Its own passage is nothing that was there before.
    expect(JSON.stringify(looks)).not.toContain(`"source":"solution:${solution_id}"`)
  })
})

describe('the reviewer', () => {
  it('is who the body names, else the key, and stays', async () => {
    const submitted = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => submit('', `Who reviews ${name}?`, `Reviewer ${name}.`)),
    )
    const [a, b, c, d] = submitted.map(({ solution_id }) => solution_id)
    expect(submitted[0].reviewer).toBeNull()
    expect((await approve(a, { reviewer: 'Rosa' })).body.reviewer).toBe('Rosa')
    expect((await approve(a, { reviewer: 'Somebody else' })).body.reviewer).toBe('Rosa')
    expect((await approve(b, { agent_id: 'agent-7' })).body.reviewer).toBe('agent-7')
    expect((await approve(c)).body.reviewer).toBe('API_KEY')
    const rejected = await test.call('POST', `${SOLUTIONS}/${d}/reject`, { reason: 'no', reviewer: ' Rosa ' })
    expect(rejected.body).toMatchObject({ status: 'rejected', reviewer: 'Rosa' })
    expect(
      (await test.call('POST', `${SOLUTIONS}/${d}/reject`, { reason: 'again', reviewer: 'X' })).body.reviewer,
    ).toBe('Rosa')
    expect((await approve(a, { reviewer: 5 as never })).status).toBe(422)
  })
})
