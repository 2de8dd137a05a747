import { beforeAll, describe, expect, it } from 'vitest'
import { readOrderTalk } from '../../../language/order-talk.ts'
import type { BusinessResult } from '../../orders/index.ts'
import { DEFAULTS } from '../../tuning/parameters.ts'
import { emptyResult, type Task } from '../agents/task.ts'
import { loadUnderstand } from '../understanding/load.ts'
import type { Understand } from '../understanding/understanding.ts'
import { countFailures, decideHandoff } from './decide.ts'
import { turnSettings } from './settings.ts'
import { newSession } from './store.ts'

let understand: Understand
beforeAll(async () => {
  understand = await loadUnderstand()
})

const task: Task = {
  taskId: 'task_1',
  agent: 'business',
  question: 'Cancel order #W1000002',
  rewrites: ['Cancel order #W1000002'],
  original: null,
  fallback: null,
  intent: 'order',
  orders: readOrderTalk('Cancel order #W1000002', []),
}
const settings = turnSettings({ ...DEFAULTS, escalate_after_failures: 2, anger_threshold: -0.6 })

const { session } = newSession({ sessionId: 's', userId: '', channel: 'web', messageId: 'm', content: '' })

function decide(refusal: Pick<BusinessResult, 'restriction' | 'reply'>) {
  const business: BusinessResult = {
    ...refusal,
    data: {},
    error: refusal.reply,
    needConfirmation: false,
    scene: 'cancel',
    maskedFields: [],
    outcome: 'refused',
    pending: null,
  }
  return decideHandoff({
    understanding: understand(task.question),
    results: [emptyResult(task, refusal.reply, { business, confidence: 'sure' })],
    failedAttempts: 0,
    session,
    settings,
  })
}

it('calls a person for what the policy leaves to one, and says what', () => {
  const reply = 'I may not cancel order #W1000002 myself because of its amount; a person has to approve it.'
  expect(decide({ restriction: reply, reply })).toMatchObject({
    reason: 'policy_restriction',
    reasonDetail: expect.stringContaining('because of its amount'),
  })
})

it('calls nobody for what nobody can change', () => {
  expect(decide({ restriction: null, reply: 'I cannot cancel it, because it is delivered.' })).toBeNull()
})

it('calls a person where a part is answered by calling one, whatever the whole was taken for', () => {
  const question = 'Where is my parcel?'
  const asked = { ...task, agent: 'escalation' as const, question }
  const results = [emptyResult(asked, '', { confidence: 'asks' })]
  const turn = { understanding: understand(question), results, failedAttempts: 0, session, settings }
  expect(decideHandoff(turn)).toMatchObject({ reason: 'customer_request' })
})

it('calls a person for questions that were not answered, in the turn that adds one, and not for small talk after them', () => {
  const after = (before: number, failedAttempts: number, text: string) =>
    decideHandoff({
      understanding: understand(text),
      results: [emptyResult({ ...task, agent: 'knowledge' }, '')],
      failedAttempts,
      session: { ...session, failedAttempts: before },
      settings,
    })
  expect(after(1, 2, 'What colour is the moon?')).toMatchObject({ reason: 'missing_knowledge' })
  expect(after(2, 2, 'are you a robot?')).toBeNull()
})

describe('failures to answer', () => {
  const part = (confidence: 'sure' | 'close' | 'asks' | 'none', status: 'done' | 'failed' | 'skipped' = 'done') =>
    emptyResult(task, '', { confidence, status })

  it.each([
    ['nothing was found', [part('none')], 3],
    ['the closest was offered', [part('close')], 3],
    ['neither part was sure', [part('close'), part('none')], 3],
    ['one part was sure', [part('none'), part('sure')], 0],
    ['a question was asked back', [part('asks')], 2],
    ['one part was asked back', [part('none'), part('asks')], 2],
    ['all failed for technical reasons', [part('none', 'failed')], 2],
  ])('where %s', (_, results, expected) => {
    expect(countFailures(results, 2)).toBe(expected)
  })
})
