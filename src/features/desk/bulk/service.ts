import { AppError } from '../../../kernel/errors.ts'
import type { Actor, Handoff } from '../../handoff/index.ts'
import type { Labels } from '../labels/service.ts'
import type { Desk } from '../service.ts'

export type BulkAction =
  | 'add_labels'
  | 'remove_labels'
  | 'take'
  | 'transfer'
  | 'release'
  | 'resolve'
  | 'read'
  | 'unread'

/** One act on many conversations. */
export interface BulkRequest {
  sessionIds: readonly string[]
  action: BulkAction
  /** Who acts; null: a program with the key. */
  actor: Actor | null
  /** Who takes or reads, or to whom sessions are transferred. */
  agentId: string
  labelIds: readonly string[]
  to: 'queue' | 'assistant'
  note: string
}

export interface BulkOutcome {
  sessionId: string
  /** Why nothing happened to it; null: it was done. */
  error: string | null
}

export interface BulkOptions {
  handoff: Pick<Handoff, 'take' | 'transfer' | 'release' | 'resolve'>
  desk: Pick<Desk, 'markRead' | 'markUnread'>
  labels: Pick<Labels, 'relabel'>
}

export type Bulk = ReturnType<typeof createBulk>

/** Acts on many conversations, each by itself as if it were asked for alone: one that is refused stops no other. */
export function createBulk(options: BulkOptions) {
  const actions = actionsOf(options)
  return async (request: BulkRequest): Promise<BulkOutcome[]> => {
    const outcomes: BulkOutcome[] = []
    // One after the other: a hundred at once would take the database from those who answer customers.
    for (const sessionId of new Set(request.sessionIds)) {
      outcomes.push({ sessionId, error: await refusalOf(actions[request.action](sessionId, request)) })
    }
    return outcomes
  }
}

function actionsOf({
  handoff,
  desk,
  labels,
}: BulkOptions): Record<BulkAction, (id: string, request: BulkRequest) => Promise<unknown>> {
  return {
    add_labels: (id, { labelIds }) => labels.relabel(id, { add: labelIds }),
    remove_labels: (id, { labelIds }) => labels.relabel(id, { remove: labelIds }),
    take: (id, { agentId, actor }) => handoff.take(id, { agentId: actor?.name ?? agentId, force: false, actor }),
    transfer: (id, { agentId, note, actor }) => handoff.transfer(id, { to: agentId, note, actor }),
    release: (id, { to, note, actor }) => handoff.release(id, { to, note, actor }),
    resolve: (id, { note, actor }) => handoff.resolve(id, note, actor),
    read: (id, { agentId, actor }) => desk.markRead(id, actor?.name ?? agentId, null),
    unread: (id, { agentId, actor }) => desk.markUnread(id, actor?.name ?? agentId),
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['not_found', 'conflict', 'invalid', 'forbidden'])

/** Failures of the service are none of one conversation: they go to the caller. */
async function refusalOf(done: Promise<unknown>): Promise<string | null> {
  try {
    await done
    return null
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.kind)) return error.message
    throw error
  }
}
