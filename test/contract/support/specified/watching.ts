import type { Client } from './client.ts'
import * as shapes from './shapes.ts'

/** The groups that no credential is checked for. */

export async function watches({ ask, expectThat }: Client): Promise<void> {
  await ask('liveness', 'GET', '/health', { is: shapes.HEALTH })
  await ask('metrics', 'GET', '/performance/metrics', { is: shapes.METRICS })
  await ask('statistics of the cache', 'GET', '/performance/cache/stats', { is: 'object' })
  await ask('clear the cache', 'POST', '/performance/cache/invalidate', { is: shapes.CLEARED })

  const breakers = await ask('breakers', 'GET', '/observability/circuit-breakers', { is: 'object' })
  const path = { name: Object.keys(breakers.body)[0] as string }
  await ask('reset a breaker', 'POST', '/observability/circuit-breakers/{name}/reset', { path })
  await ask('reset no breaker', 'POST', '/observability/circuit-breakers/{name}/reset', {
    path: { name: 'no-such' },
    status: 404,
  })
  for (const level of ['info', 'warn', 'error', 'critical']) {
    await ask(`alerts of ${level}`, 'GET', '/observability/alerts', { query: `?level=${level}`, is: 'list' })
  }
  await ask('alerts', 'GET', '/observability/alerts', { is: 'list' })
  const filter = '?source=shop&since=2026-01-01T00:00:00Z'
  await ask('alerts of a source since a time', 'GET', '/observability/alerts', { query: filter, is: 'list' })
  await ask('alerts of no level', 'GET', '/observability/alerts', { query: '?level=loud', status: 400 })
  await ask('all checks', 'GET', '/observability/health', { is: 'object' })
  for (const query of ['', '?window=minute', '?window=hour', '?window=day']) {
    await ask(`token usage${query}`, 'GET', '/observability/token-usage', { query, is: 'object' })
  }

  await ask('overview', 'GET', '/monitor/overview', { is: 'object' })
  const traces = await ask('traces', 'GET', '/monitor/traces', { is: 'list' })
  expectThat('turns are traced', traces.body.length > 0, traces.body)
  expectThat('without steps', !JSON.stringify(traces.body).includes('"steps"'), traces.body)
  for (const query of ['?limit=1', '?limit=200'])
    await ask(`traces${query}`, 'GET', '/monitor/traces', { query, is: 'list' })
  for (const query of ['?limit=0', '?limit=201'])
    await ask(`traces${query}`, 'GET', '/monitor/traces', { query, status: 422 })
  const trace = { path: { trace_id: traces.body[0].trace_id } }
  await ask('one trace', 'GET', '/monitor/traces/{trace_id}', { ...trace, is: { steps: 'list', sub_tasks: 'list' } })
  await ask('no such trace', 'GET', '/monitor/traces/{trace_id}', { path: { trace_id: 'no-such' }, status: 404 })
  await ask('agents', 'GET', '/monitor/agents', { is: 'list' })
  await ask('sessions', 'GET', '/monitor/sessions', { is: 'list' })
}

export async function operates({ ask, expectThat }: Client): Promise<void> {
  const body = {
    name: 'tone',
    description: 'How to greet',
    variants: ['warm', 'short'],
    traffic_split: { warm: 0.5, short: 0.5 },
  }
  const path = { name: 'tone' }
  const EXPERIMENTS = '/operations/experiments'
  await ask('create an experiment', 'POST', EXPERIMENTS, { body, status: 201 })
  for (const value of [1, 3]) {
    const metric = { variant: 'warm', metric_name: 'rating', value }
    const recorded = await ask(`record ${value}`, 'POST', `${EXPERIMENTS}/{name}/metrics`, {
      path,
      body: metric,
      status: 204,
    })
    expectThat('204 has no body', recorded.text === '', recorded.text)
  }
  await ask('record for no experiment', 'POST', `${EXPERIMENTS}/{name}/metrics`, {
    path: { name: 'no-such' },
    body: { variant: 'a', metric_name: 'b', value: 1 },
    status: 204,
  })
  await ask('experiments', 'GET', EXPERIMENTS, { is: 'list' })
  const results = await ask('results', 'GET', `${EXPERIMENTS}/{name}/results`, { path, is: shapes.RESULTS })
  expectThat('the mean and the count', results.body.variants?.warm?.metrics?.rating?.mean === 2, results.body)
  expectThat('the count', results.body.variants?.warm?.metrics?.rating?.count === 2, results.body)
  for (const variant of Object.values(results.body.variants)) {
    for (const departure of shapes.departures(variant, shapes.VARIANT)) expectThat(departure, false, variant)
  }
  await ask('create it again', 'POST', EXPERIMENTS, { body, status: 201 })
  const cleared = await ask('results of the new one', 'GET', `${EXPERIMENTS}/{name}/results`, {
    path,
    is: shapes.RESULTS,
  })
  expectThat('its metrics are cleared', !cleared.body.variants?.warm?.metrics?.rating, cleared.body)
  await ask('results of no experiment', 'GET', `${EXPERIMENTS}/{name}/results`, {
    path: { name: 'no-such' },
    status: 404,
  })
  for (const query of ['', '?force_refresh=true', '?force_refresh=false']) {
    await ask(`dashboard${query}`, 'GET', '/operations/dashboard', { query, is: shapes.DASHBOARD })
  }
  const report = await ask('release checklist', 'GET', '/operations/release-checklist', { is: shapes.CHECKLIST })
  const { total, passed, failed, checks } = report.body
  expectThat('the checks add up', total === passed + failed && total === checks?.length, report.body)
}
