import { ASIDE_TOPIC } from '../../kernel/asides.ts'
import { AppError } from '../../kernel/errors.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import { CHANNELS } from '../sessions/index.ts'
import { countRows, deleteRead, findByName, findRows, listRows, saveRead } from './list-queries.ts'
import { findLatest, wordsToFind } from './search.ts'
import { createSearchIndex, type SearchIndexOptions, wordHash } from './search-index.ts'
import { countMessages, latestIn, readTexts } from './search-queries.ts'
import type { DeskCounts, DeskCursor, DeskFilter, DeskRow, FoundMessage } from './types.ts'

export interface DeskOptions extends SearchIndexOptions {
  live: Pick<LiveEvents, 'publish'>
}

export type Desk = ReturnType<typeof createDesk>

export interface DeskQuery {
  filter: DeskFilter
  /** Whose marks count. */
  reader: string
  limit: number
}

/** A conversation that was found, with the message for which it was; null: by its id or its customer's. */
export interface FoundRow extends DeskRow {
  match: { messageId: string; role: string; content: string; createdAt: Date } | null
  /** Number of that message; null: there is none. */
  matchSeq: number | null
}

/** Where a page of a search goes on: below a message's number, or as a list does. */
export type SearchCursor = { seq: number } | DeskCursor

export interface FoundPage {
  rows: FoundRow[]
  /** Where the next page begins; null: this was the last. */
  next: SearchCursor | null
  /** Words that every message in it holds. */
  words: string[]
}

/** So many conversations are looked at for one page of a search that a filter narrows. */
const MAX_LOOKED_AT = 2_000

/** Conversations as people at the desk look for them: in lists, and by what was said. */
export function createDesk(options: DeskOptions) {
  const { db, analyser, live } = options
  const { executor } = db
  const index = createSearchIndex(options)

  return {
    /** The latest activity first; `before` goes on after a row. */
    list: ({ filter, reader, limit }: DeskQuery, before: DeskCursor | null): Promise<DeskRow[]> =>
      listRows(executor, { filter, reader, before, limit }),

    /**
     * Conversations in which a message holds all the words of a text, the one of the latest such message first; before
     * them those of which it is the id, or their customer's. Where a filter leaves few of many, the latest activity first.
     */
    async search(query: DeskQuery, text: string, cursor: SearchCursor | null): Promise<FoundPage> {
      await index.catchUp()
      const words = wordsToFind(analyser, text)
      const named = cursor === null ? await byName(query, text) : []
      if (words.length === 0) return { rows: named, next: null, words }
      const isByList = cursor === null ? await isBetterByList(query.filter, words) : 'updatedAt' in cursor
      const { rows, next } = isByList
        ? await byList(query, words, cursor as DeskCursor | null)
        : await byWords(query, words, (cursor as { seq: number } | null)?.seq ?? null)
      const names = new Set(named.map(({ sessionId }) => sessionId))
      return { rows: [...named, ...rows.filter(({ sessionId }) => !names.has(sessionId))], next, words }
    },

    counts: (reader: string): Promise<DeskCounts> => countRows(executor, reader),

    /** @param messageId the last that was read; null: all. Throws not_found. */
    async markRead(sessionId: string, reader: string, messageId: string | null): Promise<void> {
      if ((await saveRead(executor, { sessionId, reader, messageId })) !== undefined) return tellRead(sessionId, reader)
      const what =
        messageId === null ? `No session has the session_id ${sessionId}` : `The session has no message ${messageId}`
      throw new AppError('not_found', messageId === null ? 'session' : 'message', what)
    },

    markUnread: (sessionId: string, reader: string): Promise<void> => deleteRead(executor, sessionId, reader),

    close: index.close,
  }

  /** The customer is told that somebody read, and the reader's other windows. */
  async function tellRead(sessionId: string, reader: string): Promise<void> {
    const read = { session_id: sessionId, role: 'agent' }
    const own = { ...read, ...(reader === '' ? {} : { agent_id: reader }) }
    await live.publish(executor, { topic: ASIDE_TOPIC, type: 'read', ref: JSON.stringify(own) })
    await live.publish(executor, { topic: `session:${sessionId}`, type: 'read', ref: JSON.stringify(read) })
  }

  async function byName({ filter, reader, limit }: DeskQuery, text: string): Promise<FoundRow[]> {
    const sessionIds = await findByName(executor, { id: text.trim(), channels: CHANNELS }, limit)
    if (sessionIds.length === 0) return []
    const rows = await findRows(executor, { sessionIds, filter, reader })
    const bySession = new Map(rows.map((row) => [row.sessionId, row]))
    return sessionIds.flatMap((id) => {
      const row = bySession.get(id)
      return row ? [{ ...row, match: null, matchSeq: null }] : []
    })
  }

  async function byWords({ filter, reader, limit }: DeskQuery, words: readonly string[], from: number | null) {
    const rows: FoundRow[] = []
    let before = from
    for (let looked = 0; rows.length < limit; looked += limit) {
      const found = await findLatest(db, { words, before, isEnough: (count) => count >= limit })
      rows.push(...(await rowsOf(await withoutEarlier(found, words, before), { filter, reader })))
      const isAll = found.length < limit
      before = Math.min(...found.map(({ seq }) => seq))
      if (isAll && rows.length <= limit) return { rows, next: null }
      // A filter that lets next to nothing through: the caller may go on from here.
      if (looked >= MAX_LOOKED_AT && rows.length < limit) return { rows, next: { seq: before } }
    }
    const shown = rows.slice(0, limit)
    return { rows: shown, next: { seq: shown.at(-1)?.matchSeq ?? 0 } }
  }

  /** Words that many messages hold are soon found in the conversations that a filter leaves; others the other way round. */
  async function isBetterByList(
    { status, agentId, user, labelId, isUnread, from, to }: DeskFilter,
    words: readonly string[],
  ) {
    const isNarrow = [agentId, user, labelId, isUnread, from, to].some((each) => each !== undefined)
    if (!isNarrow && (status === undefined || status === 'none')) return false
    return (await countMessages(executor, words.map(wordHash), MAX_LOOKED_AT)) >= MAX_LOOKED_AT
  }

  async function byList({ filter, reader, limit }: DeskQuery, words: readonly string[], before: DeskCursor | null) {
    const hashes = words.map(wordHash)
    const rows = await listRows(executor, { filter, reader, before, limit, words: hashes })
    const sessionIds = rows.map(({ sessionId }) => sessionId)
    const found = await latestIn(executor, { sessionIds, words: hashes, from: 0 })
    const withMatch = await matched(rows, found)
    const last = rows.length === limit ? rows.at(-1) : undefined
    const next = last ? { updatedAt: last.updatedKey, sessionId: last.sessionId } : null
    return { rows: withMatch, next }
  }

  /** Conversations that a page before has shown are in it for a later message. */
  async function withoutEarlier(found: FoundMessage[], words: readonly string[], from: number | null) {
    if (from === null || found.length === 0) return found
    const sessionIds = found.map(({ sessionId }) => sessionId)
    const later = await latestIn(executor, { sessionIds, words: words.map(wordHash), from })
    const shown = new Set(later.map(({ sessionId }) => sessionId))
    return found.filter(({ sessionId }) => !shown.has(sessionId))
  }

  async function rowsOf(
    found: readonly FoundMessage[],
    of: { filter: DeskFilter; reader: string },
  ): Promise<FoundRow[]> {
    if (found.length === 0) return []
    const rows = await findRows(executor, { sessionIds: found.map(({ sessionId }) => sessionId), ...of })
    const bySession = new Map(rows.map((row) => [row.sessionId, row]))
    return matched(
      found.flatMap(({ sessionId }) => bySession.get(sessionId) ?? []),
      found,
    )
  }

  /** Rows in their order, each with the message for which it was found. */
  async function matched(rows: readonly DeskRow[], found: readonly FoundMessage[]): Promise<FoundRow[]> {
    const seqOf = new Map(found.map(({ sessionId, seq }) => [sessionId, seq]))
    const shown = rows.flatMap(({ sessionId }) => seqOf.get(sessionId) ?? [])
    const texts = new Map((await readTexts(executor, shown)).map((each) => [each.seq, each]))
    return rows.map((row) => {
      const matchSeq = seqOf.get(row.sessionId) ?? null
      return { ...row, match: (matchSeq !== null && texts.get(matchSeq)) || null, matchSeq }
    })
  }
}
