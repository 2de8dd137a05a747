import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { claimMessage, findMessage, finishMessage, releaseMessage, renewMessage } from './queries.ts'

/** The name of a message on its way in. */
export interface MessageKey {
  /** Or the callback that it came by. */
  channel: string
  userId: string
  messageId: string
}

type Ports = { db: Database; log: Log }

export interface Answered<T> {
  result: T
  /** The message had been answered, or was being answered, when this one came. */
  duplicate: boolean
}

export interface Work<T extends object> {
  /** The answer goes out by itself from the start. */
  pushes: boolean
  run(): Promise<T>
  /** In the transaction that stores the answer; called when it is to go out by itself. */
  push(trx: Executor, result: T): Promise<void>
}

export type Deduplicate = ReturnType<typeof createDeduplicate>

const LEASE_SECONDS = 60
const RENEW_MS = 20_000
const POLL_MS = 100
const WAIT_MS = 90_000

/**
 * Answers a message once, however often it comes in and on whichever replicas: repeats get the first answer, those that
 * come while it is being made wait for it. A failure is shared by those who wait and forgotten, so that the next repeat
 * is handled anew; a message whose process died is taken over.
 */
export function createDeduplicate(options: Ports) {
  const running = new Map<string, Promise<Answered<object>>>()

  return async function deduplicate<T extends object>(key: MessageKey, work: Work<T>): Promise<Answered<T>> {
    const name = JSON.stringify([key.channel, key.userId, key.messageId])
    const current = running.get(name)
    // The same message is the same kind of work, so its result is a T.
    if (current) return { result: (await current).result as T, duplicate: true }
    const answered = claimOrWait(options, key, work).finally(() => running.delete(name))
    running.set(name, answered)
    return answered
  }
}

async function claimOrWait<T extends object>(options: Ports, key: MessageKey, work: Work<T>): Promise<Answered<T>> {
  const { executor } = options.db
  const claim = { owner: newId('gateway'), leaseSeconds: LEASE_SECONDS, pushes: work.pushes }
  const deadline = Date.now() + WAIT_MS
  while (!(await claimMessage(executor, key, claim))) {
    const known = await findMessage(executor, key)
    if (known?.state === 'done') return { result: known.result as T, duplicate: true }
    if (Date.now() > deadline) {
      const text = 'The first message with this message_id is still being answered'
      throw new AppError('unavailable', 'message_running', text, { retryAfterSeconds: 5 })
    }
    await sleep(POLL_MS)
  }
  return { result: await handle(options, key, claim.owner, work), duplicate: false }
}

async function handle<T extends object>({ db, log }: Ports, key: MessageKey, owner: string, work: Work<T>): Promise<T> {
  const renewal = setInterval(() => {
    renewMessage(db.executor, key, owner, LEASE_SECONDS).catch((error: unknown) =>
      log.warn({ err: error }, 'The lease of a channel message could not be renewed'),
    )
  }, RENEW_MS)
  try {
    const result = await work.run()
    await db.transaction(async (trx) => {
      const finished = await finishMessage(trx, key, owner, result)
      if (finished?.delivery === 'pushed') await work.push(trx, result)
    })
    return result
  } catch (error) {
    await releaseMessage(db.executor, key, owner).catch(() => {})
    throw error
  } finally {
    clearInterval(renewal)
  }
}
