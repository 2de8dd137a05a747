import type { Database } from '../../platform/postgres/index.ts'
import { ownersOf } from './erasure.ts'
import { OWNED_TABLES } from './holdings.ts'
import { pageRows } from './row-queries.ts'
import { sessionsOf } from './session-queries.ts'
import type { ExportPlace, OwnedTable, Owners } from './types.ts'

const SESSIONS = 50

/**
 * Everything that is known of a customer as the text of one JSON object, in pieces: a page is read when the one before
 * was taken. `complete` comes last, so that a text that was cut off shows it.
 */
export async function* exportCustomer(db: Database, userId: string, exportedAt: Date): AsyncGenerator<string> {
  const owners = await ownersOf(db, userId)
  yield `{"user_id":${JSON.stringify(userId)},"exported_at":${JSON.stringify(exportedAt.toISOString())}`
  for (const owned of OWNED_TABLES) yield* array(owned.as, rowsOf(db, owned, owners))
  yield ',"complete":true}'
}

async function* rowsOf(db: Database, owned: OwnedTable, owners: Owners): AsyncGenerator<object[]> {
  if (owned.of !== 'session_id') return yield* pages((after) => pageRows(db.executor, owned, owners, after))
  for (let after = ''; ; ) {
    const sessionIds = await sessionsOf(db.executor, owners.user_id, SESSIONS, after)
    const some = { ...owners, session_id: sessionIds }
    if (sessionIds.length > 0) yield* pages((place) => pageRows(db.executor, owned, some, place))
    if (sessionIds.length < SESSIONS) return
    after = sessionIds.at(-1) as string
  }
}

async function* pages(read: (after: ExportPlace | null) => ReturnType<typeof pageRows>): AsyncGenerator<object[]> {
  for (let after: ExportPlace | null = null; ; ) {
    const page: Awaited<ReturnType<typeof pageRows>> = await read(after)
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
