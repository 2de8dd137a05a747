import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../../src/app.ts'
import { demoSettings, loadSample } from '../../../src/demo.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { encodeForm, testConfig } from '../../support/test-app.ts'
import { createTestDatabase } from '../../support/test-database.ts'
import { type Records, readRecords, restoreRecords } from './records.ts'

/** Morning of a Friday at the sample shop; the dates of `orders.jsonl` beside this file lie before it. */
const NOW = Date.UTC(2026, 10, 20, 2)

export interface Answer {
  reply: string
  /** As the reply says, and as the session's state does. */
  escalated: boolean
  pending: boolean
}

/** The sample shop and some customers more, whose orders have dates or are alike, with a clock that stands still. */
export async function openShop() {
  const { USER_DICTIONARY, SYNONYMS_FILE } = demoSettings
  const database = await createTestDatabase()
  const clock = createManualClock(NOW)
  const app = await createApp(testConfig({ USER_DICTIONARY, SYNONYMS_FILE }), database.db, createLog('silent'), clock)
  await app.ready()

  async function loadMore(): Promise<void> {
    for (const kind of ['customers', 'orders']) {
      const { body, contentType } = encodeForm(
        readFileSync(join(import.meta.dirname, `${kind}.jsonl`)),
        `${kind}.jsonl`,
        { kind },
      )
      const headers = { 'content-type': contentType }
      const { statusCode, body: answer } = await app.inject({
        method: 'POST',
        url: '/api/v1/business/import',
        headers,
        payload: Buffer.from(body),
      })
      if (statusCode !== 200) throw new Error(`${kind}.jsonl was refused: ${answer}`)
    }
  }

  await loadSample(app, '', { info: () => {} })
  await loadMore()

  return {
    records: () => readRecords(database.db),
    wait: (minutes: number) => clock.advance(minutes * 60_000),

    async say(session: string, customer: string, message: string): Promise<Answer> {
      const payload = { message, session_id: session, ...(customer === '' ? {} : { user_id: customer }) }
      const chat = await app.inject({ method: 'POST', url: '/api/v1/chat', payload })
      if (chat.statusCode !== 200) throw new Error(`${message}: ${chat.statusCode} ${chat.body}`)
      const state = await app.inject({ method: 'GET', url: `/api/v1/chat/sessions/${session}/messages` })
      const { reply, data } = chat.json()
      return { reply, escalated: data.escalate_to_human, pending: state.json().agent_status === 'pending' }
    },

    /** Puts the records back after a dialogue that changed them. */
    restore: (records: Records) => restoreRecords(database.db, records),

    async close(): Promise<void> {
      await app.close()
      await database.close()
    },
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>
