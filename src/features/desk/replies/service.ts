import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { HandoffSession } from '../../handoff/index.ts'
import type { Business } from '../../orders/index.ts'
import {
  countUse,
  deleteReply,
  findReply,
  insertReply,
  listReplies,
  ordersSpokenOf,
  type ReplyFilter,
  updateReply,
} from './queries.ts'
import type { ReplyWords, SavedReply } from './types.ts'
import { orderMeant, valuesOf } from './values.ts'
import { faultOf, fill, type Variable } from './variables.ts'

export interface RepliesOptions {
  db: Database
  business: Pick<Business, 'recordsOf'>
  findSession(sessionId: string): Promise<HandoffSession | undefined>
  /** Whether an error of the database says that something is there already. */
  isDuplicate(error: unknown): boolean
  log: Log
}

export type Replies = ReturnType<typeof createReplies>

/** For whom a reply is written out, and by whom. */
export interface Rendering {
  sessionId: string
  agentName: string
  /** Empty: the order last spoken of, or the only one. */
  orderId: string
}

/** Replies that people keep for each other. */
export function createReplies(options: RepliesOptions) {
  const { db } = options
  const { executor } = db

  return {
    /** The newest first. */
    list: (filter: ReplyFilter): Promise<SavedReply[]> => listReplies(executor, filter),

    /** Throws not_found. */
    async find(replyId: string): Promise<SavedReply> {
      const reply = await findReply(executor, replyId)
      if (!reply) throw noReply(replyId)
      return reply
    },

    /** Throws invalid for a variable that is none, and conflict where the shortcut is taken. */
    async add(words: ReplyWords, author: string): Promise<SavedReply> {
      assertVariables(words.content)
      const reply = await insertReply(executor, { replyId: newId('reply'), author, ...words })
      if (!reply) throw taken(words.shortcut)
      return reply
    },

    /** Throws not_found, invalid for a variable that is none, and conflict where the shortcut is taken. */
    change: (replyId: string, change: Partial<ReplyWords>): Promise<{ before: SavedReply; after: SavedReply }> =>
      db
        .transaction(async (trx) => {
          const before = await findReply(trx, replyId, true)
          if (!before) throw noReply(replyId)
          const words = { ...before, ...change }
          assertVariables(words.content)
          return { before, after: await updateReply(trx, replyId, words) }
        })
        .catch((error: unknown) => {
          throw options.isDuplicate(error) ? taken(change.shortcut ?? null) : error
        }),

    /** Throws not_found. */
    async remove(replyId: string): Promise<SavedReply> {
      const reply = await deleteReply(executor, replyId)
      if (!reply) throw noReply(replyId)
      return reply
    },

    /** The reply with the values of a conversation, which counts as a use. Throws not_found. */
    async render(replyId: string, rendering: Rendering): Promise<{ text: string; missing: Variable[] }> {
      const reply = await findReply(executor, replyId)
      if (!reply) throw noReply(replyId)
      const session = await options.findSession(rendering.sessionId)
      if (!session) throw new AppError('not_found', 'session', `No session has the session_id ${rendering.sessionId}`)
      const rendered = fill(reply.content, valuesOf(await factsOf(options, session, rendering)))
      await countUse(executor, replyId)
      return rendered
    },
  }
}

/** Records that cannot be read are missing: the person can still write. */
async function factsOf(options: RepliesOptions, { sessionId, userId }: HandoffSession, rendering: Rendering) {
  const { agentName, orderId: named } = rendering
  const facts = { sessionId, userId, agentName, customer: null, order: null }
  if (userId === '') return facts
  try {
    const spokenOf = await ordersSpokenOf(options.db.executor, sessionId)
    // Systems that cannot list a customer's orders still find one by its number.
    const orderIds = [named || (spokenOf[0] ?? '')].filter((id) => id !== '')
    const { customers, orders } = await options.business.recordsOf({ userIds: [userId], orderIds })
    const own = orders.filter((order) => order.user_id === userId)
    const customer = customers.find((each) => each.user_id === userId) ?? null
    return { ...facts, customer, order: orderMeant(own, { named, spokenOf }) }
  } catch (error) {
    options.log.warn({ err: error }, 'A business system failed; a saved reply goes without its records')
    return facts
  }
}

function assertVariables(content: string): void {
  const fault = faultOf(content)
  if (fault !== null) throw new AppError('invalid', 'variable', `content: ${fault}`)
}

function taken(shortcut: string | null): AppError {
  const named = shortcut === null ? 'the shortcut' : `the shortcut ${shortcut}`
  return new AppError('conflict', 'shortcut', `shortcut: another reply has ${named} in this language`)
}

function noReply(replyId: string): AppError {
  return new AppError('not_found', 'reply', `No saved reply has the reply_id ${replyId}`)
}
