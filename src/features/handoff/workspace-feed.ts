import { ASIDE_TOPIC, type Aside, readAside } from '../../kernel/asides.ts'
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

/** Something else that the desk is told of, such as a note: not in the order of messages, and never once more. */
export interface Telling {
  event: string
  session: HandoffSession
  data: Record<string, unknown>
  /** Names of people whom it concerns in sessions of others, too. */
  concerns: readonly string[]
}

/** The latest message of a conversation that the assistant has. */
export interface Activity {
  activity: SessionMessage
  session: HandoffSession
}

export type DeskEvent = WorkspaceEvent | Telling | Activity | Aside

/** Reads what an event of one type names; undefined: it is gone. */
export type TellingReader = (ref: string) => Promise<Telling | undefined>

export interface FeedOptions {
  live: LiveEvents
  handoff: Pick<
    Handoff,
    'find' | 'message' | 'latestCall' | 'lastDeskSeq' | 'deskAfter' | 'lastMessageSeq' | 'activityAfter'
  >
  log: Log
}

interface Follower {
  waiting: DeskEvent[]
  /** Whether conversations of the assistant are told of, too. */
  isAll: boolean
  /** Some events did not come through: read from the database what is new. */
  missed: boolean
  wake(): void
}

const MAX_WAITING = 1_000
const PAGE = 200
/** Conversations of the assistant are looked at so often, and only while somebody follows them. */
const ACTIVITY_MS = 1_000

/**
 * Events of the workspace, on any replica. Each event is read once per process, however many people follow; who
 * follows too slowly, or while the database was away, gets what was missed from the database.
 */
export function createWorkspaceFeed(options: FeedOptions) {
  const { live, handoff, log } = options
  const followers = new Set<Follower>()
  const readers = new Map<string, TellingReader>()
  let reading: Promise<void> = Promise.resolve()

  const markMissed = (): void => {
    for (const follower of followers) {
      follower.missed = true
      follower.wake()
    }
  }
  const deliver = (event: DeskEvent): void => {
    for (const follower of followers) {
      if ('activity' in event && !follower.isAll) continue
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
        const reader = readers.get(event.type)
        const read = await (reader ? reader(event.ref ?? '') : readEvent(handoff, event))
        if (read) deliver(read)
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'An event of the workspace could not be read')
        markMissed()
      })
  }
  const unsubscribe = live.subscribe('workspace', receive, markMissed)
  const unsubscribeAsides = live.subscribe(ASIDE_TOPIC, (event) => {
    const aside = readAside(event)
    if (aside) deliver(aside)
  })
  const activity = watchActivity(options, () => [...followers].some(({ isAll }) => isAll), deliver)

  return {
    /**
     * Everything from now on, or what came after `afterSeq` first. Following begins before this resolves. Ends when
     * `signal` aborts.
     */
    async follow(
      { afterSeq, isAll }: { afterSeq: number | null; isAll: boolean },
      signal: AbortSignal,
    ): Promise<AsyncIterable<DeskEvent>> {
      const follower: Follower = { waiting: [], isAll, missed: afterSeq !== null, wake: () => {} }
      followers.add(follower)
      try {
        const start = afterSeq ?? (await handoff.lastDeskSeq())
        return events(options, follower, start, signal, () => followers.delete(follower))
      } catch (error) {
        followers.delete(follower)
        throw error
      }
    },
    /** Events of a type that messages do not tell of. */
    tell: (type: string, reader: TellingReader): void => void readers.set(type, reader),
    close(): void {
      unsubscribe()
      unsubscribeAsides()
      activity.stop()
    },
  }
}

async function* events(
  { handoff }: FeedOptions,
  follower: Follower,
  start: number,
  signal: AbortSignal,
  leave: () => void,
): AsyncGenerator<DeskEvent> {
  const told = { last: start }
  signal.addEventListener('abort', () => follower.wake(), { once: true })
  try {
    while (!signal.aborted) {
      if (follower.missed) {
        follower.missed = false
        follower.waiting = follower.waiting.filter((event) => !('message' in event))
        yield* missedEvents(handoff, told, signal)
      }
      const event = follower.waiting.shift()
      if (event) yield* inOrder(event, follower, told)
      else if (!follower.missed && !signal.aborted) await woken(follower)
    }
  } finally {
    leave()
  }
}

/**
 * An event that is the next one. Those before it may be on their way still, as notifications come one by one: then all of
 * them are read. Ones without a number resume nothing: a lost delivery, and messages of an older release that still runs.
 */
function* inOrder(event: DeskEvent, follower: Follower, told: { last: number }): Generator<DeskEvent> {
  if (!('message' in event)) return yield event
  const { deskSeq } = event.message
  if (event.isLost || deskSeq === null) yield event
  else if (deskSeq > told.last + 1) follower.missed = true
  else if (deskSeq === told.last + 1) {
    told.last = deskSeq
    yield event
  }
}

function woken(follower: Follower): Promise<void> {
  return new Promise((resolve) => {
    follower.wake = resolve
  })
}

async function* missedEvents(
  handoff: FeedOptions['handoff'],
  told: { last: number },
  signal: AbortSignal,
): AsyncGenerator<WorkspaceEvent> {
  for (;;) {
    const page = await untilAvailable(() => handoff.deskAfter(told.last, PAGE), signal)
    for (const message of page) {
      told.last = message.deskSeq ?? told.last
      const session = await untilAvailable(() => handoff.find(message.sessionId), signal)
      if (session) yield { message, session }
    }
    if (page.length < PAGE) return
  }
}

/** Tells of conversations that the assistant has, each once a second at most: without numbers, since it is no matter of the desk. */
function watchActivity(
  { handoff, log }: FeedOptions,
  isWanted: () => boolean,
  deliver: (event: Activity) => void,
): { stop(): void } {
  let last: number | null = null
  let isLooking = false
  const look = async (): Promise<void> => {
    last ??= await handoff.lastMessageSeq()
    const latest = await handoff.activityAfter(last)
    for (const message of latest) {
      last = Math.max(last, message.seq)
      const session = await handoff.find(message.sessionId)
      if (session) deliver({ activity: message, session })
    }
  }
  const timer = setInterval(() => {
    if (!isWanted()) last = null
    if (!isWanted() || isLooking) return
    isLooking = true
    look()
      .catch((error: unknown) => log.warn({ err: error }, 'Conversations of the assistant could not be read'))
      .finally(() => {
        isLooking = false
      })
  }, ACTIVITY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
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
