import { type ScriptedModel, startScriptedModel } from './scripted-model/server.ts'
import { createTestApp, type TestApp } from './test-app.ts'

const MANUAL = `# Returns

Goods may be returned within 14 days of delivery. Opened goods are fine as well. The refund takes three working days.
Bring the receipt to the counter, or print the label with the parcel number and drop it at any post office.
`
/** What the manual of the shop answers. */
export const QUESTION = 'Until when may I return goods?'

export interface ModelShop {
  test: TestApp
  model: ScriptedModel
  /** Opens a stream of chat over real HTTP. */
  stream(body: object, signal?: AbortSignal): Promise<Response>
  close(): Promise<void>
}

/** The whole program with one page of knowledge and a scripted model, listening on a port. */
export async function openModelShop(): Promise<ModelShop> {
  const model = await startScriptedModel()
  const test = await createTestApp({ LLM_MODEL: 'm', LLM_BASE_URL: model.url })
  const base = await test.app.listen({ port: 0, host: '127.0.0.1' })
  // Every question is to reach the model, also one that was asked before.
  await test.call('PUT', '/api/v1/tuner/params', { cache_ttl_seconds: 0 })
  await test.upload(MANUAL, 'returns.md')
  return {
    test,
    model,
    stream: (body, signal) =>
      fetch(`${base}/api/v1/chat/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    async close() {
      await test.close()
      await model.close()
    },
  }
}
