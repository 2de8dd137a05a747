import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool } from 'kysely'

/**
 * Work inside a transaction that waits for another connection waits for ever where there is only one, and on a server
 * for as long as every connection is held by somebody who does the same. So asking for one is refused at once.
 */
export function createConnectionGuard() {
  /** Mutable: a timer that was set within a transaction still carries it long after the end. */
  const transaction = new AsyncLocalStorage<{ isOpen: boolean }>()
  return {
    /** Runs the work of a transaction. */
    async within<T>(work: () => Promise<T>): Promise<T> {
      const state = { isOpen: true }
      try {
        return await transaction.run(state, work)
      } finally {
        state.isOpen = false
      }
    },

    /** A pool that gives no connection to the work of a transaction, which has one. */
    guard: (pool: PostgresPool): PostgresPool => ({
      options: pool.options,
      async connect() {
        if (transaction.getStore()?.isOpen) {
          throw new Error(
            'A transaction asked for a second connection, which the embedded database does not have: ' +
              'pass the executor of the transaction on instead of using db.executor or db.transaction within it',
          )
        }
        return pool.connect()
      },
      end: () => pool.end(),
    }),
  }
}
