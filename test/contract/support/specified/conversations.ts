import { type Client, send } from './client.ts'
import * as shapes from './shapes.ts'

/** Chat, and the people who take over: as an integrator reads the specification, from the first message to a shared solution. */

type Asking = Pick<Client, 'ask' | 'expectThat'>

const CHAT = '/chat'
const STREAM = '/chat/stream'
const SESSION = '/agent/sessions/{session_id}'

export async function chats({ ask, expectThat }: Client): Promise<void> {
  const asked = (step: string, body: object) => ask(step, 'POST', CHAT, { body, is: shapes.CHAT })
  const about = 'How long is the warranty of a lamp?'

  const first = await asked('a message with every field', {
    message: about,
    session_id: '',
    channel: 'web',
    user_id: 'u1',
  })
  expectThat('a known answer is found', first.body.reply.includes('two years'), first.body)
  expectThat('the first turn counts 1', first.body.data.turn_count === 1, first.body)
  const second = await asked('the next one in the session that was made, without user_id', {
    message: 'And of a chair?',
    session_id: first.body.session_id,
  })
  expectThat('the session goes on', second.body.session_id === first.body.session_id, second.body)
  expectThat('the second turn counts 2', second.body.data.turn_count === 2, second.body)

  for (const session_id of ['my-session-1', '7', 'a session/with: signs?', '订单-1']) {
    const named = await asked(`a session with an id of its own: ${session_id}`, {
      message: about,
      session_id,
      user_id: 'u2',
    })
    expectThat(`the id ${session_id} is kept`, named.body.session_id === session_id, named.body)
    const next = await asked(`the next one there, without user_id: ${session_id}`, { message: about, session_id })
    expectThat(`the session ${session_id} goes on`, next.body.data.turn_count === 2, next.body)
    expectThat(`and is answered: ${session_id}`, next.body.reply.includes('two years'), next.body)
  }
  await asked('a session of nobody', { message: about, session_id: 'nobody-1' })
  await asked('its next message', { message: about, session_id: 'nobody-1' })
  await asked('its third one says who it is', { message: about, session_id: 'nobody-1', user_id: 'u3' })
  await asked('a message alone', { message: about })
  await asked('a message with empty fields', { message: about, session_id: '', user_id: '' })
  for (const channel of ['web', 'app', 'wechat', 'dingtalk', 'api'])
    await asked(`channel ${channel}`, { message: about, channel })
  await asked('where an order is', { message: 'Where is my order 10001?', user_id: 'u4', session_id: 'order-1' })
  await asked('cancel it', { message: 'Please cancel my order 10001', session_id: 'order-1' })
  await asked('two questions', { message: `${about} And do you ship abroad?`, user_id: 'u5' })

  for (const [why, body] of [
    ['no message', {}],
    ['an empty message', { message: '' }],
    ['a number as message', { message: 7 }],
    ['an unknown channel', { message: 'hello', channel: 'fax' }],
    ['a list as session_id', { message: 'hello', session_id: [] }],
  ] as const) {
    await ask(`chat with ${why}`, 'POST', CHAT, { body, status: 422 })
    await ask(`a stream with ${why}`, 'POST', STREAM, { body, status: 422 })
  }
  await ask('chat without a body', 'POST', CHAT, { status: 422 })
}

/** The stream is followed apart: its body is no JSON. */
export async function streams(client: Client, origin: string, key: string | undefined): Promise<void> {
  const { expectThat } = client
  const body = { message: 'How long is the warranty of a lamp?', user_id: 'u6' }
  const { status, headers, text } = await send(origin, 'POST', '/api/v1/chat/stream', { body, key })
  expectThat('the stream is 200', status === 200, status)
  expectThat('its media type', headers['content-type']?.startsWith('text/event-stream') === true, headers)
  expectThat('it is not buffered by a proxy', headers['x-accel-buffering'] === 'no', headers)
  const events = text.split('\n\n').flatMap((block) => {
    const found = /^event: (\w+)$/m.exec(block)
    const data = /^data: (.*)$/m.exec(block)
    return found && data ? [{ type: found[1], data: JSON.parse(data[1] as string) }] : []
  })
  const types = events.map(({ type }) => type)
  expectThat('meta, tokens, done', /^meta( token)+ done$/.test(types.join(' ')), types)
  const said = events.filter(({ type }) => type === 'token').map(({ data }) => data.content)
  const done = events.at(-1)?.data
  expectThat('the tokens are the answer', said.join('') === done?.answer, { said, done })
  const shapeOf: Record<string, shapes.Shape> = { meta: shapes.META, token: shapes.TOKEN, done: shapes.DONE }
  for (const { type, data } of events) {
    for (const departure of shapes.departures(data, shapeOf[type as string] ?? 'any'))
      expectThat(departure, false, data)
  }
}

export async function gateway({ ask }: Client): Promise<void> {
  const body = { channel: 'app', user_id: 'g1', message: 'How long is the warranty of a lamp?' }
  await ask('the gateway', 'POST', '/gateway', { body, is: { session_id: 'text', reply: 'text', data: 'object' } })
  await ask('the gateway again', 'POST', '/gateway', {
    body,
    is: { session_id: 'text', reply: 'text', data: 'object' },
  })
  await ask('the gateway with an unknown channel', 'POST', '/gateway', {
    body: { ...body, channel: 'fax' },
    status: 422,
  })
}

const ESCALATING = 'I want to talk to a human agent'

export async function people({ ask, expectThat }: Client): Promise<void> {
  await ask('nobody waits', 'GET', '/agent/sessions/pending', { is: [shapes.SESSION] })
  const ids = ['wait-1', 'wait-2', 'wait-3']
  for (const session_id of ids) {
    const body = { message: ESCALATING, session_id, user_id: `user of ${session_id}` }
    const { body: answer } = await ask(`${session_id} wants a person`, 'POST', CHAT, { body, is: shapes.CHAT })
    expectThat('a person is called', answer.data.escalate_to_human === true, answer)
    expectThat('there is a card', answer.data.escalation_card !== null, answer)
  }
  const pending = await ask('some wait', 'GET', '/agent/sessions/pending', { is: [shapes.SESSION] })
  const waiting = pending.body.map((each: { session_id: string }) => each.session_id)
  expectThat(
    'all of them wait',
    ids.every((id) => waiting.includes(id)),
    waiting,
  )

  await handOver({ ask, expectThat })
  await ask('accept without a body', 'POST', `${SESSION}/accept`, at('wait-2'))
  await ask('resolve without a body', 'POST', `${SESSION}/resolve`, at('wait-2'))
  for (const [action, body] of [
    ['accept', {}],
    ['messages', { content: 'Hi' }],
    ['resolve', {}],
  ] as const) {
    await ask(`${action} where there is no session`, 'POST', `${SESSION}/${action}`, {
      ...at('no-such'),
      body,
      status: 404,
    })
  }
  await ask('the detail of no session', 'GET', SESSION, { ...at('no-such'), status: 404 })
}

const at = (session_id: string) => ({ path: { session_id } })
const one = at('wait-1')
const content = { content: 'Hello' }

async function handOver({ ask, expectThat }: Asking): Promise<void> {
  const detail = await ask('the detail', 'GET', SESSION, { ...one, is: shapes.SESSION_DETAIL })
  expectThat('the history is there', detail.body.history?.length >= 2, detail.body)
  await ask('write before anybody accepted', 'POST', `${SESSION}/messages`, { ...one, body: content, status: 409 })
  await ask('resolve before anybody accepted', 'POST', `${SESSION}/resolve`, { ...one, body: {}, status: 409 })
  await ask('accept', 'POST', `${SESSION}/accept`, { ...one, body: { agent_id: 'a1' } })
  await ask('accept again', 'POST', `${SESSION}/accept`, { ...one, body: { agent_id: 'a2' }, status: 409 })
  const is = shapes.AGENT_MESSAGE
  const written = await ask('write', 'POST', `${SESSION}/messages`, { ...one, body: content, is })
  const after = await ask('the detail then', 'GET', SESSION, { ...one, is: shapes.SESSION_DETAIL })
  const ids = after.body.history?.map((each: { message_id: string }) => each.message_id)
  expectThat('the message is in the history', ids?.includes(written.body.message_id), after.body)
  await ask('the customer writes meanwhile', 'POST', CHAT, {
    body: { message: 'Are you there?', session_id: 'wait-1' },
    is: shapes.CHAT,
  })
  await ask('a message without content', 'POST', `${SESSION}/messages`, { ...one, body: {}, status: 422 })
  await assist({ ask, expectThat })
  await ask('resolve', 'POST', `${SESSION}/resolve`, { ...one, body: { note: 'done' } })
  await ask('resolve again', 'POST', `${SESSION}/resolve`, { ...one, status: 409 })
  await ask('accept what is resolved', 'POST', `${SESSION}/accept`, { ...one, status: 409 })
  await ask('write to what is resolved', 'POST', `${SESSION}/messages`, { ...one, body: content, status: 409 })
  await ask('the customer comes back', 'POST', CHAT, {
    body: { message: 'How long is the warranty of a lamp?', session_id: 'wait-1' },
    is: shapes.CHAT,
  })
}

async function assist({ ask, expectThat }: Asking): Promise<void> {
  const query = 'warranty of a lamp'
  const found = await ask('recommend', 'POST', `${SESSION}/knowledge-recommend`, {
    ...one,
    body: { query },
    is: shapes.RECOMMENDED,
  })
  expectThat('at most five are recommended', found.body.chunks.length <= 5 && found.body.chunks.length > 0, found.body)
  const top = await ask('recommend one', 'POST', `${SESSION}/knowledge-recommend`, {
    ...one,
    body: { query, top_k: 1 },
    is: shapes.RECOMMENDED,
  })
  expectThat('one is recommended', top.body.chunks.length === 1, top.body)
  const nowhere = { path: { session_id: 'no-such' } }
  await ask('recommend to no session', 'POST', `${SESSION}/knowledge-recommend`, {
    ...nowhere,
    body: { query },
    is: shapes.RECOMMENDED,
  })
  const order = { query: 'Where is order 10001?' }
  await ask('look up', 'POST', `${SESSION}/business-assist`, { ...one, body: order, is: shapes.ASSISTED })
  await ask('look up for no session', 'POST', `${SESSION}/business-assist`, {
    ...nowhere,
    body: order,
    is: shapes.ASSISTED,
  })
}

export async function solutions({ ask, expectThat }: Client): Promise<void> {
  const one = { path: { session_id: 'wait-3' } }
  const submitted = { question: 'Can a lamp be dimmed?', solution: 'Every lamp can be dimmed with the turquoise knob.' }
  const mine = await ask('submit a solution', 'POST', `${SESSION}/solution`, {
    ...one,
    body: { ...submitted, intent: '' },
    is: shapes.SOLUTION,
  })
  expectThat('it is pending', mine.body.status === 'pending', mine.body)
  expectThat('its intent was found', mine.body.intent !== '', mine.body)
  await ask('submit one with an intent', 'POST', `${SESSION}/solution`, {
    ...one,
    body: { question: 'Is there a red lamp?', solution: 'Yes, since spring.', intent: 'product' },
    is: shapes.SOLUTION,
  })
  for (const [why, body] of [
    ['an empty question', { ...submitted, question: '' }],
    ['an empty solution', { ...submitted, solution: '' }],
    ['no solution', { question: 'Why?' }],
  ] as const) {
    await ask(`submit ${why}`, 'POST', `${SESSION}/solution`, { ...one, body, status: 422 })
  }
  await ask('submit to no session', 'POST', `${SESSION}/solution`, {
    path: { session_id: 'no-such' },
    body: submitted,
    status: 404,
  })

  const other = {
    session_id: 'wait-3',
    question: 'Do you wrap gifts?',
    solution: 'Yes, in saffron paper.',
    intent: 'faq',
  }
  await ask('hand in a solution', 'POST', '/escalation/solution', { body: other, is: shapes.SOLUTION })
  const pending = await ask('what waits for review', 'GET', '/escalation/solutions/pending', { is: [shapes.SOLUTION] })
  expectThat(
    'both wait',
    pending.body.filter((each: { status: string }) => each.status === 'pending').length >= 2,
    pending.body,
  )
  const path = { solution_id: mine.body.solution_id }
  await ask('approve', 'POST', '/escalation/solutions/{solution_id}/approve', { path })
  await ask('approve again', 'POST', '/escalation/solutions/{solution_id}/approve', { path })
  await ask('approve what is not there', 'POST', '/escalation/solutions/{solution_id}/approve', {
    path: { solution_id: 'no-such' },
    status: 404,
  })
  await ask('clear the cache then', 'POST', '/performance/cache/invalidate', { is: shapes.CLEARED })
  const later = await ask('ask what was approved', 'POST', CHAT, {
    body: { message: submitted.question },
    is: shapes.CHAT,
  })
  expectThat('the approved answer is found', later.body.reply.includes('turquoise'), later.body)
}
