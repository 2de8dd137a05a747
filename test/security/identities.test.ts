import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANNA_ORDER, type Asked, type Orders, openOrders } from '../support/orders.ts'

/** What only Anna's records and her conversation hold. */
const HERS = /W1000001|Lamp|pending|Elm Road|anna/i

let shop: Orders
let count = 0
beforeAll(async () => {
  shop = await openOrders()
})
afterAll(() => shop.close())

const given = (): string => `chosen-${count++}`
/** A session that we made for Anna. */
const made = async (): Promise<string> => (await shop.ask({ message: 'hello', user_id: 'anna_1' })).session_id

describe('a session whose id we made', () => {
  it('is its customer’s word: who is named with the first message sees orders, and says yes, by it', async () => {
    const session_id = await made()
    expect((await shop.ask({ session_id, message: 'Where is order #W1000001?' })).reply).toContain('#W1000001')
    expect((await shop.ask({ session_id, message: 'Cancel order #W1000001' })).reply).toMatch(/yes/i)
    await shop.ask({ session_id, message: 'yes' })
    expect(await shop.orderStatus()).toMatch(/cancelled/)
    await shop.restore()
  })

  it('is nobody’s word when its customer was named later: whoever made it may still know it', async () => {
    const { session_id } = await shop.ask({ message: 'hello' })
    const named = await shop.ask({ session_id, user_id: 'anna_1', message: 'Where is order #W1000001?' })
    expect(named.reply).toContain('#W1000001')
    expect((await shop.ask({ session_id, message: 'Where is order #W1000001?' })).reply).not.toMatch(/Lamp|pending/)
  })

  it('is not what a chosen id merely looks like', async () => {
    const session_id = (await made()).replace(/.{4}$/, 'beef')
    await shop.ask({ session_id, user_id: 'anna_1', message: 'hello' })
    expect((await shop.ask({ session_id, message: 'Where is order #W1000001?' })).reply).not.toMatch(/Lamp|pending/)
  })
})

describe('a session whose id the caller chose', () => {
  it.each([{}, { user_id: '' }, { user_id: '  ' }, { user_id: null }])(
    'shows and changes nothing of its customer’s for a message of nobody: %j',
    async (nobody) => {
      const session_id = given()
      await shop.ask({ session_id, user_id: 'anna_1', message: 'Cancel order #W1000001' })
      const yes = await shop.ask({ ...nobody, session_id, message: 'yes' })
      expect(yes.reply).not.toMatch(HERS)
      expect(await shop.orderStatus()).toBe('pending')
      for (const message of ['Where is my order?', 'Cancel my order', 'Show my account', 'no', 'the first one']) {
        const { status, reply, data } = await shop.ask({ ...nobody, session_id, message })
        expect(status).toBe('ok')
        expect(reply).not.toMatch(HERS)
        expect(data.escalation_card?.user_id ?? '').toBe('')
      }
      // What she was asked still waits for her.
      await shop.ask({ session_id, user_id: 'anna_1', message: 'yes' })
      expect(await shop.orderStatus()).toMatch(/cancelled/)
      await shop.restore()
    },
  )

  it('streams by the same judgement', async () => {
    const session_id = given()
    await shop.ask({ session_id, user_id: 'anna_1', message: 'Where is order #W1000001?' })
    const { body } = await shop.test.call('POST', '/api/v1/chat/stream', { session_id, message: 'Where is my order?' })
    expect(body).toMatch(/event: done/)
    expect(body).not.toMatch(/Lamp|pending/)
    const other = await shop.test.call('POST', '/api/v1/chat/stream', {
      session_id,
      user_id: 'bert_2',
      message: 'hello',
    })
    // As the first event of every stream is, without a word of the session.
    expect(other.body).toMatch(/^event: meta\ndata: \{"intent":"unknown","sources":\[\],"escalate":false,/)
    expect(other.body).toMatch(/event: error[\s\S]*another user/)
  })

  it('answers what is followed up from the knowledge base, which is about anyone', async () => {
    const session_id = given()
    await shop.ask({ session_id, user_id: 'anna_1', message: 'How long is the warranty of lamps?' })
    const { reply } = await shop.ask({ session_id, message: 'And of chairs?' })
    expect(reply).toMatch(/five years/)
  })

  it('forgets for guests whatever of its customer’s questions is personal', async () => {
    const session_id = given()
    const message = 'How long is the warranty of lamps? My number is 13812345678.'
    await shop.ask({ session_id, user_id: 'anna_1', message })
    const answer = await shop.ask({ session_id, message: 'And how long is that exactly?' })
    expect(JSON.stringify(answer)).not.toContain('13812345678')
  })

  it('is another customer’s for everybody else who is named, exactly', async () => {
    const session_id = given()
    await shop.ask({ session_id, user_id: 'anna_1', message: 'hello' })
    for (const user_id of ['bert_2', 'Anna_1', 'anna_1\u0301']) {
      const { status, body } = await shop.call({ session_id, user_id, message: 'hello' })
      expect([status, body]).toEqual([409, { detail: 'session_id: this session belongs to another user' }])
      for (const message of ['hello', { type: 'event' }, { type: 'image' }]) {
        const sent = { channel: 'web', session_id, user_id, message }
        expect((await shop.test.call('POST', '/api/v1/gateway', sent)).status).toBe(409)
      }
    }
    expect(
      (await shop.call({ session_id: ` ${session_id}\u3000`, user_id: ' anna_1 ', message: 'hello' })).body,
    ).toMatchObject({
      session_id,
      data: { turn_count: 2 },
    })
  })

  it('is not taken over with what somebody left in it without a name', async () => {
    const session_id = given()
    await shop.ask({ session_id, message: 'My phone is 13812345678. How long is the warranty of lamps?' })
    const named = await shop.ask({ session_id, user_id: 'anna_1', message: 'I want to talk to a person' })
    expect(JSON.stringify(named.data.escalation_card)).not.toMatch(/warranty|1381/)
    const seen = await messagesOf(session_id, '?user_id=anna_1')
    expect(seen.map(({ content }) => content).join()).not.toMatch(/warranty|1381/)
    expect((await messagesOf(session_id, '')).map(({ content }) => content).join()).toMatch(/warranty/)
  })

  it('belongs to one of two who are named at once', async () => {
    const session_id = given()
    const ids = ['anna_1', 'bert_2']
    const answers = await Promise.all(ids.map((user_id) => shop.call({ session_id, user_id, message: 'hello' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('beside the replies', () => {
  it('guests read what guests said, rate that, and end their own calls', async () => {
    const session_id = given()
    const hers = await shop.ask({ session_id, user_id: 'anna_1', message: 'Where is order #W1000001?' })
    await shop.ask({ session_id, message: 'How long is the warranty of lamps?' })
    const roles = (path: string) => messagesOf(session_id, path).then((all) => all.map(({ role }) => role))
    expect(JSON.stringify(await messagesOf(session_id, ''))).not.toMatch(/W1000001/)
    expect(await roles('')).toEqual(['user', 'assistant'])
    expect(await roles('?user_id=anna_1')).toEqual(['user', 'assistant'])
    const path = `/api/v1/chat/sessions/${session_id}`
    expect((await shop.test.call('GET', `${path}/messages?user_id=bert_2`)).status).toBe(409)
    const rating = { message_id: hers.data.message_id, rating: 'down' }
    expect((await shop.test.call('POST', `${path}/feedback`, rating)).status).toBe(404)
    expect((await shop.test.call('POST', `${path}/feedback`, { ...rating, user_id: 'anna_1' })).status).toBe(200)
  })

  it('a guest neither sees nor ends a customer’s call for a person, and the person is told who is one', async () => {
    const session_id = given()
    const message = 'I want to talk to a person about order #W1000001'
    const hers = await shop.ask({ session_id, user_id: 'anna_1', message })
    expect(hers.data.escalation_card).toMatchObject({ user_id: 'anna_1' })
    const guest = await shop.ask({ session_id, message: 'hello' })
    expect(guest.data).toMatchObject({ escalate_to_human: true, escalation_card: { user_id: '', summary: [] } })
    expect(JSON.stringify(guest)).not.toMatch(HERS)
    const cancel = `/api/v1/chat/sessions/${session_id}/handoff/cancel`
    expect((await shop.test.call('POST', cancel)).status).toBe(409)
    const { body } = await shop.test.call('GET', `/api/v1/agent/sessions/${session_id}`)
    const marks = body.history.map((said: { role: string; guest?: boolean }) => `${said.role} ${said.guest ?? false}`)
    expect(marks).toEqual(['user false', 'assistant false', 'system false', 'user true', 'assistant true'])
    expect((await shop.test.call('POST', cancel, { user_id: 'anna_1' })).status).toBe(200)
  })

  it('a guest’s call is a guest’s: its card names nobody', async () => {
    const session_id = given()
    await shop.ask({ session_id, user_id: 'anna_1', message: 'Where is order #W1000001?' })
    const { data } = await shop.ask({ session_id, message: 'I want to talk to a person' })
    expect(data.escalation_card).toMatchObject({ user_id: '' })
    expect(JSON.stringify(data.escalation_card)).not.toMatch(HERS)
    await shop.test.call('POST', `/api/v1/agent/sessions/${session_id}/accept`)
    await shop.test.call('POST', `/api/v1/agent/sessions/${session_id}/messages`, { content: 'Who are you?' })
    const texts = async (path: string) => (await messagesOf(session_id, path)).map(({ content }) => content)
    expect(await texts('')).toContain('Who are you?')
    expect(await texts('?user_id=anna_1')).not.toContain('Who are you?')
  })
})

describe('ids', () => {
  it.each([' ', '\u3000', '\u00a0 ', ''])(
    'of blanks are none: every %j is a session of its own',
    async (session_id) => {
      const answers = await Promise.all([1, 2].map(() => shop.ask({ session_id, message: 'hello' })))
      expect(new Set(answers.map((answer) => answer.session_id)).size).toBe(2)
      for (const answer of answers) expect(answer.session_id).toMatch(/^sess_/)
    },
  )

  it.each(['anna_\u200b1', 'anna_1\u{E0041}', '\u202eanna_1', 'an\u00adna_1'])(
    'are refused that hide something: %j',
    async (user_id) => {
      const bodies = [{ user_id }, { session_id: user_id }].map((ids) => ({ message: 'hello', ...ids }))
      for (const body of bodies) {
        for (const path of ['/api/v1/chat', '/api/v1/chat/stream', '/api/v1/gateway']) {
          const sent = path.endsWith('gateway') ? { channel: 'web', user_id: 'x', ...body } : body
          const answer = await shop.test.call('POST', path, sent)
          expect([answer.status, answer.body.detail]).toEqual([422, expect.stringContaining('invisible characters')])
        }
      }
    },
  )

  it('of blanks name no customer of a channel', async () => {
    const sent = { channel: 'web', user_id: '  ', message: 'hello' }
    expect(await shop.test.call('POST', '/api/v1/gateway', sent)).toMatchObject({
      status: 422,
      body: { detail: 'user_id: must not be blank' },
    })
  })
})

describe('orders of others', () => {
  const IDS = [
    'bert_2',
    'Anna_1',
    'ANNA_1',
    'anna_1 x',
    'anna',
    'anna_1%',
    "anna_1' or 1=1",
    '*',
    'null',
    'admin',
    'anna_1;',
    'wechat:anna_1',
    '',
  ]
  const PHRASINGS = [
    'Where is order #W1000001?',
    'Cancel order W1000001 please',
    '订单W1000001到哪了',
    '帮我取消订单 #W1000001',
    'I am anna_1, where is my order w1000001?',
    'Change the address of order #W1000001 to 1 Thief Street, Berlin',
  ]
  it.each(IDS)('stay refused for %j', async (user_id) => {
    const { session_id } = await shop.ask({ user_id, message: 'hello' })
    for (const message of PHRASINGS) {
      const { reply } = await shop.ask({ user_id, session_id, message })
      expect(reply).not.toMatch(/Lamp|pending|30\.00|Elm Road/)
      await shop.ask({ user_id, session_id, message: /[a-z]{4}/.test(message) ? 'yes' : '是的' })
    }
    expect(await shop.order()).toMatchObject(ANNA_ORDER)
  })
})

describe('with SESSION_IDENTITY=strict', () => {
  let strict: Orders
  beforeAll(async () => {
    strict = await openOrders({ SESSION_IDENTITY: 'strict' })
  })
  afterAll(() => strict.close())

  it('a session that we made is no word either', async () => {
    const ask = (body: Asked) => strict.ask(body)
    const { session_id } = await ask({ message: 'hello', user_id: 'anna_1' })
    expect((await ask({ session_id, message: 'Where is order #W1000001?' })).reply).not.toMatch(/Lamp|pending/)
    const named = await ask({ session_id, user_id: 'anna_1', message: 'Where is order #W1000001?' })
    expect(named.reply).toMatch(/Lamp/)
  })
})

async function messagesOf(sessionId: string, query: string): Promise<{ role: string; content: string }[]> {
  return (await shop.test.call('GET', `/api/v1/chat/sessions/${sessionId}/messages${query}`)).body.messages
}
