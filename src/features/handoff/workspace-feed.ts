import type { Log } from '../../kernel/log.ts'
import { untilAvailable } from '../../kernel/retry.ts'
import type { LiveEvent, LiveEvents } from '../../platform/live-events.ts'
import type { SessionMessage } from '../sessions/index.ts'
import type { Handoff } from './service.ts'
import type { HandoffSession } from './types.ts'

/** Something that people who help should know of: what was said, or a change that a message of the system tells. */
export interface WorkspaceEvent {
  message: SessionMessage
  session: HandoffSession
  /** The message, of which an event told before, could not be brought to the customer. */
  isLost?: boolean
}

export interface FeedOptions {
  live: LiveEvents
  handoff: Pick<Handoff, 'find' | 'message' | 'latestCall' | 'lastSeq' | 'workspaceAfter'>
  log: Log
}

interface Follower {
  waiting: WorkspaceEvent[]
  /** Some events did not come through: read from the database what is new. */
  missed: boolean
  wake(): void
}

const MAX_WAITING = 1_000
const MAX_REMEMBERED = 2_000
const PAGE = 200

/**
 * Events of the workspace, on any replica. Each event is read once per process, however many people follow; who
 * follows too slowly, or while the database was away, gets what was missed from the database.
 */
export function createWorkspaceFeed(options: FeedOptions) {
  const { live, handoff, log } = options
  const followers = new Set<Follower>()
  let reading: Promise<void> = Promise.resolve()

  const markMissed = (): void => {
    for (const follower of followers) {
      follower.missed = true
      follower.wake()
    }
  }
  const deliver = (event: WorkspaceEvent): void => {
    for (const follower of followers) {
      if (follower.waiting.length >= MAX_WAITING) follower.missed = true
      else follower.waiting.push(event)
      follower.wake()
    }
  }
  // One after the other, so that events keep their order.
  const receive = (event: LiveEvent): void => {
    if (followers.size === 0) return
    reading = reading
      .then(async () => {
        const read = await readEvent(handoff, event)
        if (read) deliver(read)
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'An event of the workspace could not be read')
        markMissed()
      })
  }
  const unsubscribe = live.subscribe('workspace', receive, markMissed)

  return {
    /**
     * Everything from now on, or what came after `afterSeq` first. Following begins before this resolves. Ends when
     * `signal` aborts.
     */
    async follow(afterSeq: number | null, signal: AbortSignal): Promise<AsyncIterable<WorkspaceEvent>> {
      const follower: Follower = { waiting: [], missed: afterSeq !== null, wake: () => {} }
      followers.add(follower)
      try {
        const start = afterSeq ?? (await handoff.lastSeq())
        return events(options, follower, start, signal, () => followers.delete(follower))
      } catch (error) {
        followers.delete(follower)
        throw error
      }
    },
    close: unsubscribe,
  }
}

async function* events(
  { handoff }: FeedOptions,
  follower: Follower,
  start: number,
  signal: AbortSignal,
  leave: () => void,
): AsyncGenerator<WorkspaceEvent> {
  const seen = createSeen(start)
  signal.addEventListener('abort', () => follower.wake(), { once: true })
  try {
    while (!signal.aborted) {
      if (follower.missed) {
        follower.missed = false
        follower.waiting = []
        for await (const event of missedEvents(handoff, seen, signal)) yield event
      }
      const event = follower.waiting.shift()
      if (event && (event.isLost || seen.add(event.message.seq))) yield event
      else if (!event && !follower.missed && !signal.aborted) await woken(follower)
    }
  } finally {
    leave()
  }
}

function woken(follower: Follower): Promise<void> {
  return new Promise((resolve) => {
    follower.wake = resolve
  })
}

async function* missedEvents(
  handoff: FeedOptions['handoff'],
  seen: ReturnType<typeof createSeen>,
  signal: AbortSignal,
): AsyncGenerator<WorkspaceEvent> {
  for (let after = seen.last(); ; ) {
    const from = after
    const page = await untilAvailable(() => handoff.workspaceAfter(from, PAGE), signal)
    for (const message of page) {
      after = message.seq
      const session = await untilAvailable(() => handoff.find(message.sessionId), signal)
      if (session && seen.add(message.seq)) yield { message, session }
    }
    if (page.length < PAGE) return
  }
}

/** Events that were sent already; of two transactions at once the later number may come first. */
function createSeen(start: number) {
  const numbers = new Set<number>()
  let last = start
  return {
    last: () => last,
    /** False when it was there. */
    add(seq: number): boolean {
      if (numbers.has(seq)) return false
      numbers.add(seq)
      last = Math.max(last, seq)
      const [oldest] = numbers
      if (numbers.size > MAX_REMEMBERED && oldest !== undefined) numbers.delete(oldest)
      return true
    },
  }
}

/** A call for a person names its session, everything else its message. */
async function readEvent(
  handoff: FeedOptions['handoff'],
  { type, ref = '' }: LiveEvent,
): Promise<WorkspaceEvent | undefined> {
  const message = type === 'pending' ? await handoff.latestCall(ref) : await handoff.message(ref)
  const session = message && (await handoff.find(message.sessionId))
  return session && message ? { message, session, isLost: type === 'delivery_failed' } : undefined
}
