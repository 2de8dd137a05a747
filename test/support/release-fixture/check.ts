import { expect } from 'vitest'
import { encodeForm } from '../test-app.ts'
import type { Facts } from './fill.ts'

const NEWEST = 'Q: How tall is the blue tower?\nA: It is 99 metres tall.'

/** Defaults that a later release changed, of parameters that nobody had set: the new ones hold. */
const MOVED_DEFAULTS = { clarify_threshold: 0.06, direct_answer_threshold: 0.45 }

/** What a release left is what the endpoints of this one say, and can be worked on with. */
export async function expectFacts(origin: string, facts: Facts): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever body came back
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    expect(response.status, `${method} ${path}`).toBe(200)
    return response.json()
  }
  const { total_chunks, total_documents } = facts.stats
  expect(await call('GET', '/knowledge/stats')).toMatchObject({ total_chunks, total_documents })
  for (const [session, history] of Object.entries(facts.histories))
    expect((await call('GET', `/agent/sessions/${session}`)).history, session).toMatchObject(history)
  expect(JSON.stringify(await call('GET', '/agent/sessions/pending'))).toContain(`"${facts.pendingSession}"`)
  expect((await call('GET', '/tuner/params')).params).toMatchObject({
    ...(facts.parameters as object),
    ...MOVED_DEFAULTS,
  })
  expect(await call('GET', `/operations/experiments/${facts.experiment.name}/results`)).toMatchObject(
    facts.experiment.results as object,
  )
  expect((await call('GET', `/evaluation/reports/${facts.evaluation}`)).report_id).toBe(facts.evaluation)
  const alerts = JSON.stringify(await call('GET', '/observability/alerts'))
  for (const alert of facts.alerts) expect(alerts).toContain(alert)
  expect((await call('POST', '/mining/tickets', {})).total_tickets).toBeGreaterThanOrEqual(facts.tickets)

  const chat = async (message: string, more: object = {}) => (await call('POST', '/chat', { message, ...more })).reply
  // Replies may be worded anew; what they rest on may not be lost.
  const [firstSentence = ''] = facts.reply.split('. ')
  expect(await chat(facts.question)).toContain(firstSentence)
  expect(await chat(facts.orderQuestion.message, { user_id: facts.orderQuestion.user_id })).toContain('992176283395')
  expect(await chat(facts.approvedSolution.question)).toContain(
    facts.approvedSolution.solution.split(',').at(-1)?.trim(),
  )

  const { doc_id, current, text, earlierText } = facts.revised
  const tower = 'How tall is the blue tower?'
  expect(await chat(tower)).toContain(text)
  const compared = await call('POST', '/knowledge/canary/compare', { ...facts.canary, sample_queries: [tower] })
  expect(JSON.stringify(compared.queries[0].canary)).toContain(earlierText)
  expect(await call('GET', `/knowledge/documents/${doc_id}`)).toMatchObject({ current_version: current })
  const { body, contentType } = encodeForm(NEWEST, 'tower.md', { register: 'true' })
  const headers = { 'content-type': contentType }
  expect((await fetch(`${origin}/api/v1/knowledge/ingest`, { method: 'POST', body, headers })).status).toBe(200)
  await call('POST', `/knowledge/documents/${doc_id}/rollback`, { target_version: current })
  await call('POST', '/performance/cache/invalidate')
  expect(await chat(tower)).toContain(text)
  await call('POST', `/escalation/solutions/${facts.pendingSolution}/approve`)
}
