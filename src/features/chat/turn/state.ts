import type { Understanding } from '../../../language/understanding.ts'
import type { EscalationCard } from '../../handoff/index.ts'
import type {
  ReplyMode,
  SessionContext,
  SessionRow,
  Source,
  StoredMessage,
  SubTaskResult,
  Suggestion,
} from '../../sessions/index.ts'
import type { Task, TaskResult } from '../agents/task.ts'
import type { Claim } from '../cache/reply-cache.ts'
import type { ChatEvent, Confidence } from '../types.ts'
import type { CachedReply } from './cache.ts'
import type { TurnSettings } from './settings.ts'
import type { TurnOutcome } from './store.ts'
import type { TurnTrace } from './trace.ts'

/** Hands an event to whoever follows a turn; resolves when the next is wanted. */
export type Emit = (event: ChatEvent) => Promise<void>

/** How a turn begins. */
export interface TurnOpening {
  readonly message: string
  /** A person is asked for, whatever the message says. */
  readonly callsPerson?: boolean
  readonly session: SessionRow
  /** Oldest first, the message itself last. */
  readonly history: readonly StoredMessage[]
  readonly settings: TurnSettings
  readonly trace: TurnTrace
  /** Aborted when the caller leaves or a person takes the session over. */
  readonly signal: AbortSignal
  isTakenOver(): boolean
  /** Null: nobody follows, the reply is wanted whole. */
  readonly emit: Emit | null
}

/** One turn from its message to its end: each step of the pipeline fills in its part. */
export interface TurnState extends TurnOpening {
  understanding: Understanding
  tasks: readonly Task[]
  claim: Claim<CachedReply>
  results: readonly TaskResult[]
  /** A person has the session: the assistant says no more than that the message was passed on. */
  isAssigned: boolean
  /** Consecutive turns without a confident answer, this one included. */
  failedAttempts: number
  /** Of the call for a person that this turn makes. */
  card: EscalationCard | null
  reply: string
  /** Pieces of the reply that nobody may read before it is stored, because they say that a person was called. */
  held: string[]
  mode: ReplyMode
  sources: Source[]
  /** Documents to choose from, in the order of their numbers. */
  suggestions: Suggestion[]
  subTasks: SubTaskResult[]
  /** The reply settles the question. */
  confident: boolean
  confidence: Confidence | null
  /** Facts for the next turn. */
  context: SessionContext
  /** The customer left, or a person took over, while the reply was written. */
  interrupted: boolean
  outcome: TurnOutcome | null
}

/** In which the empty message is understood without being read: what was read of first messages is remembered. */
export const OPENING = { lastIntent: 'unknown' } as const

/** @param nothing how the empty message is understood */
export function openState(opening: TurnOpening, nothing: Understanding): TurnState {
  const { session } = opening
  return {
    ...opening,
    understanding: nothing,
    tasks: [],
    claim: { kind: 'bypass' },
    results: [],
    isAssigned: session.agentStatus === 'assigned',
    failedAttempts: session.failedAttempts,
    card: null,
    reply: '',
    held: [],
    mode: 'notice',
    sources: [],
    suggestions: [],
    subTasks: [],
    confident: false,
    confidence: null,
    context: session.context,
    interrupted: false,
    outcome: null,
  }
}
