import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** What was really said to the assistant, turn by turn, against what the open groups count of it. */
describe('the numbers of turns', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
    await test.upload('# Returns\n\nYou can return any item within 30 days of delivery.\n', 'returns.md')
  })
  afterAll(() => test.close())

  const say = (session_id: string, message: string) => test.call('POST', '/api/v1/chat', { session_id, message })
  const get = async (path: string) => (await test.call('GET', `/api/v1${path}`)).body

  it('count a person who is called once, however often the customer writes until somebody comes', async () => {
    await say('calm', 'How long can I return an item?')
    await say('calm', 'hello')
    for (const message of ['I want to talk to a person', 'hello', 'are you there?', 'I want to talk to a person']) {
      expect((await say('waiting', message)).body.data.escalate_to_human).toBe(true)
    }
    await test.call('POST', '/api/v1/agent/sessions/waiting/accept', { agent_id: 'ann' })
    await say('waiting', 'thank you')
    const traces: { escalated: boolean; session_id: string }[] = await get('/monitor/traces')
    expect(traces).toHaveLength(7)
    expect(traces.filter(({ escalated }) => escalated)).toHaveLength(1)
    expect(await get('/operations/dashboard')).toMatchObject({
      total_sessions: 2,
      escalation_rate: 1 / 2,
    })
    const metrics = (await test.app.inject('/metrics')).body
    expect(metrics).toMatch(/frontdesk_turns_total\{[^}]*escalated="true"\} 1\n/)
    // Resolved and asked for once more, a person is called once more.
    await test.call('POST', '/api/v1/agent/sessions/waiting/resolve')
    await say('waiting', 'I want to talk to a person')
    expect((await get('/monitor/traces'))[0]).toMatchObject({ escalated: true })
  })
})
