import { connect, type StreamEvent } from '../../clients/typescript/src/connect.ts'
import type { Client } from '../../clients/typescript/src/plain-client.ts'
import { backOff } from '../../clients/typescript/src/wait.ts'
import type { Store } from './store.ts'

export type WidgetEvent = StreamEvent<'GET /api/v1/widget/events'>
/** `said`: another tab has more to read. `begun`: it has begun another conversation. */
type Told = WidgetEvent | 'said' | 'begun'

interface EventsParts {
  client: Client
  store: Store
  hear: (event: WidgetEvent) => void
  /** Asks for what was said while nobody listened; with `true` where the conversation is another. */
  catchUp: (isOther?: boolean) => Promise<void>
}

/** What goes on in a conversation, as it happens. One tab of a browser holds the stream, where it can, and tells the others. */
export function createEvents({ client, store, hear, catchUp }: EventsParts) {
  let isFollowing = false
  let isPausing = false
  let wake = () => {}
  store.channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (typeof data === 'string') void catchUp(data === 'begun').catch(() => {})
    else hear(data)
  }
  const tell = (told: Told) => store.channel.postMessage(told)

  /** A connection hears what is said from then on; what was said before it is asked for, each time. */
  async function listen(signal: AbortSignal, onEvent: () => void): Promise<void> {
    const onOpen = () => {
      void catchUp().catch(() => {})
      tell('said')
    }
    for await (const event of connect(client, 'GET /api/v1/widget/events', { signal }, onOpen)) {
      onEvent()
      hear(event as WidgetEvent)
      tell(event as WidgetEvent)
    }
  }

  async function run(): Promise<void> {
    for (let failures = 1; ; failures++) {
      const cut = new AbortController()
      const woken = new Promise<void>((resolve) => {
        wake = () => {
          failures = 0
          cut.abort()
          resolve()
        }
      })
      await listen(cut.signal, () => {
        failures = 1
      }).catch(() => {})
      isPausing = true
      await Promise.race([woken, new Promise((resolve) => setTimeout(resolve, backOff(failures)))])
      isPausing = false
      // It also makes a token anew that is no longer taken.
      await catchUp().catch(() => {})
    }
  }

  return {
    /** Listens from now on; there is nothing to hear before the first message. */
    follow(): void {
      if (isPausing) wake()
      if (isFollowing) return
      isFollowing = true
      if (navigator.locks) void navigator.locks.request(`${store.lock}.events`, run)
      else void run()
    },
    /** The network is back, or the conversation another: a connection of before is worth nothing. */
    restart: () => wake(),
    tell,
  }
}
