import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import type { Publication } from '../knowledge/index.ts'
import { createEscalation, type Escalation } from './service.ts'

let database: TestDatabase
let escalation: Escalation
let recordsFail = false
beforeAll(async () => {
  database = await createTestDatabase()
  // Publishing is another feature's: here only that it is asked for.
  const publication = { docId: 'doc_x' } as Publication
  escalation = createEscalation({
    db: database.db,
    knowledge: {
      search: () => Promise.reject(new Error('the index is away')),
      searchWith: async () => [],
      prepare: async () => publication,
      inspect: async () => [],
      publishWithin: async () => ({ docId: 'doc_x' }) as never,
    },
    customersOf: async ({ messageIds }) =>
      messageIds.map((id) => ({ userId: '', said: [`My name is Karen ${id === 'msg_1' ? 'Blixen' : 'Others'}.`] })),
    recordsOf: async () => {
      if (recordsFail) throw new Error('the shop is away')
      return { customers: [], orders: [] }
    },
    intentOf: () => 'technical',
    answer: async () => ({ reply: '', confidence: 'none', sources: [] }),
    unansweredQuestions: async () => [],
    addEvaluationCase: async () => {},
    log: { warn: () => {} },
  })
})
afterAll(() => database.close())

const candidate = (solution: string, more: object = {}) => ({
  candidateKey: 'cluster-1',
  question: 'Why does the app crash at checkout?',
  solution,
  intent: '',
  details: { frequency: 12, keywords: ['crash'] },
  ...more,
})

it('takes what mining found into the same queue, and updates it while nobody has reviewed it', async () => {
  const human = await escalation.submit({ sessionId: 's', question: 'q', solution: 's', intent: 'faq' })
  const first = await escalation.submitCandidate(candidate('Update it.'))
  expect(first).toMatchObject({ origin: 'mining', intent: 'technical', similar: [], details: { frequency: 12 } })
  const again = await escalation.submitCandidate(candidate('Update it to 3.2.', { details: { frequency: 15 } }))
  expect(again).toMatchObject({
    solutionId: first.solutionId,
    solution: 'Update it to 3.2.',
    details: { frequency: 15 },
    revision: 2,
  })
  const queue = await escalation.pending()
  expect(queue.map(({ solutionId }) => solutionId)).toEqual([human.solutionId, first.solutionId])
})

it('leaves a candidate that was reviewed as it is', async () => {
  const [, { solutionId } = { solutionId: '' }] = await escalation.pending()
  await escalation.approve(solutionId)
  const again = await escalation.submitCandidate(candidate('Something else.'))
  expect(again).toMatchObject({ solutionId, status: 'approved', solution: 'Update it to 3.2.' })
  const rejected = await escalation.submitCandidate(candidate('No.', { candidateKey: 'cluster-2' }))
  await escalation.reject(rejected.solutionId, 'wrong')
  expect(await escalation.submitCandidate(candidate('Yes?', { candidateKey: 'cluster-2' }))).toMatchObject({
    status: 'rejected',
    solution: 'No.',
  })
  expect((await escalation.pending()).map(({ origin }) => origin)).toEqual(['human'])
})

it('masks what belongs to the customers of the conversations that a candidate was mined from', async () => {
  const mined = candidate('Update it, Ms. Blixen, says Otto.', {
    candidateKey: 'cluster-3',
    details: { ticket_ids: ['session:msg_1', 'T-2', 7] },
  })
  const { solutionId } = await escalation.submitCandidate(mined)
  expect((await escalation.find(solutionId)).masked).toEqual([{ field: 'solution', kind: 'name' }])
  expect(await escalation.approve(solutionId, 'Rosa')).toMatchObject({
    solution: 'Update it, Ms. ***, says Otto.',
    reviewer: 'Rosa',
  })
})

it('masks whatever looks personal while the records cannot be asked', async () => {
  recordsFail = true
  const solution = 'Write to help@shop.example.'
  const { solutionId, masked } = await escalation.submit({
    sessionId: 's',
    question: 'Where to?',
    solution,
    intent: '',
  })
  expect(masked).toEqual([{ field: 'solution', kind: 'email' }])
  recordsFail = false
  expect(await escalation.approve(solutionId)).toMatchObject({ solution, masked: [] })
})
