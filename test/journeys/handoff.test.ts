import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  acceptAgentSession,
  approveEscalationSolution,
  askQuestion,
  assistBusiness,
  type Client,
  draftSolution,
  getAgentSession,
  listPendingSolutions,
  previewSolution,
  recommendKnowledge,
  resolveAgentSession,
  sendAgentMessage,
} from '../../clients/typescript/src/index.ts'
import { loadSample } from '../../src/demo.ts'
import { clientOf, followed } from '../support/client.ts'
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
  const session_id = `journey-${language}`
  const path = { session_id }
  let test: TestApp
  let desk: Client
  let workspace: Awaited<ReturnType<typeof followed<'GET /api/v1/agent/events'>>>
  let customer: Awaited<ReturnType<typeof followed<'GET /api/v1/chat/sessions/{session_id}/events'>>>
  let solutionId = ''

  beforeAll(async () => {
    test = await createTestApp()
    await loadSample(test.app, '', { info: () => {} })
    desk = await clientOf(test)
    workspace = await followed(desk, 'GET /api/v1/agent/events')
  })
  afterAll(async () => {
    await Promise.all([workspace.close(), customer?.close()])
    await test.close()
  })

  const say = (message: string, sessionId = session_id, user_id = journey.customer) =>
    askQuestion(desk, { body: { message, session_id: sessionId, user_id } })

  it('the customer asks in vain', async () => {
    const { reply, data } = await say(journey.question)
    expect(reply).not.toContain(journey.fact)
    expect(data).toMatchObject({ failed_attempts: 1, escalate_to_human: false })
    const query = { user_id: journey.customer }
    customer = await followed(desk, 'GET /api/v1/chat/sessions/{session_id}/events', { path, query })
  })

  it('the customer asks for a person, and the workspace hears of it', async () => {
    const { data } = await say(journey.wantsPerson)
    expect(data).toMatchObject({ intent: 'human', escalate_to_human: true })
    expect(data.escalation_card).toMatchObject({ reason: 'customer_request', customer_request: journey.question })
    const event = await workspace.waitFor('session_pending')
    expect(event.data).toMatchObject({ session_id, agent_status: 'pending' })
    await customer.waitFor('handoff')
  })

  it('a person takes the session and sees what it is about', async () => {
    await acceptAgentSession(desk, { path, body: { agent_id: 'ann' } })
    await customer.waitFor('accepted')
    const { escalation_card: card, history } = await getAgentSession(desk, { path })
    expect(card?.open_questions).toContain(journey.question)
    expect(card?.attempted_answers).toHaveLength(1)
    expect(card?.suggested_reply).toContain(journey.question.slice(0, 10))
    expect(history[0]).toMatchObject({ role: 'user', content: journey.question })
    const recommended = await recommendKnowledge(desk, { path, body: { query: journey.question } })
    expect(recommended.chunks.length).toBe(recommended.total)
  })

  it('the person looks an order up and sees no personal value', async () => {
    const order = orderOf(journey.customer)
    const lookUps = {
      zh: `订单 ${order.order_id} 现在什么状态？`,
      en: `What is the status of order ${order.order_id}?`,
    }
    const found = await assistBusiness(desk, { path, body: { query: lookUps[language] } })
    const { order_id, status, total } = order
    expect(found.result).toMatchObject({
      error: null,
      scene: 'order_status',
      data: { orders: [{ order_id, status, total }] },
    })
    expect(found.masked_fields.length).toBeGreaterThan(3)
    const { email, first_name, address, payment_history } = order
    for (const secret of [email, first_name, address.address1, address.zip, payment_history[0]?.payment_method_id]) {
      expect(JSON.stringify(found)).not.toContain(secret)
    }
  })

  it('the person answers, the customer receives it live and writes back', async () => {
    const sent = await sendAgentMessage(desk, { path, body: { content: journey.answer } })
    const received = await customer.waitFor('message')
    expect(received.data).toMatchObject({ message_id: sent.message_id, role: 'agent', content: journey.answer })
    const { data } = await say(journey.followUp)
    expect(data.escalate_to_human).toBe(true)
    await workspace.waitFor('message', (heard) => JSON.stringify(heard).includes(journey.followUp))
  })

  it('the person resolves the session and submits what was answered', async () => {
    await resolveAgentSession(desk, { path, body: { note: 'answered' } })
    await customer.waitFor('resolved')
    const { data } = await say(language === 'zh' ? '你好' : 'hello')
    expect(data).toMatchObject({ intent: 'chitchat', escalate_to_human: false })
    const { question, solution } = journey
    const submitted = await draftSolution(desk, { path, body: { question, solution, intent: '' } })
    expect(submitted).toMatchObject({ status: 'pending', session_id, intent: expect.stringMatching(/\w/) })
    solutionId = submitted.solution_id
  })

  it('a reviewer sees what would change, and approves', async () => {
    const waiting = await listPendingSolutions(desk)
    expect(waiting.map(({ solution_id }) => solution_id)).toEqual([solutionId])
    const solution = { solution_id: solutionId }
    const preview = await previewSolution(desk, { path: solution })
    expect(preview.replays[0]).toMatchObject({ original: true, change: 'answered' })
    await approveEscalationSolution(desk, { path: solution })
  })

  it('another customer asks in other words and is answered from it', async () => {
    const { reply, data } = await say(journey.otherWords, `other-${language}`, '')
    expect(reply).toContain(journey.fact)
    expect(data.sources[0]?.solution_id).toBe(solutionId)
    // Nobody but us knows what an id names.
    expect(data.sources[0]?.source).toBe(data.sources[0]?.title)
    expect(reply).not.toContain('sol_')
    expect(data).toMatchObject({ failed_attempts: 0, escalate_to_human: false })
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
