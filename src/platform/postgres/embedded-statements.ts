import { type PGlite, protocol } from '@electric-sql/pglite'
import { LRUCache } from 'lru-cache'
import { asBytes } from './columns.ts'
import { bindAndExecute, type Encoded } from './embedded-bind.ts'

/**
 * Statements of the embedded database, kept prepared. The library's own `query` has each statement parsed, analysed and
 * planned anew, which takes longer than running it: reading ten passages 0.55 ms instead of 0.19.
 */
export interface Statements {
  /** Runs one statement that takes part in no other exchange. Rejects with the database's error. */
  query(text: string, params: readonly unknown[]): Promise<StatementResult>
}

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

export function createStatements(pg: PGlite): Statements {
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
    const messages = await exchange(bindAndExecute(prepared.name, values))
    return { rows: rowsIn(messages, prepared, pg.parsers), affectedRows: affectedRowsIn(messages) }
  }

  return {
    async query(text, params) {
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

/** Text for Postgres, or bytes as they are. */
function encode(param: unknown, serializer: ((value: unknown) => string) | undefined): Encoded {
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
