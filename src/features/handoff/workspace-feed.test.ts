import { expect, it } from 'vitest'
import type { LiveEvent, LiveEvents } from '../../platform/live-events.ts'
import type { SessionMessage } from '../sessions/index.ts'
import type { HandoffSession } from './types.ts'
import { createWorkspaceFeed, type DeskEvent } from './workspace-feed.ts'

/** A workspace whose messages are stored in memory and whose notifications come when the test says so. */
function createWorkspace() {
  const stored: SessionMessage[] = []
  let handler: ((event: LiveEvent) => void) | undefined
  let aside: ((event: LiveEvent) => void) | undefined
  let onGap: (() => void) | undefined
  let isDown = false
  const live: LiveEvents = {
    publish: async () => {},
    subscribe: (topic, given, gap) => {
      if (topic === 'workspace') {
        handler = given
        onGap = gap
      } else aside = given
      return () => {}
    },
    close: async () => {},
  }
  const reading = async <T>(value: T): Promise<T> => {
    if (isDown) throw new Error('the database is away')
    return value
  }
  const session = (sessionId: string) => ({ sessionId, agentStatus: 'assigned' }) as HandoffSession
  const handoff = {
    find: (sessionId: string) => reading(session(sessionId)),
    message: (id: string) => reading(stored.find(({ messageId }) => messageId === id)),
    latestCall: (id: string) =>
      reading(stored.findLast(({ sessionId, details }) => sessionId === id && details?.event === 'handoff')),
    lastDeskSeq: () => reading(stored.at(-1)?.seq ?? 0),
    lastMessageSeq: () => reading(0),
    activityAfter: () => reading([]),
    deskAfter: (seq: number, limit: number) => reading(stored.filter((message) => message.seq > seq).slice(0, limit)),
  }
  const feed = createWorkspaceFeed({ live, handoff, log: { warn: () => {} } })
  return {
    feed,
    store(count: number): SessionMessage[] {
      const added = Array.from({ length: count }, (_, i) => {
        const seq = stored.length + i + 1
        return {
          seq,
          deskSeq: seq,
          messageId: `m${seq}`,
          sessionId: 's',
          role: 'user',
          content: `${seq}`,
        } as SessionMessage
      })
      stored.push(...added)
      return added
    },
    call(): void {
      const [message] = this.store(1)
      if (message) Object.assign(message, { role: 'system', details: { event: 'handoff' } })
      handler?.({ topic: 'workspace', type: 'pending', ref: 's' })
    },
    notify: ({ messageId }: SessionMessage): void => handler?.({ topic: 'workspace', type: 'message', ref: messageId }),
    gap: (): void => onGap?.(),
    type: (): void => aside?.({ topic: 'desk', type: 'typing', ref: '{"session_id":"s"}' }),
    setDown: (value: boolean): void => {
      isDown = value
    },
  }
}

async function take(events: AsyncIterable<DeskEvent>, count: number): Promise<number[]> {
  const seen: number[] = []
  for await (const event of events) {
    if ('message' in event) seen.push(event.message.seq)
    if ('aside' in event) seen.push(0)
    if (seen.length === count) break
  }
  return seen
}

const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)

it('begins with what happens after following began', async () => {
  const workspace = createWorkspace()
  workspace.store(3)
  const events = await workspace.feed.follow({ afterSeq: null, isAll: false }, new AbortController().signal)
  for (const message of workspace.store(2)) workspace.notify(message)
  expect(await take(events, 2)).toEqual([4, 5])
})

it('tells of a call for a person also when it is read after the person came', async () => {
  const workspace = createWorkspace()
  const events = await workspace.feed.follow({ afterSeq: null, isAll: false }, new AbortController().signal)
  workspace.call()
  const [accepted] = workspace.store(1)
  if (accepted) workspace.notify(Object.assign(accepted, { role: 'system', details: { event: 'accepted' } }))
  expect(await take(events, 2)).toEqual([1, 2])
})

it('reads from the database what notifications did not tell, and tells nothing twice', async () => {
  const workspace = createWorkspace()
  const events = await workspace.feed.follow({ afterSeq: 0, isAll: false }, new AbortController().signal)
  const [first, second] = workspace.store(4)
  if (first) workspace.notify(first)
  workspace.gap()
  if (second) workspace.notify(second)
  const iterator = events[Symbol.asyncIterator]()
  const next = async () => (await iterator.next()).value?.message.seq
  expect([await next(), await next(), await next(), await next()]).toEqual([1, 2, 3, 4])
  const [fifth] = workspace.store(1)
  if (fifth) workspace.notify(fifth)
  expect(await next()).toBe(5)
})

it('catches up after the database was away', async () => {
  const workspace = createWorkspace()
  const events = await workspace.feed.follow({ afterSeq: null, isAll: false }, new AbortController().signal)
  workspace.setDown(true)
  const [lost] = workspace.store(1)
  if (lost) workspace.notify(lost)
  await new Promise((resolve) => setImmediate(resolve))
  workspace.setDown(false)
  expect(await take(events, 1)).toEqual([1])
})

it('gives who follows slowly everything, in order', async () => {
  const workspace = createWorkspace()
  const events = await workspace.feed.follow({ afterSeq: null, isAll: false }, new AbortController().signal)
  for (const message of workspace.store(2_500)) workspace.notify(message)
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
  expect(await take(events, 2_500)).toEqual(upTo(2_500))
})

it('ends when whoever follows leaves', async () => {
  const workspace = createWorkspace()
  const leaving = new AbortController()
  const events = await workspace.feed.follow({ afterSeq: null, isAll: false }, leaving.signal)
  const all = take(events, 1)
  leaving.abort()
  expect(await all).toEqual([])
})

it('tells what matters for seconds as it comes, and never again', async () => {
  const workspace = createWorkspace()
  const events = await workspace.feed.follow({ afterSeq: null, isAll: false }, new AbortController().signal)
  workspace.type()
  for (const message of workspace.store(1)) workspace.notify(message)
  expect(await take(events, 2)).toEqual([0, 1])
  const resumed = await workspace.feed.follow({ afterSeq: 0, isAll: false }, new AbortController().signal)
  expect(await take(resumed, 1)).toEqual([1])
})
