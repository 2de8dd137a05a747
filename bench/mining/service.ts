import { createRandom } from '../../src/features/evaluation/index.ts'
import { createTestApp, encodeForm } from '../../test/support/test-app.ts'
import { watchMainThread } from '../main-thread.ts'
import { syntheticTickets } from './synthetic.ts'

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
  const watched = watchMainThread()
  const start = performance.now()
  const result = await work()
  const { heldUpMs, workMs } = watched()
  const seconds = ((performance.now() - start) / 1_000).toFixed(1)
  const peak = (process.resourceUsage().maxRSS / 1024).toFixed(0)
  const held = `main thread held up for at most ${heldUpMs.toFixed(0)} ms, by work of ${workMs.toFixed(0)} ms`
  console.log(`${name}: ${seconds} s, ${held}, peak ${peak} MB so far`)
  return result
}
