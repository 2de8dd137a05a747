import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSample } from '../../src/demo.ts'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The whole way of a question that nobody could answer, until the assistant can. */
const JOURNEYS = {
  zh: {
    customer: 'wang_xiaoming_9647',
    question: '香薰机可以加自己买的精油吗？',
    wantsPerson: '转人工客服',
    answer: '可以的，水溶性精油即可，每次两到三滴，不要加纯植物油。',
    followUp: '太好了，谢谢',
    solution: '可以添加水溶性精油，每次 2 至 3 滴；不要添加纯植物油，会堵塞雾化片。',
    fact: '水溶性精油',
    otherWords: '我能往香薰机里放自己的精油吗',
  },
  en: {
    customer: 'olivia_brown_6613',
    question: 'Can I put my own essential oil into the aroma diffuser?',
    wantsPerson: 'I want to talk to a real person, please',
    answer: 'Yes: water-soluble oils, two or three drops at a time, never a pure carrier oil.',
    followUp: 'great, thank you',
    solution: 'Water-soluble essential oils are fine, 2 to 3 drops at a time. Pure carrier oils clog the diffuser.',
    fact: 'Water-soluble essential oils',
    otherWords: 'Which essential oils of my own may I use in the diffuser?',
  },
}

describe.each(['zh', 'en'] as const)('a question that nobody could answer: %s', (language) => {
  const journey = JOURNEYS[language]
  const session = `journey-${language}`
  let test: TestApp
  let workspace: EventStream
  let customer: EventStream
  let solutionId = ''

  beforeAll(async () => {
    test = await createTestApp()
    await loadSample(test.app, '', { info: () => {} })
    workspace = await openEventStream(test.app, '/api/v1/agent/events')
  })
  afterAll(async () => {
    await Promise.all([workspace.close(), customer?.close()])
    await test.close()
  })

  const say = (message: string, sessionId = session, userId = journey.customer) =>
    test.call('POST', '/api/v1/chat', { message, session_id: sessionId, user_id: userId })
  const agent = (action: string, body: object = {}) =>
    test.call('POST', `/api/v1/agent/sessions/${session}/${action}`, body)

  it('the customer asks in vain', async () => {
    const { body } = await say(journey.question)
    expect(body.reply).not.toContain(journey.fact)
    expect(body.data).toMatchObject({ failed_attempts: 1, escalate_to_human: false })
    customer = await openEventStream(test.app, `/api/v1/chat/sessions/${session}/events?user_id=${journey.customer}`)
  })

  it('the customer asks for a person, and the workspace hears of it', async () => {
    const { body } = await say(journey.wantsPerson)
    expect(body.data).toMatchObject({ intent: 'human', escalate_to_human: true })
    expect(body.data.escalation_card).toMatchObject({ reason: 'customer_request', customer_request: journey.question })
    const event = await workspace.waitFor(({ event: name }) => name === 'session_pending')
    expect(event.data).toMatchObject({ session_id: session, agent_status: 'pending' })
    await customer.waitFor(({ event: name }) => name === 'handoff')
  })

  it('a person takes the session and sees what it is about', async () => {
    expect((await agent('accept', { agent_id: 'ann' })).status).toBe(200)
    await customer.waitFor(({ event: name }) => name === 'accepted')
    const { body } = await test.call('GET', `/api/v1/agent/sessions/${session}`)
    const { escalation_card: card, history } = body
    expect(card.open_questions).toContain(journey.question)
    expect(card.attempted_answers).toHaveLength(1)
    expect(card.suggested_reply).toContain(journey.question.slice(0, 10))
    expect(history[0]).toMatchObject({ role: 'user', content: journey.question })
    const recommended = (await agent('knowledge-recommend', { query: journey.question })).body
    expect(recommended.chunks.length).toBe(recommended.total)
  })

  it('the person looks an order up and sees no personal value', async () => {
    const order = orderOf(journey.customer)
    const lookUps = {
      zh: `订单 ${order.order_id} 现在什么状态？`,
      en: `What is the status of order ${order.order_id}?`,
    }
    const { body } = await agent('business-assist', { query: lookUps[language] })
    expect(body.result).toMatchObject({ error: null, scene: 'order_status' })
    expect(body.result.data.orders[0]).toMatchObject({
      order_id: order.order_id,
      status: order.status,
      total: order.total,
    })
    expect(body.masked_fields.length).toBeGreaterThan(3)
    const { email, first_name, address, payment_history } = order
    for (const secret of [email, first_name, address.address1, address.zip, payment_history[0]?.payment_method_id]) {
      expect(JSON.stringify(body)).not.toContain(secret)
    }
  })

  it('the person answers, the customer receives it live and writes back', async () => {
    const sent = await agent('messages', { content: journey.answer })
    const received = await customer.waitFor(({ event }) => event === 'message')
    expect(received.data).toMatchObject({ message_id: sent.body.message_id, role: 'agent', content: journey.answer })
    const { body } = await say(journey.followUp)
    expect(body.data.escalate_to_human).toBe(true)
    await workspace.waitFor(({ data }) => data.message?.content === journey.followUp)
  })

  it('the person resolves the session and submits what was answered', async () => {
    expect((await agent('resolve', { note: 'answered' })).status).toBe(200)
    await customer.waitFor(({ event }) => event === 'resolved')
    expect((await say(language === 'zh' ? '你好' : 'hello')).body.data).toMatchObject({
      intent: 'chitchat',
      escalate_to_human: false,
    })
    const submitted = await agent('solution', { question: journey.question, solution: journey.solution, intent: '' })
    expect(submitted.body).toMatchObject({
      status: 'pending',
      session_id: session,
      intent: expect.stringMatching(/\w/),
    })
    solutionId = submitted.body.solution_id
  })

  it('a reviewer sees what would change, and approves', async () => {
    const { body: waiting } = await test.call('GET', '/api/v1/escalation/solutions/pending')
    expect(waiting.map(({ solution_id }: { solution_id: string }) => solution_id)).toEqual([solutionId])
    const { body: preview } = await test.call('GET', `/api/v1/escalation/solutions/${solutionId}/preview`)
    expect(preview.replays[0]).toMatchObject({ original: true, change: 'answered' })
    const { status } = await test.call('POST', `/api/v1/escalation/solutions/${solutionId}/approve`)
    expect(status).toBe(200)
  })

  it('another customer asks in other words and is answered from it', async () => {
    const { body } = await say(journey.otherWords, `other-${language}`, '')
    expect(body.reply).toContain(journey.fact)
    expect(body.data.sources[0].solution_id).toBe(solutionId)
    // Nobody but us knows what an id names.
    expect(body.data.sources[0].source).toBe(body.data.sources[0].title)
    expect(body.reply).not.toContain('sol_')
    expect(body.data).toMatchObject({ failed_attempts: 0, escalate_to_human: false })
  })
})

interface SampleOrder {
  order_id: string
  user_id: string
  status: string
  total: number
  first_name: string
  email: string
  address: { address1: string; zip: string }
  payment_history: { payment_method_id: string }[]
}

/** The first order of a customer of the sample shop. */
function orderOf(userId: string): SampleOrder {
  const lines = readFileSync(new URL('../../sample/orders.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const found = lines.map((line): SampleOrder => JSON.parse(line)).find(({ user_id }) => user_id === userId)
  if (!found) throw new Error(`${userId} has no order`)
  return found
}
