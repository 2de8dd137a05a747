import type { Database } from '../../platform/postgres/index.ts'
import { identitiesOf } from './customer-queries.ts'
import { pageChannelMessages, pageRows, pageSessionIds } from './export-queries.ts'
import { subjectOf } from './subject.ts'
import type { ExportPage, ExportPlace, ExportTable, Subject } from './types.ts'

type Section = ExportTable & { name: string }

const lease = ['turn_owner', 'turn_expires_at']

/** What belongs to a session. */
const OF_SESSIONS: readonly Section[] = [
  { name: 'sessions', table: 'chat_sessions', owner: 'session_id', key: 'session_id', hidden: lease },
  { name: 'messages', table: 'chat_messages', owner: 'session_id', key: 'seq', hidden: ['seq'] },
  { name: 'feedback', table: 'chat_feedback', owner: 'session_id', key: 'message_id', hidden: [] },
  { name: 'traces', table: 'traces', owner: 'session_id', key: 'trace_id', hidden: ['seq'] },
  { name: 'tickets', table: 'tickets', owner: 'session_id', key: 'ticket_id', hidden: [] },
  { name: 'solutions', table: 'human_solutions', owner: 'session_id', key: 'solution_id', hidden: [] },
  { name: 'deliveries', table: 'gateway_outbox', owner: 'session_id', key: 'delivery_key', hidden: ['delivery_id'] },
  { name: 'channel_addresses', table: 'gateway_addresses', owner: 'session_id', key: 'session_id', hidden: [] },
]

/** What belongs to a customer by name. */
const OF_CUSTOMERS: readonly Section[] = [
  { name: 'customers', table: 'business_customers', owner: 'user_id', key: 'user_id', hidden: [] },
  { name: 'orders', table: 'business_orders', owner: 'user_id', key: 'order_key', hidden: ['position'] },
  { name: 'channel_links', table: 'channel_links', owner: 'user_id', key: 'channel_user_id', hidden: [] },
  { name: 'changes', table: 'business_changes', owner: 'user_id', key: 'idempotency_key', hidden: [] },
]

const SESSIONS = 50

/**
 * Everything that is known of a customer as the text of one JSON object, in pieces: a page is read when the one before
 * was taken. `complete` comes last, so that a text that was cut off shows it.
 */
export async function* exportCustomer(db: Database, userId: string, exportedAt: Date): AsyncGenerator<string> {
  const subject = subjectOf(await identitiesOf(db.executor, userId))
  yield `{"user_id":${JSON.stringify(userId)},"exported_at":${JSON.stringify(exportedAt.toISOString())}`
  for (const section of OF_SESSIONS) yield* array(section.name, ofSessions(db, section, subject))
  for (const section of OF_CUSTOMERS) {
    yield* array(
      section.name,
      pages((after) => pageRows(db.executor, section, subject.userIds, after)),
    )
  }
  yield* array(
    'channel_messages',
    pages((after) => pageChannelMessages(db.executor, subject, after)),
  )
  yield ',"complete":true}'
}

async function* ofSessions(db: Database, section: Section, { userIds }: Subject): AsyncGenerator<object[]> {
  for (let after = ''; ; ) {
    const sessionIds = await pageSessionIds(db.executor, userIds, after, SESSIONS)
    if (sessionIds.length > 0) yield* pages((place) => pageRows(db.executor, section, sessionIds, place))
    if (sessionIds.length < SESSIONS) return
    after = sessionIds.at(-1) as string
  }
}

async function* pages(read: (after: ExportPlace | null) => Promise<ExportPage>): AsyncGenerator<object[]> {
  for (let after: ExportPlace | null = null; ; ) {
    const page: ExportPage = await read(after)
    yield page.items
    if (!page.next) return
    after = page.next
  }
}

async function* array(name: string, items: AsyncIterable<object[]>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`
  let isFirst = true
  for await (const page of items) {
    if (page.length === 0) continue
    yield `${isFirst ? '' : ','}${page.map((item) => JSON.stringify(item)).join(',')}`
    isFirst = false
  }
  yield ']'
}
