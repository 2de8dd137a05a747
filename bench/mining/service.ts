import { createRandom } from '../../src/features/evaluation/index.ts'
import { createTestApp, encodeForm } from '../../test/support/test-app.ts'
import { syntheticTickets } from './synthetic.ts'

const PROBE_MS = 20

/** Imports synthetic tickets and mines them through the endpoints, and sees how long anybody else had to wait meanwhile. */
export async function measureService(count: number): Promise<void> {
  const test = await createTestApp({ MAX_UPLOAD_MB: '200' })
  try {
    const lines = Array.from(syntheticTickets(count, createRandom(1)), (ticket) =>
      JSON.stringify({ ...ticket, ticket_id: ticket.ticketId }),
    )
    const form = encodeForm(lines.join('\n'), 'tickets.jsonl', {})
    const imported = await timed('import', () =>
      test.call('POST', '/api/v1/mining/tickets/import', form.body, { 'content-type': form.contentType }),
    )
    console.log(JSON.stringify(imported.body))
    const { body } = await timed('run', () => test.call('POST', '/api/v1/mining/tickets', {}))
    console.log(`${body.total_tickets} tickets, ${body.items.length} frequent problems, ${body.ingested} candidates`)
    for (const item of body.items.slice(0, 10)) {
      console.log(`${String(item.frequency).padStart(7)}  ${item.confidence.toFixed(2)}  ${item.question}`)
    }
  } finally {
    await test.close()
  }
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  let longest = 0
  let last = performance.now()
  const probe = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - PROBE_MS)
    last = performance.now()
  }, PROBE_MS)
  const start = performance.now()
  const result = await work()
  clearInterval(probe)
  const seconds = ((performance.now() - start) / 1_000).toFixed(1)
  const peak = (process.resourceUsage().maxRSS / 1024).toFixed(0)
  console.log(`${name}: ${seconds} s, main thread held up for at most ${longest.toFixed(0)} ms, peak ${peak} MB so far`)
  return result
}
