import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import type { Publication } from '../knowledge/index.ts'
import { insertMessage } from '../sessions/index.ts'
import { createSolutions, type Solutions } from './service.ts'

let database: TestDatabase
let solutions: Solutions
let recordsFail = false
beforeAll(async () => {
  database = await createTestDatabase()
  // Publishing is another feature's: here only that it is asked for.
  const publication = { docId: 'doc_x' } as Publication
  solutions = createSolutions({
    db: database.db,
    knowledge: {
      search: () => Promise.reject(new Error('the index is away')),
      searchWith: async () => [],
      prepare: async () => publication,
      inspect: async () => [],
      removeTogether: (_, transaction) => transaction(async () => {}),
      publishTogether: (_, transaction) => transaction(async () => ({ docId: 'doc_x' }) as never),
    },
    recordsOf: async () => {
      if (recordsFail) throw new Error('the shop is away')
      return { customers: [], orders: [] }
    },
    intentOf: () => 'technical',
    answer: async () => ({ reply: '', confidence: 'none', sources: [] }),
    dropEvaluationCase: async () => {},
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
  const human = await solutions.submit({ sessionId: 's', question: 'q', solution: 's', intent: 'faq' })
  const first = await solutions.submitCandidate(candidate('Update it.'))
  expect(first).toMatchObject({ origin: 'mining', intent: 'technical', similar: [], details: { frequency: 12 } })
  const again = await solutions.submitCandidate(candidate('Update it to 3.2.', { details: { frequency: 15 } }))
  expect(again).toMatchObject({
    solutionId: first.solutionId,
    solution: 'Update it to 3.2.',
    details: { frequency: 15 },
    revision: 2,
  })
  const queue = await solutions.pending()
  expect(queue.map(({ solutionId }) => solutionId)).toEqual([human.solutionId, first.solutionId])
})

it('leaves a candidate that was reviewed as it is', async () => {
  const [, { solutionId } = { solutionId: '' }] = await solutions.pending()
  await solutions.approve(solutionId)
  const again = await solutions.submitCandidate(candidate('Something else.'))
  expect(again).toMatchObject({ solutionId, status: 'approved', solution: 'Update it to 3.2.' })
  const rejected = await solutions.submitCandidate(candidate('No.', { candidateKey: 'cluster-2' }))
  await solutions.reject(rejected.solutionId, 'wrong')
  expect(await solutions.submitCandidate(candidate('Yes?', { candidateKey: 'cluster-2' }))).toMatchObject({
    status: 'rejected',
    solution: 'No.',
  })
  expect((await solutions.pending()).map(({ origin }) => origin)).toEqual(['human'])
})

it('masks what belongs to the customers of the conversations that a candidate was mined from', async () => {
  const { executor } = database.db
  const said = { msg_1: 'My name is Karen Blixen.', msg_2: 'My name is Otto Others.' }
  for (const [messageId, content] of Object.entries(said)) {
    const sessionId = `of ${messageId}`
    await sql`insert into chat_sessions (session_id, user_id, channel) values (${sessionId}, '', 'web')`.execute(
      executor,
    )
    await insertMessage(executor, { messageId, sessionId, role: 'user', content })
  }
  const mined = candidate('Update it, Ms. Blixen, says Otto.', {
    candidateKey: 'cluster-3',
    details: { ticket_ids: ['session:msg_1', 'T-2', 7] },
  })
  const { solutionId } = await solutions.submitCandidate(mined)
  expect((await solutions.find(solutionId)).masked).toEqual([{ field: 'solution', kind: 'name' }])
  expect(await solutions.approve(solutionId, 'Rosa')).toMatchObject({
    solution: 'Update it, Ms. ***, says Otto.',
    reviewer: 'Rosa',
  })
})

it('masks whatever looks personal while the records cannot be asked', async () => {
  recordsFail = true
  const solution = 'Write to help@shop.example.'
  const { solutionId, masked } = await solutions.submit({
    sessionId: 's',
    question: 'Where to?',
    solution,
    intent: '',
  })
  expect(masked).toEqual([{ field: 'solution', kind: 'email' }])
  recordsFail = false
  expect(await solutions.approve(solutionId)).toMatchObject({ solution, masked: [] })
})
