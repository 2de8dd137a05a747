import { describe, expect, it } from 'vitest'
import { startStubServer } from '../../test/support/stub-server.ts'
import { span, trace } from '../../test/support/traces.ts'
import { createOtlpExporter, type OtlpOptions } from './otlp.ts'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string; boolValue?: boolean }
}
interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code: number }
}

const log = { warn: () => {} }
const plain = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

async function setUp(statuses: number[] = [], options: Partial<OtlpOptions> = {}) {
  const requests: { path: string; headers: Record<string, unknown>; spans: OtlpSpan[]; resource: Attribute[] }[] = []
  const server = await startStubServer(({ url, headers, body }) => {
    const [{ resource, scopeSpans }] = JSON.parse(body.toString()).resourceSpans
    requests.push({ path: url.pathname, headers, spans: scopeSpans[0].spans, resource: resource.attributes })
    return { status: statuses.shift() ?? 200, body: '{}' }
  })
  const exporter = createOtlpExporter({
    endpoint: `${server.origin}/`,
    serviceName: 'Frontdesk',
    serviceVersion: '1.2.3',
    intervalMs: 3_600_000,
    log,
    ...options,
  })
  const close = async () => {
    await exporter.close()
    await server.close()
  }
  return { exporter, requests, close }
}

describe('the OTLP exporter', () => {
  it('sends a turn and its spans by the protocol, without what people wrote', async () => {
    const { exporter, requests, close } = await setUp([], { headers: 'Authorization=Bearer%20abc, x-team = a=b,odd' })
    const startedAt = Date.UTC(2026, 0, 1) + 0.25
    const agent = span({ agent: 'knowledge', type: 'agent', name: 'knowledge', input: 'SECRET', startedAt })
    const model = span({
      parentId: agent.spanId,
      type: 'model',
      name: 'light',
      status: 'error',
      output: 'SECRET',
      error: 'SECRET',
      tokens: { inputTokens: 12, outputTokens: 3, estimated: false },
    })
    const tool = span({ parentId: agent.spanId, type: 'tool', name: 'search' })
    const turn = trace({ sessionId: 's-1', startedAt, durationMs: 1_500.5, cached: true, spans: [agent, model, tool] })
    exporter.record(turn)
    await exporter.flush()
    const [request] = requests
    expect(request).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer abc', 'x-team': 'a=b' } })
    expect(plain(request?.resource ?? [])).toEqual({ 'service.name': 'Frontdesk', 'service.version': '1.2.3' })
    expect(JSON.stringify(requests)).not.toContain('SECRET')
    const [root, first, second, third] = request?.spans ?? []
    expect(root).toMatchObject({
      name: 'turn',
      kind: 2,
      startTimeUnixNano: '1767225600000250000',
      endTimeUnixNano: '1767225601500750000',
      status: { code: 1 },
    })
    expect(plain(root?.attributes ?? [])).toMatchObject({
      'gen_ai.conversation.id': 's-1',
      'frontdesk.channel': 'web',
      'frontdesk.cached': true,
    })
    expect(first).toMatchObject({ name: 'invoke_agent knowledge', kind: 1, parentSpanId: root?.spanId })
    expect(second).toMatchObject({ name: 'chat light', kind: 3, parentSpanId: first?.spanId, status: { code: 2 } })
    expect(plain(second?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': '12',
      'gen_ai.usage.output_tokens': '3',
    })
    expect(plain(third?.attributes ?? [])).toMatchObject({ 'gen_ai.tool.name': 'search' })
    for (const each of request?.spans ?? []) {
      expect(each.traceId).toMatch(/^[\da-f]{32}$/)
      expect(each.traceId).toBe(root?.traceId)
      expect(each.spanId).toMatch(/^[\da-f]{16}$/)
    }
    await close()
  })

  it('keeps what a busy endpoint did not take, and counts what one refused', async () => {
    const { exporter, requests, close } = await setUp([503, 429, 200, 400])
    exporter.record(trace())
    await exporter.flush()
    await exporter.flush()
    expect(exporter.stats()).toEqual({ queued: 1, dropped: 0 })
    await exporter.flush()
    expect(exporter.stats()).toEqual({ queued: 0, dropped: 0 })
    exporter.record(trace())
    exporter.record(trace())
    await exporter.flush()
    expect(exporter.stats()).toEqual({ queued: 0, dropped: 2 })
    expect(requests).toHaveLength(4)
    await close()
  })

  it('survives an endpoint that is away, or that never answers, and holds no more than it may', async () => {
    const hanging: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const { exporter, close } = await setUp([], { fetch: hanging, timeoutMs: 5, maxQueued: 2 })
    for (let i = 0; i < 5; i++) exporter.record(trace())
    await exporter.flush()
    expect(exporter.stats()).toEqual({ queued: 2, dropped: 3 })
    await close()
  })
})
