import { AppError } from '../../../kernel/errors.ts'
import { type InTurn, oneAtATime } from '../../../kernel/one-at-a-time.ts'
import type { Clock } from '../../../platform/clock.ts'

/** Sends one robot's messages in order and no faster than the platform takes them. */
export type SendQueue = {
  /** Waits for the robot's turn, then runs `send`. Throws `too_many` at once when too many are waiting already. */
  run<T>(robotCode: string, send: () => Promise<T>): Promise<T>
}

export type SendQueueOptions = {
  clock: Clock
  sleep: (ms: number) => Promise<void>
  /** Messages in any window. */
  limit?: number
  /** A second over the minute: the platform counts arrivals, and the network may delay the first of a window. */
  windowMs?: number
  maxWaiting?: number
}

type Lane = { startsMs: number[]; waiting: number; inTurn: InTurn }

/**
 * DingTalk takes 20 messages a minute of one robot and mutes it for ten minutes beyond that. The last 20 start times are
 * kept, so a conversation answers at once while there is room and is spaced when there is none; a fixed gap of three
 * seconds would delay every answer of a quiet robot. One at a time, so that messages arrive in the order they were given.
 */
export function createSendQueue(options: SendQueueOptions): SendQueue {
  const { clock, sleep, limit = 20, windowMs = 61_000, maxWaiting = 100 } = options
  const lanes = new Map<string, Lane>()

  function laneOf(robotCode: string): Lane {
    const lane = lanes.get(robotCode) ?? { startsMs: [], waiting: 0, inTurn: oneAtATime() }
    if (!lanes.has(robotCode)) dropIdle(lanes, clock.now() - windowMs)
    lanes.set(robotCode, lane)
    return lane
  }

  async function takeTurn<T>(lane: Lane, send: () => Promise<T>): Promise<T> {
    try {
      await waitForRoom(lane)
      lane.startsMs.push(clock.now())
      return await send()
    } finally {
      lane.waiting -= 1
    }
  }

  async function waitForRoom(lane: Lane): Promise<void> {
    for (;;) {
      // What seems to lie ahead was sent before the clock was set back: waiting for it could take years.
      lane.startsMs = lane.startsMs.filter((startMs) => Math.abs(clock.now() - startMs) < windowMs)
      const [oldest] = lane.startsMs
      if (oldest === undefined || lane.startsMs.length < limit) return
      await sleep(oldest + windowMs - clock.now())
    }
  }

  return {
    async run(robotCode, send) {
      const lane = laneOf(robotCode)
      if (lane.waiting >= maxWaiting) throw queueFull(windowMs)
      lane.waiting += 1
      return lane.inTurn(() => takeTurn(lane, send))
    },
  }
}

/** Robot codes come from requests, so lanes without a recent message must not pile up. */
function dropIdle(lanes: Map<string, Lane>, sinceMs: number): void {
  for (const [robotCode, lane] of lanes) {
    if (lane.waiting === 0 && (lane.startsMs.at(-1) ?? 0) <= sinceMs) lanes.delete(robotCode)
  }
}

function queueFull(windowMs: number): AppError {
  const retryAfterSeconds = Math.ceil(windowMs / 1000)
  return new AppError('too_many', 'dingtalk_queue_full', 'Too many DingTalk messages are waiting', {
    retryAfterSeconds,
  })
}
