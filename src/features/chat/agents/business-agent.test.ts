import { expect, it } from 'vitest'
import { hit, terms } from '../../../../test/support/turns.ts'
import { readOrderTalk } from '../../../language/order-talk.ts'
import type { BusinessResult } from '../../orders/index.ts'
import { answerFromBusiness } from './business-agent.ts'
import type { Task } from './task.ts'

const thresholds = { directAnswer: 0.35, clarify: 0.21 }
const WHO = 'Please sign in.'
const unverified = { outcome: 'unverified', reply: WHO } as BusinessResult

/** The reply to a visitor whom nobody knows, where the base holds one passage that fits with this score. */
async function told(question: string, score: number) {
  const task: Task = {
    ...{ taskId: 'task_1', agent: 'business', intent: 'order', question, original: null, fallback: null },
    rewrites: [question],
    orders: readOrderTalk(question, []),
  }
  const business = { run: async () => unverified, holdsRecords: async () => true }
  const search = async () => [hit('How do I cancel an order?', score)]
  const session = { sessionId: 's', userId: '', before: '', language: 'en' }
  return answerFromBusiness({ search, terms, thresholds, business }, task, session)
}

it.each(['Where is my order?', '我的订单到哪里了', 'where is it'])(
  'tells nobody of rules who asks where their own is, whatever passage holds that word: %s',
  async (question) => {
    expect(await told(question, 0.6)).toMatchObject({ answer: WHO, sources: [], suggestions: [], confidence: 'asks' })
    expect((await told(question, 0.25)).answer).toBe(WHO)
  },
)

it('tells of rules where these fit a question of one word so well that it is theirs', async () => {
  expect((await told('order?', 0.9)).answer).toMatch(/How do I cancel an order.*Please sign in/s)
})

it('tells of rules alone where these are what was asked for', async () => {
  const { answer, confidence } = await told('my account is locked', 0.9)
  expect(answer).toMatch(/^How do I cancel an order/)
  expect(answer).not.toContain(WHO)
  expect(confidence).toBe('sure')
})

it('tells of rules, and what it takes to see more, where these may not be all', async () => {
  expect((await told('cancel my order', 0.6)).answer).toMatch(/cancel.*Please sign in/s)
  expect((await told('cancel my order', 0.9)).answer).toMatch(/cancel.*Please sign in/s)
})
