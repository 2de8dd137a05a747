import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const SOLUTIONS = '/api/v1/escalation/solutions'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const submit = async (question: string, solution: string): Promise<string> =>
  (await test.call('POST', '/api/v1/escalation/solution', { question, solution })).body.solution_id
const act = (id: string, action: string, body?: object) => test.call('POST', `${SOLUTIONS}/${id}/${action}`, body)
const ask = async (message: string): Promise<string> =>
  (await test.call('POST', '/api/v1/chat', { message })).body.reply
const cases = async (): Promise<number> => {
  const { body } = await test.call('GET', '/api/v1/evaluation/testsets')
  return body.find(({ name }: { name: string }) => name === 'approved-solutions')?.cases ?? 0
}

describe('a review that is taken back', () => {
  const question = 'Do you rent out marimbas?'

  it('leaves the solution waiting, and neither its document nor its test case', async () => {
    const id = await submit(question, 'Marimbas are rented out by the week, for 90.')
    const { doc_id: docId } = (await act(id, 'approve', { reviewer: 'anna' })).body
    expect(await ask(question)).toContain('by the week')
    expect(await cases()).toBe(1)

    const { status, body } = await act(id, 'reopen')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'pending', doc_id: null, reviewer: null, reviewed_at: null, question })
    expect(await ask(question)).not.toContain('by the week')
    expect(await cases()).toBe(0)
    expect((await test.call('POST', '/api/v1/knowledge/search', { query: question })).body.hits).toEqual([])
    const { body: queue } = await test.call('GET', `${SOLUTIONS}/pending`)
    expect(queue.map(({ solution_id }: { solution_id: string }) => solution_id)).toContain(id)

    // Again is harmless, and so is another review.
    expect((await act(id, 'reopen')).body.status).toBe('pending')
    expect((await act(id, 'approve')).body).toMatchObject({ status: 'approved', doc_id: docId })
    expect(await ask(question)).toContain('by the week')
    await act(id, 'reopen')
  })

  it('also when somebody has deleted the document', async () => {
    const id = await submit('Do you tune harps?', 'Harps are tuned on Mondays.')
    const { doc_id: docId } = (await act(id, 'approve')).body
    expect((await test.call('DELETE', `/api/v1/knowledge/documents/${docId}`)).status).toBeLessThan(300)
    expect((await act(id, 'reopen')).body).toMatchObject({ status: 'pending', doc_id: null })
  })

  it('of a rejected one leaves no reason', async () => {
    const id = await submit('Do you sell drums?', 'No.')
    expect((await act(id, 'reject', { reason: 'Too short' })).body.status).toBe('rejected')
    expect((await act(id, 'reopen')).body).toMatchObject({ status: 'pending', reason: null })
    expect((await act(id, 'approve')).body.status).toBe('approved')
  })

  it('of many at once is done once', async () => {
    const id = await submit('Do you repair flutes?', 'Flutes are repaired within a week.')
    await act(id, 'approve')
    const answers = await Promise.all(Array.from({ length: 5 }, () => act(id, 'reopen')))
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(Array(5).fill([200, 'pending']))
  })

  it('is refused for what is not there', async () => {
    expect(await act('sol_none', 'reopen')).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('sol_none') },
    })
  })
})
