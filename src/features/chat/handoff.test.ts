import { beforeAll, expect, it } from 'vitest'
import type { BusinessResult } from '../../business/agent.ts'
import { emptyResult, type Task } from './agents/task.ts'
import { decideHandoff } from './handoff.ts'
import type { SessionRow } from './types.ts'
import { loadUnderstand } from './understanding/load.ts'
import type { Understand } from './understanding/understanding.ts'

let understand: Understand
beforeAll(async () => {
  understand = await loadUnderstand()
})

const task: Task = {
  taskId: 'task_1',
  agent: 'business',
  question: 'Cancel order #W1000002',
  readings: ['Cancel order #W1000002'],
  asSaid: null,
  fallback: null,
  intent: 'order',
  scene: 'cancel',
}
const session: SessionRow = {
  sessionId: 's',
  userId: 'u',
  isGuest: false,
  channel: 'web',
  turnCount: 0,
  failedAttempts: 0,
  emotionScore: 0,
  intent: 'unknown',
  context: {},
  agentStatus: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
}

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
    session,
    understanding: understand(task.question),
    results: [emptyResult(task, refusal.reply, { business, confidence: 'sure' })],
    failedAttempts: 0,
    thresholds: { escalateAfterFailures: 2, angerThreshold: -0.6 },
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
