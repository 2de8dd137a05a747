import { expect } from 'vitest'
import type { Child } from '../child.ts'
import { randomFrom } from '../random.ts'
import { exchange, type WireResponse } from '../wire.ts'
import { byteRequest } from './byte-requests.ts'
import { operationsOf } from './operations.ts'
import { type Malformed, schemaRequest } from './schema-requests.ts'

const AT_ONCE = 16
const ANSWER_LIMIT_MS = 20_000

export interface FloodReport {
  byStatus: Record<string, number>
  byKind: Record<string, number>
  /** What did not go as it must, at most twenty. */
  failures: string[]
  memoryBytes: { early: number; late: number }
}

/**
 * Sends `count` malformed requests, half of them raw bytes and half made from the API's own description, several at
 * once. With the same seed the requests are the same.
 */
export async function flood(child: Child, count: number, seed: number, apiKey: string): Promise<FloodReport> {
  const document = await (await fetch(`${child.origin}/openapi.json`)).json()
  const operations = operationsOf(document as Parameters<typeof operationsOf>[0])
  expect(operations.length).toBeGreaterThan(5)
  const random = randomFrom(seed)
  const report: FloodReport = { byStatus: {}, byKind: {}, failures: [], memoryBytes: { early: 0, late: 0 } }
  let sent = 0
  const workers = Array.from({ length: AT_ONCE }, async () => {
    while (sent < count) {
      const number = sent++
      if (number === Math.floor(count / 10)) report.memoryBytes.early = (await child.memory()) ?? 0
      const make = number % 2 === 0 ? schemaRequest : byteRequest
      await judge(child, make(random, operations, apiKey), number, report)
    }
  })
  await Promise.all(workers)
  report.memoryBytes.late = (await child.memory()) ?? 0
  return report
}

async function judge(child: Child, request: Malformed, number: number, report: FloodReport): Promise<void> {
  const { responses, raw } = await exchange(child.port, request.bytes, {
    timeoutMs: ANSWER_LIMIT_MS,
    halfClose: request.halfClose,
  }).catch((error: unknown) => ({ responses: [], raw: String(error) }))
  const status = responses[0]?.status ?? 0
  report.byStatus[status] = (report.byStatus[status] ?? 0) + 1
  report.byKind[request.kind] = (report.byKind[request.kind] ?? 0) + 1
  const problem = problemOf(request, responses[0], raw)
  if (!problem || report.failures.length >= 20) return
  const shown = JSON.stringify(request.bytes.toString('latin1').slice(0, 600))
  report.failures.push(
    `#${number} ${request.kind}: ${problem}\n  sent ${shown}\n  got ${JSON.stringify(raw.slice(0, 600))}`,
  )
}

function problemOf(request: Malformed, response: WireResponse | undefined, raw: string): string | undefined {
  if (!response) {
    // Node drops the answer that it has begun to work on, or to send in pieces, when the sender hangs up its half of the
    // connection.
    const isBegun = raw === '' || raw.startsWith('HTTP/1.1 2')
    return request.halfClose && isBegun ? undefined : 'no answer'
  }
  const { status } = response
  if (status >= 500) return `status ${status}`
  const isHead = request.bytes.subarray(0, 5).toString() === 'HEAD '
  const isMcp = request.bytes.subarray(0, 10).toString() === 'POST /mcp '
  if (status >= 400 && !isHead && !isInForm(response) && !(isMcp && isJsonRpcError(response)))
    return 'not in the form of an error'
  if (request.expect === 'refusal' && status < 400) return `accepted with ${status}`
  if (request.expect === 'unauthorized' && status !== 401) return `status ${status} in place of 401`
  return undefined
}

function isInForm({ headers, body }: WireResponse): boolean {
  if (!headers['content-type']?.startsWith('application/json')) return false
  try {
    const parsed = JSON.parse(body)
    return Object.keys(parsed).join() === 'detail' && typeof parsed.detail === 'string' && parsed.detail !== ''
  } catch {
    return false
  }
}

/** Refusals of the Model Context Protocol have its own form: https://www.jsonrpc.org/specification#error_object */
function isJsonRpcError({ headers, body }: WireResponse): boolean {
  if (!headers['content-type']?.startsWith('application/json')) return false
  try {
    const { jsonrpc, error } = JSON.parse(body)
    return jsonrpc === '2.0' && Number.isInteger(error?.code) && typeof error?.message === 'string'
  } catch {
    return false
  }
}
