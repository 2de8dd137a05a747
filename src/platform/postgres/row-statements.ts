import { type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Column, ColumnType, ColumnValue } from './columns.ts'
import type { Executor } from './database.ts'

/** The rows that a statement runs over. */
interface Rows {
  rows: readonly unknown[]
}

/** Parameters of a statement over rows: each run finds their values in what it is given. */
interface Parameters<Given extends Rows> {
  /**
   * An array for `unnest`, with a value of each row. It is written where the statement is sent: on the database's own
   * thread, where there is one. Characters that a text column cannot hold are left out (U+0000) or replaced (halves of
   * surrogate pairs).
   */
  column<Type extends ColumnType>(
    type: Type,
    value: (row: Given['rows'][number]) => ColumnValue[Type],
  ): RawBuilder<unknown>
  /** One value. */
  value(read: (given: Given) => unknown): RawBuilder<unknown>
}

/**
 * A statement that is run again and again over many rows at once. Its text is put together once, which takes as long as
 * handing over the rows of a dozen turns.
 */
export function statementOver<Given extends Rows>(
  write: (parameters: Parameters<Given>) => RawBuilder<unknown>,
): (executor: Executor, given: Given) => Promise<QueryResult<unknown>> {
  const statement = write({
    column(type, value) {
      const read = ({ rows }: Given): Column => ({ type, values: rows.map(value) })
      return sql`${new Parameter(read)}::${sql.raw(type)}[]`
    },
    value: (read) => sql`${new Parameter(read)}`,
  })
  let compiled: CompiledQuery | undefined
  return (executor, given) => {
    compiled ??= statement.compile(executor)
    const parameters = compiled.parameters.map((param) => (param instanceof Parameter ? param.read(given) : param))
    return executor.executeQuery({ ...compiled, parameters })
  }
}

/** Stands in a statement for a value that is not known yet. */
class Parameter<Given> {
  readonly read: (given: Given) => unknown
  constructor(read: (given: Given) => unknown) {
    this.read = read
  }
}
