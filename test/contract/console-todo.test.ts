import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeNamedKeys } from '../support/named-keys.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let test: TestApp
let keys: ReturnType<typeof writeNamedKeys>
beforeAll(async () => {
  keys = writeNamedKeys(['read'], ['agent'], ['knowledge'], ['chat'])
  test = await createTestApp({ API_KEY: 'key', API_KEYS_FILE: keys.path })
  await test.upload('# Returns\n\nYou may return goods within 14 days.', 'returns.md')
  await test.call('POST', '/api/v1/chat', { message: 'I want to talk to a human agent now', session_id: 's-1' })
  await test.call('POST', '/api/v1/chat', { message: 'Do you ship to the moon?', session_id: 's-2' })
  await test.call('POST', '/api/v1/escalation/solution', { question: 'Is it blue?', solution: 'It is.' })
})
afterAll(async () => {
  await test.close()
  keys.remove()
})

const todo = async (headers?: Record<string, string>) => {
  const { statusCode, body } = await test.app.inject({
    method: 'GET',
    url: '/api/v1/console/todo',
    headers: headers ?? { 'x-api-key': 'key' },
  })
  return { status: statusCode, body: JSON.parse(body) }
}

it('counts what waits, for each what they may see', async () => {
  expect(await todo()).toEqual({ status: 200, body: { conversations: 1, solutions: 1, gaps: 1, alerts: 0 } })
  expect((await todo(keys.headersOf('agent'))).body).toEqual({
    conversations: 1,
    solutions: null,
    gaps: 1,
    alerts: null,
  })
  expect((await todo(keys.headersOf('knowledge'))).body).toMatchObject({ conversations: null, solutions: 1 })
  expect((await todo(keys.headersOf('read'))).body).toMatchObject({ gaps: null, alerts: 0 })
  expect((await todo(keys.headersOf('chat'))).status).toBe(403)
  expect((await todo({})).status).toBe(401)
})
