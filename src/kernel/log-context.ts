import { AsyncLocalStorage } from 'node:async_hooks'

/** Ids by which the lines of one request, conversation or turn are found. */
export interface LogContext {
  reqId?: string
  sessionId?: string
  traceId?: string
}

const NONE: LogContext = {}
const contexts = new AsyncLocalStorage<LogContext>({ defaultValue: NONE })

/** Every line that `work` writes, and whatever it starts, carries these ids beside those it carries already. */
export function withLogContext<Result>(ids: LogContext, work: () => Result): Result {
  return contexts.run({ ...contexts.getStore(), ...ids }, work)
}

/** The ids that hold where this is called. */
export function logContext(): LogContext {
  return contexts.getStore() ?? NONE
}
