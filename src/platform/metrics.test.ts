import { describe, expect, it } from 'vitest'
import { trace } from '../../test/support/traces.ts'
import { createMetrics } from './metrics.ts'

const sources = {
  breakers: () => ({ llm: { state: 'OPEN' as const }, business: { state: 'CLOSED' as const } }),
  queues: () => ({ traces: { queued: 3, dropped: 1 } }),
  cacheEntries: () => 7,
}

async function lines(metrics: ReturnType<typeof createMetrics>): Promise<string[]> {
  return (await metrics.render()).split('\n').filter((line) => line.startsWith('frontdesk_'))
}

describe('the metrics for Prometheus', () => {
  it('are what happened', async () => {
    const metrics = createMetrics(sources)
    metrics.requestStarted()
    metrics.requestStarted()
    metrics.requestEnded({ method: 'POST', route: '/api/v1/chat', status: 200, durationMs: 250 })
    metrics.record(trace({ channel: 'wechat', durationMs: 2_000, escalated: true }))
    metrics.record(trace({ cached: true }))
    metrics.modelCalled({
      model: 'm',
      agent: 'a',
      tier: 'light',
      outcome: 'ok',
      durationMs: 1_500,
      usage: { inputTokens: 5, outputTokens: 2 },
    })
    metrics.replied('extractive')
    metrics.cacheLookedUp('hit')
    expect(await lines(metrics)).toEqual(
      expect.arrayContaining([
        'frontdesk_http_requests_in_progress 1',
        'frontdesk_http_requests_total{method="POST",route="/api/v1/chat",status="200"} 1',
        'frontdesk_http_request_duration_seconds_bucket{le="0.25",route="/api/v1/chat"} 1',
        'frontdesk_http_request_duration_seconds_bucket{le="0.1",route="/api/v1/chat"} 0',
        'frontdesk_turns_total{channel="wechat",status="ok",cached="false",escalated="true"} 1',
        'frontdesk_turns_total{channel="web",status="ok",cached="true",escalated="false"} 1',
        'frontdesk_turn_duration_seconds_sum{channel="wechat"} 2',
        'frontdesk_model_calls_total{model="m",agent="a",tier="light",outcome="ok"} 1',
        'frontdesk_model_tokens_total{model="m",agent="a",direction="input"} 5',
        'frontdesk_model_tokens_total{model="m",agent="a",direction="output"} 2',
        'frontdesk_model_call_duration_seconds_sum{model="m"} 1.5',
        'frontdesk_routed_total{tier="extractive"} 1',
        'frontdesk_cache_events_total{event="hit"} 1',
        'frontdesk_breaker_state{name="llm"} 2',
        'frontdesk_breaker_state{name="business"} 0',
        'frontdesk_queued_records{queue="traces"} 3',
        'frontdesk_dropped_records{queue="traces"} 1',
        'frontdesk_cache_entries 7',
      ]),
    )
  })

  it('of two services in one process are kept apart, and those of the process are there', async () => {
    const [one, two] = [createMetrics(sources), createMetrics(sources)]
    one.replied('light')
    expect(await lines(two)).not.toContain('frontdesk_routed_total{tier="light"} 1')
    expect(await two.render()).toContain('process_resident_memory_bytes')
    expect(two.contentType).toContain('text/plain')
  })
})
