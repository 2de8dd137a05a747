import { type PGlite, protocol } from '@electric-sql/pglite'
import { LRUCache } from 'lru-cache'
import { asBytes } from './columns.ts'

export type Statements = ReturnType<typeof createStatements>

export interface StatementResult {
  rows: Record<string, unknown>[]
  affectedRows: number
}

interface Prepared {
  name: string
  paramTypes: number[]
  fields: { name: string; dataTypeID: number }[]
  runs: number
}

type Message = Awaited<ReturnType<PGlite['execProtocolStream']>>[number]

const { CommandCompleteMessage, DataRowMessage, ParameterDescriptionMessage, RowDescriptionMessage } = protocol.messages

/** A plan takes some tens of kilobytes. */
const MAX_PREPARED = 200
/** Long texts are those that were put together for one occasion. */
const MAX_TEXT_LENGTH = 4_000
/** A plan for a small table is a bad one for a large table, and nobody tells: plans are made again after so many runs. */
const MAX_RUNS = 500
const PREPARABLE = /^\s*(?:select|insert|update|delete|with)\b/i
/** SQLSTATE feature_not_supported: "cached plan must not change result type", after a table's columns changed. */
const STALE_PLAN = '0A000'

/**
 * Statements of the embedded database, kept prepared. The library's own `query` has each statement parsed, analysed and
 * planned anew, which takes longer than running it: reading ten passages 0.55 ms instead of 0.19.
 */
export function createStatements(pg: PGlite) {
  const { serialize } = protocol
  const dropped: string[] = []
  const cache = new LRUCache<string, Prepared>({ max: MAX_PREPARED, dispose: ({ name }) => void dropped.push(name) })
  let lastNumber = 0

  /** @param messages end in a Sync, so that the connection is ready again also after an error. */
  function exchange(messages: Uint8Array): Promise<Message[]> {
    if (dropped.length === 0) return pg.execProtocolStream(messages)
    const closing = dropped.splice(0).map((name) => serialize.close({ type: 'S', name }))
    return pg.execProtocolStream(Buffer.concat([...closing, messages]))
  }

  async function prepare(text: string): Promise<Prepared> {
    const name = `s${++lastNumber}`
    const asking = [serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync()]
    const messages = await exchange(Buffer.concat(asking))
    const prepared = { name, paramTypes: paramTypesIn(messages), fields: fieldsIn(messages), runs: 0 }
    cache.set(text, prepared)
    return prepared
  }

  async function run(text: string, params: readonly unknown[]): Promise<StatementResult> {
    const kept = cache.get(text)
    const prepared = kept && kept.runs < MAX_RUNS ? kept : await prepare(text)
    prepared.runs++
    const values = params.map(asBytes).map((param, i) => encode(param, pg.serializers[prepared.paramTypes[i] ?? 0]))
    const { name: statement } = prepared
    const running = [bind(statement, values), serialize.execute({}), serialize.sync()]
    const messages = await exchange(Buffer.concat(running))
    return { rows: rowsIn(messages, prepared, pg.parsers), affectedRows: affectedRowsIn(messages) }
  }

  return {
    /** Runs one statement that takes part in no other exchange. Rejects with the database's error. */
    async query(text: string, params: readonly unknown[]): Promise<StatementResult> {
      if (!PREPARABLE.test(text) || text.length > MAX_TEXT_LENGTH) {
        const { rows, affectedRows } = await pg.query<Record<string, unknown>>(text, params.map(asBytes))
        return { rows, affectedRows: affectedRows ?? 0 }
      }
      try {
        return await run(text, params)
      } catch (error) {
        if ((error as { code?: unknown }).code !== STALE_PLAN) throw error
        cache.delete(text)
        // Within a transaction the error has ended it: the next one gets a new plan.
        if (pg.isInTransaction()) throw error
        return run(text, params)
      }
    },
  }
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value])
const int32 = (value: number): Buffer => Buffer.concat([int16(value >> 16), int16(value)])

/**
 * The message Bind (https://www.postgresql.org/docs/18/protocol-message-formats.html). The library's own grows and copies
 * a buffer for each value and counts the bytes of a text one character after the other.
 */
function bind(statement: string, values: readonly (string | Uint8Array | null)[]): Buffer {
  const formats = values.map((value) => int16(value instanceof Uint8Array ? 1 : 0))
  const sized = values.flatMap((value) => {
    if (value === null) return [int32(-1)]
    const bytes = typeof value === 'string' ? Buffer.from(value) : value
    return [int32(bytes.length), bytes]
  })
  const count = int16(values.length)
  const body = Buffer.concat([Buffer.from(`\0${statement}\0`), count, ...formats, count, ...sized, int16(0)])
  return Buffer.concat([Buffer.from('B'), int32(body.length + 4), body])
}

/** Text for Postgres, or bytes as they are. */
function encode(param: unknown, serializer: ((value: unknown) => string) | undefined) {
  if (param === null || param === undefined) return null
  if (param instanceof Uint8Array) return param
  return serializer ? serializer(param) : String(param)
}

function paramTypesIn(messages: readonly Message[]): number[] {
  return messages.find((message) => message instanceof ParameterDescriptionMessage)?.dataTypeIDs ?? []
}

function fieldsIn(messages: readonly Message[]): Prepared['fields'] {
  return messages.find((message) => message instanceof RowDescriptionMessage)?.fields ?? []
}

function rowsIn(
  messages: readonly Message[],
  { fields }: Prepared,
  parsers: PGlite['parsers'],
): StatementResult['rows'] {
  const read = fields.map(({ dataTypeID }) => parsers[dataTypeID] ?? ((value: string) => value))
  const rows = messages.filter((message) => message instanceof DataRowMessage)
  return rows.map(({ fields: values }) => {
    const row: Record<string, unknown> = {}
    for (const [i, { name, dataTypeID }] of fields.entries()) {
      const value = values[i] ?? null
      row[name] = value === null ? null : read[i]?.(value, dataTypeID)
    }
    return row
  })
}

/** The last word of "INSERT 0 5"; of "SELECT 5", nothing was affected. */
function affectedRowsIn(messages: readonly Message[]): number {
  const text = messages.find((message) => message instanceof CommandCompleteMessage)?.text ?? ''
  return text.startsWith('SELECT') ? 0 : Number(text.split(' ').at(-1)) || 0
}
